package dev.stockade.posix;

import dev.stockade.api.Availability;
import dev.stockade.api.Command;
import dev.stockade.api.spi.Launch;
import dev.stockade.api.spi.Spawner;

/**
 * What the service loader finds. Compiled for Java 17, so that an older JVM can load it and be told what is missing;
 * the classes behind it need Java 22.
 */
public final class PosixSpawnerProvider implements Spawner {

    private static final int FOREIGN_FUNCTIONS = 22;

    /** For the service loader. */
    public PosixSpawnerProvider() {}

    @Override
    public Availability availability() {
        int java = Runtime.version().feature();
        if (java < FOREIGN_FUNCTIONS) {
            return new Availability.Unavailable(
                    "Java " + java + " cannot call the C library", "use Java " + FOREIGN_FUNCTIONS + " or newer");
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
