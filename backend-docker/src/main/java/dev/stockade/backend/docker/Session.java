package dev.stockade.backend.docker;

import dev.stockade.api.Outcome;
import java.io.InputStream;
import java.io.OutputStream;

/** One command that is being executed in a container: its streams, and how it ends. */
interface Session {

    OutputStream stdin();

    InputStream stdout();

    InputStream stderr();

    /**
     * Waits for the end, once, on a thread of its own.
     *
     * @throws dev.stockade.api.LaunchException if the command never ran
     */
    Outcome await() throws InterruptedException;

    /** Lets {@link #await} come to an end although nobody reads the streams: the command is being killed. */
    void abandon();
}
