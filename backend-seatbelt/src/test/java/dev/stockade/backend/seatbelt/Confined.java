package dev.stockade.backend.seatbelt;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.stockade.api.Profile;
import java.util.HashMap;
import java.util.Map;

/** A profile on the fake Mac, asked what it decides. Its private temporary directory is {@link #TMP}. */
record Confined(Evaluator rules) {

    static final String TMP = "/private/tmp/stockade-1-2-3/tmp";

    static Confined by(Profile profile, FakeMac mac) {
        return new Confined(evaluator(SeatbeltProfile.of(profile, mac, true)));
    }

    static Evaluator evaluator(Sbpl.Finished finished) {
        Map<String, String> parameters = new HashMap<>(finished.parameters());
        parameters.put(SeatbeltProfile.TMP, TMP);
        return new Evaluator(finished.text(), parameters);
    }

    Confined can(Act... acts) {
        for (Act act : acts) {
            assertTrue(rules.allows(act), () -> "should be allowed: " + act);
        }
        return this;
    }

    Confined cannot(Act... acts) {
        for (Act act : acts) {
            assertFalse(rules.allows(act), () -> "should be denied: " + act);
        }
        return this;
    }
}
