package dev.stockade.api.internal;

import dev.stockade.api.Capabilities;
import dev.stockade.api.Command;
import dev.stockade.api.ConfinedProcess;
import dev.stockade.api.LaunchException;
import dev.stockade.api.LaunchException.Fault;
import dev.stockade.api.LaunchException.Phase;
import dev.stockade.api.Outcome;
import dev.stockade.api.Profile;
import dev.stockade.api.Reach;
import dev.stockade.api.spi.Confinement;
import dev.stockade.api.spi.Host;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The quick proof: shell built-ins, run inside in front of a command, that try what was claimed to be closed. It
 * needs no program that an image might lack, and costs one shell.
 */
final class Proof {

    private static final Duration LIMIT = Duration.ofSeconds(20);

    /** In the environment of every starter, to be seen inside only if that leaks. */
    static final String CANARY_VARIABLE = "STOCKADE_CANARY";

    /** What the trial command prints: nothing is proven by a mechanism that succeeds without running anything. */
    private static final String RAN = "stockade-ran";

    private static final String FAILED = "stockade-proof: ";
    private static final String NO_SHELL = "not proven: there is no sh inside";
    private static final String SKIPPED = "stockade-unproven: ";

    // Arguments: canary file (or -), expected no_new_privs (1 or -), expected capabilities (0 or -), the host's network
    // and
    // process namespaces (or -), then the command. "read" is a built-in; a redirection that fails makes it fail.
    private static final String SCRIPT = """
            fell() { echo "stockade-proof: $1" >&2; exit 125; }
            skipped() { echo "stockade-unproven: $1" >&2; }
            if [ "$1" != - ] && { read -r line <"$1"; } 2>/dev/null; then fell 'a file outside can be read'; fi
            [ -z "${STOCKADE_CANARY+x}" ] || fell 'a variable that was not named is seen'
            if [ -r /proc/self/status ]; then
              while read -r key value rest; do
                case $key in
                  NoNewPrivs:) [ "$2" = - ] || [ "$2" = "$value" ] || fell 'privileges can be gained by set-user-ID programs' ;;
                  CapEff:) [ "$3" = - ] || case $value in *[!0]*) fell 'it holds capabilities' ;; esac ;;
                esac
              done </proc/self/status
            elif [ "$2$3" != -- ]; then skipped 'privileges: there is no /proc inside'
            fi
            inside() { readlink "/proc/self/ns/$1" 2>/dev/null; }
            if [ "$4" != - ]; then
              found=$(inside net)
              [ -n "$found" ] || skipped 'network: there is no readlink or no /proc inside'
              [ "$found" != "$4" ] || fell 'it shares the network of the host'
            fi
            if [ "$5" != - ]; then
              found=$(inside pid)
              [ -n "$found" ] || skipped 'processes: there is no readlink or no /proc inside'
              [ "$found" != "$5" ] || fell 'it shares the processes of the host'
            fi
            shift 5
            exec "$@"
            """;

    private Proof() {}

    /**
     * Starts one command that tries the claims.
     *
     * @param claims what the backend itself says; what the profile opens does not open the canary
     * @return what could not be tried, for people
     * @throws LaunchException if the confinement does not start (CONFINE), or does not hold (PROVE)
     */
    static List<String> of(Confinement confinement, Capabilities claims, Path workspace, Path canary)
            throws InterruptedException {
        return of(confinement, claims, workspace, canary, LIMIT);
    }

    static List<String> of(Confinement confinement, Capabilities claims, Path workspace, Path canary, Duration limit)
            throws InterruptedException {
        Command trial = Command.of("sh", "-c", "echo " + RAN).directory(workspace);
        try {
            ConfinedProcess process = SupervisedProcess.of(
                    confinement.start(prologue(claims, Optional.of(canary), trial)), Optional.of(limit));
            try {
                BoundedCapture errors = BoundedCapture.of(process.getErrorStream(), 1 << 14);
                BoundedCapture output = BoundedCapture.of(process.getInputStream(), 1 << 10);
                StandardInput.feed(process.getOutputStream(), new byte[0]);
                Outcome outcome = process.outcome();
                String said = errors.await(Duration.ofSeconds(1)).text();
                String printed = output.await(Duration.ofSeconds(1)).text();
                return verdict(confinement, outcome, said, printed, limit);
            } catch (InterruptedException e) {
                process.destroyForcibly();
                throw e;
            }
        } catch (LaunchException e) {
            if (e.exitStatus() != 125) {
                return List.of(NO_SHELL);
            }
            throw e;
        }
    }

    private static List<String> verdict(
            Confinement confinement, Outcome outcome, String said, String printed, Duration limit) {
        List<String> skipped = new ArrayList<>();
        for (String line : said.lines().toList()) {
            if (line.startsWith(FAILED)) {
                throw new LaunchException(
                        Phase.PROVE,
                        Fault.STOCKADE,
                        "the sandbox does not hold what was claimed for it: " + line.substring(FAILED.length())
                                + ". Nothing was run; please report this");
            }
            if (line.startsWith(SKIPPED)) {
                skipped.add("not proven: " + line.substring(SKIPPED.length()));
            }
        }
        if (outcome instanceof Outcome.TimedOut) {
            throw new LaunchException(
                    Phase.CONFINE, Fault.HOST, "a trial command did not end within " + limit.toSeconds() + " s");
        }
        if (outcome.exitStatus() == 126 || outcome.exitStatus() == 127) {
            return List.of(NO_SHELL);
        }
        if (!outcome.equals(new Outcome.Exited(0))) {
            throw new LaunchException(
                    Phase.CONFINE,
                    Fault.HOST,
                    confinement
                            .advice(said.strip())
                            .orElse("a trial command failed (" + outcome + "): " + said.strip()));
        }
        if (!printed.strip().equals(RAN)) {
            throw new LaunchException(
                    Phase.PROVE,
                    Fault.STOCKADE,
                    "a trial command is said to have run, but did not: please report this");
        }
        return skipped;
    }

    /** Puts the proof in front of a command: it runs only if the proof stands, else the status is 125. */
    static Command prologue(Capabilities claims, Optional<Path> canary, Command command) {
        boolean hidesFiles = !claims.can(Reach.READ_BEYOND);
        boolean noPrivilege = !claims.can(Reach.GAIN_PRIVILEGE);
        boolean noHostNetwork = !claims.can(Reach.HOST_LOOPBACK);
        boolean noHostProcesses = !claims.can(Reach.SEE_PROCESSES);
        List<String> argv = new ArrayList<>(List.of(
                "sh",
                "-c",
                SCRIPT,
                "sh",
                canary.filter(file -> hidesFiles).map(Path::toString).orElse("-"),
                noPrivilege ? "1" : "-",
                noPrivilege ? "0" : "-",
                noHostNetwork ? namespace("net") : "-",
                noHostProcesses ? namespace("pid") : "-"));
        argv.addAll(command.argv());
        return command.withArgv(argv);
    }

    private static String namespace(String which) {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/ns", which)).toString();
        } catch (IOException | UnsupportedOperationException e) {
            return "-";
        }
    }

    /**
     * A file of the host's that nothing confined may read, for a start after which nobody could remove a planted one.
     */
    static Optional<Path> foundCanary(Profile profile, Host host) {
        boolean homeIsOpen = profile.reads() == Profile.Reads.HOST
                || host.home().startsWith(profile.workspace())
                || profile.grants().stream().anyMatch(grant -> host.home().startsWith(grant.path()));
        return homeIsOpen
                ? Optional.empty()
                : Stream.of(".bashrc", ".profile", ".bash_history")
                        .map(name -> host.home().resolve(name))
                        .filter(Files::isReadable)
                        .filter(file -> profile.grants().stream().noneMatch(grant -> file.startsWith(grant.path())))
                        .findFirst();
    }

    /** Plants a file that nothing confined may read. */
    static Path canary(Path scratch) {
        return Scratch.file(scratch, "canary", "sings\n".getBytes(StandardCharsets.UTF_8));
    }
}
