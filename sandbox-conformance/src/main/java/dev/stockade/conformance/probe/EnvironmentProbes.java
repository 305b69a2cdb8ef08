package dev.stockade.conformance.probe;

import dev.stockade.api.Command;
import dev.stockade.api.Invocation;
import dev.stockade.api.LaunchException;
import dev.stockade.conformance.probe.Claim.Promise;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;

/** Ways to the caller's secrets: through the environment, and through argument lists. */
final class EnvironmentProbes {

    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    /** What a shell or a backend sets by itself; a value may well be the caller's. */
    private static final Set<String> USUAL = Set.of(
            "PATH",
            "HOME",
            "LANG",
            "LANGUAGE",
            "LC_ALL",
            "LC_CTYPE",
            "TZ",
            "TMPDIR",
            "TMP",
            "TEMP",
            "PWD",
            "OLDPWD",
            "SHLVL",
            "_",
            "USER",
            "LOGNAME",
            "SHELL",
            "TERM",
            "HOSTNAME");

    private EnvironmentProbes() {}

    static List<Probe> all() {
        return List.of(
                Probe.of("environment.caller", Promise.ENVIRONMENT, (Probe.Stage) EnvironmentProbes::callersVariables)
                        .unless("this program was started with no variable that could leak"),
                Probe.of("environment.starter", Promise.ENVIRONMENT, (Probe.Stage) EnvironmentProbes::startersVariable),
                Probe.of("secrecy.arguments", Promise.SECRECY, (Probe.Stage) EnvironmentProbes::argumentLists));
    }

    private static Attempt callersVariables(Scene scene) throws InterruptedException {
        Map<String, String> secrets = new HashMap<>(System.getenv());
        secrets.keySet().removeAll(USUAL);
        secrets.keySet().removeAll(scene.sandbox().profile().environment());
        secrets.entrySet()
                .removeIf(entry -> !NAME.matcher(entry.getKey()).matches()
                        || entry.getValue().isBlank()
                        || entry.getValue().lines().count() != 1);
        if (secrets.isEmpty()) {
            return Attempt.impossible("the profile names every variable of the caller's");
        }
        String printed = scene.run(scene.sh(
                        "for n; do eval \"printf '%s=%s\\\\n' \\\"$n\\\" \\\"\\${$n-}\\\"\"; done",
                        secrets.keySet().toArray(String[]::new)))
                .stdout()
                .text();
        if (printed.lines().count() < secrets.size()) {
            return Attempt.silent("the variables could not be listed: " + printed.strip());
        }
        List<String> leaked = printed.lines()
                .filter(line -> line.indexOf('=') > 0)
                .filter(line ->
                        line.substring(line.indexOf('=') + 1).equals(secrets.get(line.substring(0, line.indexOf('=')))))
                .map(line -> line.substring(0, line.indexOf('=')))
                .sorted()
                .toList();
        return leaked.isEmpty()
                ? Attempt.refused("none of " + secrets.size() + " variables is seen")
                : Attempt.through("it sees " + String.join(", ", leaked));
    }

    /** Libraries that start processes add to what they inherit. */
    private static Attempt startersVariable(Scene scene) throws InterruptedException {
        try {
            Invocation wrapped =
                    scene.sandbox().wrap(Command.of("sh", "-c", "echo \"pollution=${STOCKADE_POLLUTION-}\""));
            ProcessBuilder starter = wrapped.toProcessBuilder().redirectErrorStream(true);
            starter.environment().put("STOCKADE_POLLUTION", "leaks");
            Process process = starter.start();
            process.getOutputStream().close();
            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            process.waitFor();
            if (!printed.contains("pollution=")) {
                return Attempt.silent("the wrapped command did not run: " + printed.strip());
            }
            return printed.contains("pollution=leaks")
                    ? Attempt.through("a variable that the starter of a wrapped command added is seen")
                    : Attempt.refused("what the starter added is not seen");
        } catch (LaunchException e) {
            return Attempt.impossible("wrapping is refused: " + e.getMessage());
        } catch (IOException e) {
            return Attempt.silent("the wrapped command could not be started: " + e);
        }
    }

    private static Attempt argumentLists(Scene scene) throws InterruptedException {
        if (!Files.isReadable(Path.of("/proc/self/cmdline"))) {
            return Attempt.impossible("argument lists are read from /proc, which is not here");
        }
        String secret = "s3cret-" + UUID.randomUUID();
        Command waiting =
                Command.of("sh", "-c", "echo ready; read line").environment(Map.of("STOCKADE_SECRET", secret));
        Process process = scene.sandbox().start(waiting);
        try {
            if (process.getInputStream().read() != 'r') {
                return Attempt.silent("the command did not start");
            }
            return ProcessHandle.allProcesses().anyMatch(each -> shows(each.pid(), secret))
                    ? Attempt.through("an argument list shows the value of a variable")
                    : Attempt.refused("no argument list shows it");
        } catch (IOException e) {
            return Attempt.silent("the command did not start: " + e);
        } finally {
            process.destroyForcibly();
        }
    }

    private static boolean shows(long pid, String secret) {
        try {
            return Files.readString(Path.of("/proc/" + pid + "/cmdline"), StandardCharsets.ISO_8859_1)
                    .contains(secret);
        } catch (IOException e) {
            return false;
        }
    }
}
