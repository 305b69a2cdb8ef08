package dev.stockade.posix;

import dev.stockade.api.Availability;
import dev.stockade.api.Command;
import dev.stockade.api.spi.Launch;
import dev.stockade.api.spi.Spawner;

/**
 * What the service loader finds. Compiled for Java 17, so that an older JVM can load it and be told what is missing;
 * the classes behind it need Java 25.
 */
public final class PosixSpawnerProvider implements Spawner {

    private static final int COMPILED_FOR = 25;

    /** For the service loader. */
    public PosixSpawnerProvider() {}

    @Override
    public Availability availability() {
        int java = Runtime.version().feature();
        if (java < COMPILED_FOR) {
            return new Availability.Unavailable(
                    "Java " + java + " cannot call the C library", "use Java " + COMPILED_FOR + " or newer");
        }
        return LinuxSpawner.availability();
    }

    @Override
    public Started spawn(Launch launch, Command stdio) {
        return LinuxSpawner.spawn(launch, stdio);
    }

    @Override
    public void become(Launch launch) {
        LinuxSpawner.become(launch);
    }
}
