package dev.stockade.api.spi;

import dev.stockade.api.Command;
import dev.stockade.api.ConfinedProcess;
import dev.stockade.api.Invocation;
import java.nio.file.Path;
import java.util.Optional;

/** One profile, held by one backend, ready to start commands. Thread-safe. */
public interface Confinement extends AutoCloseable {

    /**
     * Starts a command; time limit and input are the library's business.
     *
     * @param command what to start; its directory is resolved and lies inside the workspace
     * @return the started command
     * @throws dev.stockade.api.LaunchException if it could not be started
     */
    ConfinedProcess start(Command command);

    /**
     * Flattens a command for libraries that start processes themselves.
     *
     * @param command what they are to start, with neither time limit nor input
     * @return an invocation that holds whatever environment its starter adds
     * @throws dev.stockade.api.LaunchException if this cannot be done here
     */
    Invocation wrap(Command command);

    /**
     * How this process itself could become the command.
     *
     * @param command what to become
     * @return empty if the command has to be supervised
     */
    default Optional<Launch> handOver(Command command) {
        return Optional.empty();
    }

    /**
     * Whether every start is proven from inside anyway, so that opening a sandbox needs no start of its own.
     *
     * @return false, unless overridden
     */
    default boolean provesEachStart() {
        return false;
    }

    /**
     * A private temporary directory that all commands of this confinement share.
     *
     * @return its path on the host, if it has one there
     */
    default Optional<Path> tmp() {
        return Optional.empty();
    }

    /**
     * Turns what the mechanism complained about into advice.
     *
     * @param complaint what it printed
     * @return what happened and what to do, if it is known
     */
    default Optional<String> advice(String complaint) {
        return Optional.empty();
    }

    /** Ends what still runs and removes what is left. May be called again. */
    @Override
    void close();
}
