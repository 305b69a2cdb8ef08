package dev.stockade.api.internal;

import dev.stockade.api.spi.Spawner;
import java.util.Optional;

/** The spawner, if one is installed and usable in this JVM. */
public final class Spawners {

    private static final class Found {
        static final Services<Spawner> OWN = Services.own(Spawner.class);
        static final Optional<Spawner> USABLE = first(OWN);
    }

    private Spawners() {}

    /** Asked at each start: this library's own answer does not change. */
    public static Optional<Spawner> usable() {
        return Found.USABLE.or(() -> first(Services.visible(Spawner.class, Found.OWN)));
    }

    private static Optional<Spawner> first(Services<Spawner> found) {
        return found.usable().stream()
                .filter(spawner -> spawner.availability().isAvailable())
                .findFirst();
    }
}
