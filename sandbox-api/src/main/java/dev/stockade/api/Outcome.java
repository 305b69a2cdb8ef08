package dev.stockade.api;

import java.time.Duration;

/** How a command ended. A status that is not zero is an outcome, not an error. */
public sealed interface Outcome {

    /**
     * It ended by itself.
     *
     * @param status its exit status, 0 to 255
     */
    record Exited(int status) implements Outcome {}

    /**
     * A signal ended it. A shell (and bubblewrap) reports a child that died of signal n as status 128+n; that cannot be
     * told from a command that chose this status itself, and is reported as signalled.
     *
     * @param signal the signal's number, 1 to 64
     */
    record Signalled(int signal) implements Outcome {}

    /**
     * It was ended because its time was up.
     *
     * @param limit the time it was given
     */
    record TimedOut(Duration limit) implements Outcome {}

    /**
     * The status a shell would show.
     *
     * @return the exit status, 128+n after signal n, 124 after a time-out
     */
    default int exitStatus() {
        if (this instanceof Exited exited) {
            return exited.status();
        }
        return this instanceof Signalled signalled ? 128 + signalled.signal() : 124;
    }

    /**
     * Reads a wait status as {@link Process#exitValue()} and shells give it.
     *
     * @param status 0 to 255; 128+n stands for signal n
     * @return the outcome
     */
    static Outcome ofStatus(int status) {
        return status > 128 && status <= 128 + 64 ? new Signalled(status - 128) : new Exited(status);
    }
}
