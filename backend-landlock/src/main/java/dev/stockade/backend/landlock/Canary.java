package dev.stockade.backend.landlock;

import dev.stockade.api.Command;
import dev.stockade.api.LaunchException;
import dev.stockade.api.spi.Launch;
import dev.stockade.posix.PosixSpawnerProvider;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A process outside, of this process's own user, that a confined thread must not be able to signal. It reads from a
 * pipe that this JVM holds, and so ends with it.
 */
final class Canary {

    private static Optional<Process> singing = Optional.empty();

    private Canary() {}

    /**
     * For a process that becomes the command, and would leave that a child which it does not know of: whoever started
     * it.
     */
    static OptionalInt parent() {
        return ProcessHandle.current()
                .parent()
                .map(parent -> OptionalInt.of((int) parent.pid()))
                .orElseGet(OptionalInt::empty);
    }

    /** Its number; starts it if need be. */
    static synchronized OptionalInt pid() {
        if (singing.filter(Process::isAlive).isEmpty()) {
            try {
                Launch cat = Launch.of(List.of("/bin/cat"), Map.of(), Path.of("/"));
                Command quiet = Command.of("cat").redirect(Redirect.PIPE, Redirect.DISCARD, Redirect.DISCARD);
                singing =
                        Optional.of(new PosixSpawnerProvider().spawn(cat, quiet).process());
            } catch (LaunchException e) {
                return OptionalInt.empty();
            }
        }
        return OptionalInt.of((int) singing.orElseThrow().pid());
    }
}
