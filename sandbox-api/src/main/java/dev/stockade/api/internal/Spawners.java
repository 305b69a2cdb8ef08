package dev.stockade.api.internal;

import dev.stockade.api.spi.Spawner;
import java.util.Optional;
import java.util.ServiceLoader;

/** The spawner, if one is installed and usable in this JVM. */
public final class Spawners {

    private static final class Found {
        static final Optional<Spawner> SPAWNER = Services.load(ServiceLoader.load(Spawner.class)).usable().stream()
                .filter(spawner -> spawner.availability().isAvailable())
                .findFirst();
    }

    private Spawners() {}

    public static Optional<Spawner> usable() {
        return Found.SPAWNER;
    }
}
