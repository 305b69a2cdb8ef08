package dev.stockade.backend.bwrap;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stockade.api.Availability.Unavailable;
import dev.stockade.api.Backends;
import java.util.List;

/** Skips where bubblewrap cannot work, unless STOCKADE_MUST_RUN names it: then a skipped test is a failure. */
final class MustRun {

    private MustRun() {}

    static Backends bwrap() {
        Backends backends = Backends.of(new BwrapBackend()).only("bwrap");
        if (backends.availability().get("bwrap") instanceof Unavailable here) {
            String must = System.getenv().getOrDefault("STOCKADE_MUST_RUN", "");
            if (List.of(must.split(",", -1)).contains("bwrap")) {
                throw new AssertionError("bwrap must run here, but " + here.reason());
            }
            assumeTrue(false, here.reason());
        }
        return backends;
    }
}
