package dev.stockade.api.internal;

import dev.stockade.api.spi.Spawner;
import java.util.Optional;

/** The spawner, if one is installed and usable in this JVM. */
public final class Spawners {

    private static final class Found {
        static final Services<Spawner> OWN = Services.own(Spawner.class);
    }

    private Spawners() {}

    public static Optional<Spawner> usable() {
        return Services.visible(Spawner.class, Found.OWN).usable().stream()
                .filter(spawner -> spawner.availability().isAvailable())
                .findFirst();
    }
}
