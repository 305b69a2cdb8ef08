package dev.stockade.backend.landlock;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stockade.api.Availability;
import dev.stockade.api.Backends;
import dev.stockade.api.Command;
import dev.stockade.api.Profile;
import dev.stockade.api.Result;
import dev.stockade.api.Sandbox;
import java.util.List;
import java.util.Objects;

/** Runs commands for real. Skipped where there is no Landlock, unless STOCKADE_MUST_RUN says that there is. */
final class Live {

    static final Backends LANDLOCK = Backends.of(new LandlockBackendProvider()).only("landlock");

    private Live() {}

    static void required() {
        Availability availability =
                Objects.requireNonNull(LANDLOCK.availability().get("landlock"));
        boolean must = List.of(
                        System.getenv().getOrDefault("STOCKADE_MUST_RUN", "").split("[ ,]+"))
                .contains("landlock");
        if (must && !availability.isAvailable()) {
            fail("landlock must run here, and says " + availability);
        }
        assumeTrue(availability.isAvailable(), availability.toString());
    }

    static Result sh(Profile profile, String script) throws InterruptedException {
        return run(profile, Command.of("sh", "-c", script));
    }

    static Result run(Profile profile, Command command) throws InterruptedException {
        try (Sandbox sandbox = LANDLOCK.open(profile)) {
            return sandbox.run(command);
        }
    }

    static boolean isRoot() {
        return System.getProperty("user.name").equals("root");
    }
}
