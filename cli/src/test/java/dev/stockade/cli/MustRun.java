package dev.stockade.cli;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stockade.api.Availability.Unavailable;
import dev.stockade.api.Backends;
import dev.stockade.api.spi.Host;
import java.util.List;

/** Skips what cannot be done here, unless STOCKADE_MUST_RUN names it: then a skipped test is a failure. */
final class MustRun {

    private MustRun() {}

    static void backend(String name) {
        if (Backends.installed().availability().get(name) instanceof Unavailable here) {
            skip(name, here.reason());
        }
    }

    static void tool(String name) {
        if (Host.local().find(name).isEmpty()) {
            skip(name, name + " is not installed");
        }
    }

    private static void skip(String name, String why) {
        String must = System.getenv().getOrDefault("STOCKADE_MUST_RUN", "");
        if (List.of(must.split(",", -1)).contains(name)) {
            throw new AssertionError(name + " must run here, but " + why);
        }
        assumeTrue(false, why);
    }
}
