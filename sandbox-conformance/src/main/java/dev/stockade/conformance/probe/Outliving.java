package dev.stockade.conformance.probe;

import dev.stockade.api.Command;
import dev.stockade.api.ConfinedProcess;
import dev.stockade.conformance.probe.Probe.Stage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** A grandchild with a session of its own and no stream in common with its parents, which beats as long as it lives. */
record Outliving(Ending ending) implements Stage {

    enum Ending {
        BY_ITSELF,
        CANCELLED,
        OUT_OF_TIME
    }

    private static final Duration PATIENCE = Duration.ofSeconds(8);
    private static final Duration AFTER = Duration.ofMillis(400);

    // The beat is a file in the workspace, the one place that is surely both theirs and ours. $1 ends it.
    private static final String SCRIPT = """
            command -v setsid >/dev/null && command -v sleep >/dev/null || exit 127
            : >"$1" || exit 126
            (setsid sh -c 'while [ ! -e "$2" ]; do : >"$1"; sleep 0.05; done' sh "$1" "$2" \\
              </dev/null >/dev/null 2>&1 &)
            while [ ! -e "$3" ] && [ ! -e "$2" ]; do sleep 0.05; done
            """;

    @Override
    public Attempt play(Scene scene) throws InterruptedException {
        Path workspace = scene.ground().workspace();
        Path beat = workspace.resolve("beat-" + ending);
        Path stop = workspace.resolve("stop-" + ending);
        Path leave = workspace.resolve("leave-" + ending);
        Command command = scene.sh(SCRIPT, beat.toString(), stop.toString(), leave.toString());
        try {
            return play(scene, command, beat, leave);
        } catch (IOException e) {
            return Attempt.silent("the workspace cannot be read: " + e);
        } finally {
            touch(stop);
        }
    }

    private Attempt play(Scene scene, Command command, Path beat, Path leave) throws IOException, InterruptedException {
        Duration limit = ending == Ending.OUT_OF_TIME ? Duration.ofMillis(1500) : PATIENCE;
        ConfinedProcess process = scene.sandbox().start(command.timeout(limit));
        process.getOutputStream().close();
        boolean beats = awaitBeat(process, beat) && (!Files.deleteIfExists(beat) || awaitBeat(process, beat));
        if (!beats) {
            touch(leave);
            int status = process.outcome().exitStatus();
            return Attempt.impossible(
                    status == 126
                            ? "the workspace cannot be written, so there is no sign of life to see"
                            : "it needs setsid and sleep inside, and did not come to life (status " + status + ")");
        }
        switch (ending) {
            case BY_ITSELF -> touch(leave);
            case CANCELLED -> process.destroyForcibly();
            case OUT_OF_TIME -> {}
        }
        process.outcome();
        Thread.sleep(AFTER.toMillis() / 2);
        Files.deleteIfExists(beat);
        Thread.sleep(AFTER.toMillis());
        return Files.exists(beat)
                ? Attempt.through("a daemon lived on after the run")
                : Attempt.refused("the daemon ended with the run");
    }

    private static boolean awaitBeat(ConfinedProcess process, Path beat) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!Files.exists(beat)) {
            if (!process.isAlive() || System.nanoTime() > end) {
                return Files.exists(beat);
            }
            Thread.sleep(20);
        }
        return true;
    }

    private static void touch(Path file) {
        try {
            Files.writeString(file, "");
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
