package dev.stockade.conformance.probe;

import dev.stockade.api.Command;
import dev.stockade.api.ConfinedProcess;
import dev.stockade.api.LaunchException;
import dev.stockade.api.Outcome;
import dev.stockade.api.Result;
import dev.stockade.conformance.probe.Claim.Promise;
import dev.stockade.conformance.probe.Probe.Script;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;

/** What must go on working. Here getting through is what is wanted. */
final class WorkProbes {

    private static final String ODD = "a b\n\"'$`\\ü";

    private WorkProbes() {}

    static List<Probe> all() {
        return List.of(
                tools("work.pipes", "[ \"$(echo x | cat | cat)\" = x ]"),
                tools("work.here-text", "command -v bash >/dev/null || exit 127; bash -c 'read x <<<y; [ $x = y ]'"),
                tools("work.job-control", "command -v bash >/dev/null || exit 127; bash -c 'set -m; true & wait $!'"),
                tools("work.sort", "[ \"$(printf 'b\\na\\n' | sort | tr -d '\\n')\" = ab ]"),
                tools("work.temporary-file", "f=$(mktemp) && echo x >\"$f\" && rm \"$f\""),
                tools("work.null-device", "echo x >/dev/null && cat /dev/null"),
                tools("work.git", """
                        command -v git >/dev/null || exit 127
                        cd "$(mktemp -d)" && git init -q . && echo x >f && git add f &&
                        git -c user.name=a -c user.email=a@b.c commit -q -m first"""),
                staged("work.status", WorkProbes::status),
                staged(
                        "work.signal",
                        scene -> expect(scene.run(scene.sh("kill -KILL $$")).outcome(), new Outcome.Signalled(9))),
                staged("work.input", WorkProbes::binaryInput),
                staged("work.output", WorkProbes::longOutput),
                staged("work.arguments", WorkProbes::arguments),
                staged(
                        "work.environment",
                        scene -> expect(
                                scene.run(Command.of("sh", "-c", "printf %s \"$ODD\"")
                                                .environment(Map.of("ODD", ODD)))
                                        .stdout()
                                        .text(),
                                ODD)),
                staged("work.directory", WorkProbes::directory),
                staged("work.missing-program", WorkProbes::missingProgram),
                staged("work.threads", WorkProbes::starterThatEnds),
                staged("work.parallel", WorkProbes::parallel));
    }

    private static Probe tools(String id, String lines) {
        return Probe.of(id, Promise.WORK, new Script(Interpreter.SH, lines));
    }

    private static Probe staged(String id, Probe.Stage stage) {
        return Probe.of(id, Promise.WORK, stage);
    }

    private static Attempt expect(Object found, Object wanted) {
        return found.equals(wanted)
                ? Attempt.through("as it should be")
                : Attempt.refused("wanted " + wanted + ", found " + found);
    }

    private static Attempt status(Scene scene) throws InterruptedException {
        for (int status : new int[] {7, 255}) {
            Outcome outcome = scene.run(scene.sh("exit " + status)).outcome();
            if (!outcome.equals(new Outcome.Exited(status))) {
                return expect(outcome, new Outcome.Exited(status));
            }
        }
        return Attempt.through("7 and 255 arrive");
    }

    private static Attempt binaryInput(Scene scene) throws InterruptedException {
        byte[] bytes = new byte[300_000];
        new Random(7).nextBytes(bytes);
        Result result = scene.run(Command.of("cat").input(bytes));
        return java.util.Arrays.equals(bytes, result.stdout().bytes())
                ? Attempt.through("300,000 bytes go in and come out")
                : Attempt.refused(
                        "300,000 bytes went in, other " + result.stdout().bytes().length + " came out");
    }

    private static Attempt longOutput(Scene scene) throws InterruptedException {
        Result result =
                scene.run(Command.of("head", "-c", "20000000", "/dev/zero").captureBytes(1000));
        return expect(
                result.outcome() + ", " + result.stdout().bytes().length + ", "
                        + result.stdout().truncated(),
                new Outcome.Exited(0) + ", 1000, true");
    }

    private static Attempt arguments(Scene scene) throws InterruptedException {
        List<String> argv = new ArrayList<>(List.of("sh", "-c", "printf '%s' \"$#$1$2\"", "sh", ODD, ""));
        for (int i = 0; i < 5000; i++) {
            argv.add("argument " + i);
        }
        return expect(scene.run(Command.of(argv)).stdout().text(), "5002" + ODD);
    }

    private static Attempt directory(Scene scene) throws InterruptedException {
        Path below = scene.ground().workspace().resolve("below/deep er");
        return expect(
                scene.run(Command.of("sh", "-c", "pwd").directory(below))
                        .stdout()
                        .text()
                        .strip(),
                below.toString());
    }

    private static Attempt missingProgram(Scene scene) throws InterruptedException {
        try {
            Result result = scene.run(Command.of("no-such-program-here"));
            return expect(result.exitStatus(), 127);
        } catch (LaunchException e) {
            return expect(e.exitStatus(), 127);
        }
    }

    /** PDEATHSIG follows the thread that started a process, prctl(2): the command must not die with it. */
    private static Attempt starterThatEnds(Scene scene) throws InterruptedException {
        AtomicReference<ConfinedProcess> started = new AtomicReference<>();
        Thread starter = new Thread(() -> started.set(scene.sandbox().start(scene.sh("read line; echo \"$line\""))));
        starter.start();
        starter.join();
        ConfinedProcess process = started.get();
        if (process == null) {
            return Attempt.refused("it does not start from a thread of the caller's");
        }
        try {
            Thread.sleep(100);
            process.getOutputStream().write("alive\n".getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().close();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return expect(said.strip() + " " + process.outcome(), "alive " + new Outcome.Exited(0));
        } catch (IOException e) {
            return Attempt.refused("it died with the thread that started it: " + e.getMessage());
        }
    }

    private static Attempt parallel(Scene scene) throws InterruptedException {
        List<ConfinedProcess> all = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            all.add(scene.sandbox().start(scene.sh("read line; exit " + i)));
        }
        for (ConfinedProcess each : all) {
            try {
                each.getOutputStream().close();
            } catch (IOException e) {
                return Attempt.refused("one of 4 has ended early");
            }
        }
        for (int i = 0; i < all.size(); i++) {
            Outcome outcome = all.get(i).outcome();
            if (!outcome.equals(new Outcome.Exited(i))) {
                return expect(outcome, new Outcome.Exited(i));
            }
        }
        return Attempt.through("4 run side by side");
    }
}
