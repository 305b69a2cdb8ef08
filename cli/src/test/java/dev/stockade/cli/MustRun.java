package dev.stockade.cli;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stockade.api.Availability.Unavailable;
import dev.stockade.api.Backends;
import dev.stockade.api.spi.Host;
import java.nio.file.Path;
import java.util.List;

/** Skips what cannot be done here, unless STOCKADE_MUST_RUN names it: then a skipped test is a failure. */
final class MustRun {

    private MustRun() {}

    static void backend(String name) {
        if (Backends.installed().availability().get(name) instanceof Unavailable here) {
            leaveOut(name, here.reason());
        }
    }

    static void tool(String name) {
        if (Host.local().find(name).isEmpty()) {
            leaveOut(name, name + " is not installed");
        }
    }

    /** Asked in a JVM of its own, for this one may not make the system calls that some backends need. */
    static void backendOfAChild(String name, Path directory) throws Exception {
        Child trial = Child.run(directory, "run", "--backend", name, "--", "true");
        if (trial.status() != 0) {
            leaveOut(name, trial.err());
        }
    }

    private static void leaveOut(String name, String reason) {
        String must = System.getenv().getOrDefault("STOCKADE_MUST_RUN", "");
        if (List.of(must.split(",", -1)).contains(name)) {
            throw new AssertionError(name + " must run here, but " + reason);
        }
        assumeTrue(false, reason);
    }
}
