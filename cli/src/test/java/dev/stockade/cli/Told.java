package dev.stockade.cli;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What the command printed in this JVM, and its status. */
record Told(int status, String out, String err) {

    /** What an action does with a console. */
    interface Telling {
        int with(Console console) throws Exception;
    }

    static Told by(String... argv) {
        return by(console -> Main.run(List.of(argv), console));
    }

    static Told by(Telling telling) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Console console = new Console(utf8(out), utf8(err));
        int status;
        try {
            status = telling.with(console);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
        return new Told(status, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    private static PrintStream utf8(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }
}
