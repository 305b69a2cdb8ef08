package dev.stockade.api.spi;

import dev.stockade.api.Availability;
import dev.stockade.api.Command;
import java.util.function.Supplier;

/**
 * Starts processes with descriptors of their own, without a shell in between, and replaces this process by another.
 * Found by {@link java.util.ServiceLoader}; without one, feeds become files that {@code sh} opens.
 */
public interface Spawner {

    /**
     * A started process.
     *
     * @param process the process; its exit value is 128+n after signal n
     * @param status what was written to the launch's status channel; asked once, after the process has ended
     */
    record Started(Process process, Supplier<String> status) {}

    /**
     * Whether it can be used in this JVM. Cheap, never throws.
     *
     * @return available, or why not and what to do
     */
    Availability availability();

    /**
     * Starts a process. Called on a thread that lasts as long as the JVM, unless the launch has a step: then on any.
     *
     * @param launch what to start
     * @param stdio how its standard streams are connected
     * @return the started process
     * @throws dev.stockade.api.LaunchException if it could not be started
     */
    Started spawn(Launch launch, Command stdio);

    /**
     * Replaces this process: same pid, same terminal, same standard streams. Does not return.
     *
     * @param launch what to become
     * @throws dev.stockade.api.LaunchException if it could not be done; this process goes on, but the calling thread
     *     may be confined already, so the only safe thing left to do is to report and end
     */
    void become(Launch launch);
}
