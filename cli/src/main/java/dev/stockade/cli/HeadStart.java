package dev.stockade.cli;

import dev.stockade.api.spi.Spawner;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/**
 * Begins on a thread of its own what a confined command waits for longest: that the spawner links the C library.
 * Meanwhile the command line and the configuration are read. What comes of it is asked for, and waited for, where it is
 * needed.
 */
final class HeadStart {

    private HeadStart() {}

    static void take(String[] args) {
        if (args.length > 0 && (args[0].equals(Verb.RUN.word()) || args[0].equals(Verb.SHELL.word()))) {
            Thread thread = new Thread(HeadStart::link, "stockade-head-start");
            thread.setDaemon(true);
            thread.start();
        }
    }

    private static void link() {
        try {
            // Of modules alone: to look on a class path takes longer than is won.
            for (Spawner spawner : ServiceLoader.load(ModuleLayer.boot(), Spawner.class)) {
                spawner.availability();
            }
        } catch (ServiceConfigurationError | LinkageError | RuntimeException e) {
            // Said where it is asked for in earnest.
        }
    }
}
