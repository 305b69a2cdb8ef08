package dev.stockade.api;

/**
 * A confined command that has been started: a {@link Process} that also knows how it really ended.
 *
 * <p>{@link #destroyForcibly()} ends the command and all it started where {@link Reach#OUTLIVE_CALLER} is closed;
 * elsewhere it ends what can be found.
 */
public abstract class ConfinedProcess extends Process {

    /** For backends that start processes by themselves. */
    protected ConfinedProcess() {}

    /**
     * Waits for the end and tells the command's own from the mechanism's failure.
     *
     * @return how the command ended
     * @throws LaunchException if the command never ran, because setting up its confinement failed late
     * @throws InterruptedException if the waiting thread is interrupted; the command goes on
     */
    public abstract Outcome outcome() throws InterruptedException;
}
