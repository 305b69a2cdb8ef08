package dev.stockade.cli;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stockade.api.Availability.Unavailable;
import dev.stockade.api.Backends;
import java.util.List;

/** Skips what a backend cannot do here, unless STOCKADE_MUST_RUN names it: then a skipped test is a failure. */
final class MustRun {

    private MustRun() {}

    static void backend(String name) {
        if (Backends.installed().availability().get(name) instanceof Unavailable here) {
            String must = System.getenv().getOrDefault("STOCKADE_MUST_RUN", "");
            if (List.of(must.split(",", -1)).contains(name)) {
                throw new AssertionError(name + " must run here, but " + here.reason());
            }
            assumeTrue(false, here.reason());
        }
    }
}
