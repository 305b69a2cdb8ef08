package dev.stockade.api.internal;

import java.io.IOException;
import java.io.OutputStream;

/** Feeds a command's standard input and closes it. */
public final class StandardInput {

    private StandardInput() {}

    /** Feeds on a thread of its own, since a command may print much before it reads. */
    public static void feed(OutputStream stdin, byte[] bytes) {
        if (bytes.length == 0) {
            write(stdin, bytes);
        } else {
            Launchers.blocking().execute(() -> write(stdin, bytes));
        }
    }

    private static void write(OutputStream stdin, byte[] bytes) {
        try (stdin) {
            stdin.write(bytes);
        } catch (IOException e) {
            // The command closed its input before it had read all of it, as head(1) does.
        }
    }
}
