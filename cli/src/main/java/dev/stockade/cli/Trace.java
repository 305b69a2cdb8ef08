package dev.stockade.cli;

import dev.stockade.api.Backends;
import dev.stockade.api.Command;
import dev.stockade.api.ConfinedProcess;
import dev.stockade.api.LaunchException;
import dev.stockade.api.LaunchException.Fault;
import dev.stockade.api.LaunchException.Phase;
import dev.stockade.api.Outcome;
import dev.stockade.api.Profile;
import dev.stockade.api.Sandbox;
import dev.stockade.api.spi.Host;
import dev.stockade.cli.trace.HostView;
import dev.stockade.cli.trace.Journal;
import dev.stockade.cli.trace.Judge;
import dev.stockade.cli.trace.Judge.Judged;
import dev.stockade.cli.trace.Operation;
import dev.stockade.cli.trace.Refusal;
import dev.stockade.cli.trace.Strace;
import dev.stockade.cli.trace.Target;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * {@code stockade trace}: why was it denied? Runs a command as {@code run} does, with strace inside the sandbox.
 *
 * @param arguments the command line
 * @param backends those installed
 * @param host this machine
 */
record Trace(Arguments arguments, Backends backends, Host host) implements Action {

    private static final String STRACE = "strace";

    /** How long strace's last lines are waited for, where something that was left running keeps it going. */
    private static final long DRAIN_MILLIS = 2000;

    private static final int NOT_FOUND = 127;
    private static final int NOT_EXECUTABLE = 126;

    @Override
    public int perform(Console console) throws InterruptedException {
        String strace = strace().toString();
        Request request = Request.of(arguments, backends, host);
        request.warnings().forEach(console::say);
        Command command = request.command(arguments.operands());
        Profile profile = request.loaded().profileFor(command, host);
        Traced traced;
        try {
            request.backends().plan(profile, command);
            traced = traced(request, command, profile, strace, console);
        } catch (LaunchException e) {
            Path hidden = executable(e, profile, command).orElseThrow(() -> e);
            console.say(String.valueOf(e.getMessage()));
            traced = Traced.notStarted(e.exitStatus(), hidden, profile, host);
        }
        Proposal proposal = Proposal.of(traced, arguments, backends, host, request, command);
        TraceAnswer answer = new TraceAnswer(arguments.operands(), traced, proposal);
        if (arguments.has(Option.JSON)) {
            console.out().print(answer.toJson());
        } else {
            console.answer(answer.toText());
        }
        return traced.status();
    }

    private Path strace() {
        if (!host.os().equals("linux")) {
            throw new UsageException("trace needs strace, which only Linux has; here, stockade explain says what a"
                    + " command may touch");
        }
        return host.find(STRACE)
                .orElseThrow(() -> new UsageException("trace needs strace, which is not installed. Install it (Debian,"
                        + " Ubuntu: apt-get install strace; Fedora: dnf install strace; Arch: pacman -S strace;"
                        + " Alpine: apk add strace), and trace again"));
    }

    /** The file that the user meant and the sandbox does not show. */
    private Optional<Path> executable(LaunchException failure, Profile profile, Command command) {
        if (failure.exitStatus() != NOT_FOUND && failure.exitStatus() != NOT_EXECUTABLE) {
            return Optional.empty();
        }
        String program = command.argv().get(0);
        Optional<Path> file = program.contains("/")
                ? Optional.of(command.directory()
                        .orElse(profile.workspace())
                        .resolve(program)
                        .normalize())
                : host.find(program);
        return file.filter(path -> Files.isExecutable(path) && !Files.isDirectory(path));
    }

    private Traced traced(Request request, Command command, Profile profile, String strace, Console console)
            throws InterruptedException {
        boolean piped = StandardInput.mustBePiped();
        Command limited = request.timeout().map(command::timeout).orElse(command);
        Command started = Strace.around(strace, limited)
                .redirect(piped ? Redirect.PIPE : Redirect.INHERIT, Redirect.PIPE, Redirect.PIPE);
        Path directory = command.directory().orElse(profile.workspace());
        Journal journal = new Journal(profile.workspace(), directory, new HostView(profile));
        CommandOutput output = new CommandOutput(console.err());
        try (Sandbox sandbox = request.open(command, host)) {
            ConfinedProcess process = sandbox.start(started);
            if (piped) {
                StandardInput.feed(process);
            }
            Thread log = daemon(() -> journal.read(process.getErrorStream()));
            Thread said = daemon(() -> output.copy(process.getInputStream()));
            Outcome outcome = process.outcome();
            said.join(DRAIN_MILLIS);
            log.join(DRAIN_MILLIS);
            if (!journal.sawAnything()) {
                throw untraced(sandbox, command, output.last().strip());
            }
            int status = outcome.exitStatus();
            List<Judged> judged = new Judge(profile, host).judge(journal.refusals(), status != 0);
            return new Traced(status, Optional.of(sandbox.backend()), judged, output.names());
        }
    }

    /** strace(1) looks for the program before it starts it. */
    private static LaunchException untraced(Sandbox sandbox, Command command, String said) {
        String program = command.argv().get(0);
        return said.contains("Can't stat")
                ? LaunchException.notFound(program, "the sandbox does not show it")
                : new LaunchException(
                        Phase.CONFINE,
                        Fault.HOST,
                        "strace could not trace inside the sandbox of " + sandbox.backend() + ": " + said
                                + ". It has to be there (in the image, with docker), and ptrace(2) to be allowed");
    }

    private interface Reading {
        void run() throws IOException;
    }

    private static Thread daemon(Reading reading) {
        Thread thread = new Thread(() -> {
            try {
                reading.run();
            } catch (IOException e) {
                // The command is being ended.
            }
        });
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /**
     * What came of it.
     *
     * @param status the command's
     * @param backend what confined it; empty if it was not started
     * @param judged what it was refused
     * @param names hosts that its output names as not found
     */
    record Traced(int status, Optional<String> backend, List<Judged> judged, List<String> names) {

        static Traced notStarted(int status, Path program, Profile profile, Host host) {
            Refusal refusal = new Refusal(
                    Operation.EXECUTE, new Target.File(program), program, false, "ENOENT", 1, List.of(), 1, "");
            return new Traced(
                    status, Optional.empty(), new Judge(profile, host).judge(List.of(refusal), true), List.of());
        }

        List<Judged> likely() {
            return judged.stream().filter(Judged::isLikely).toList();
        }
    }
}
