package dev.stockade.cli;

import dev.stockade.config.Visible;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * Where the command writes. UTF-8 whatever the locale: what is printed is read by programs, too.
 *
 * @param out for answers
 * @param err for everything else
 */
record Console(PrintStream out, PrintStream err) {

    static Console standard() {
        return new Console(utf8(FileDescriptor.out), utf8(FileDescriptor.err));
    }

    private static PrintStream utf8(FileDescriptor descriptor) {
        return new PrintStream(new FileOutputStream(descriptor), true, StandardCharsets.UTF_8);
    }

    /** Answers people, in colour where they see some. */
    void answer(String text) {
        String shown = Visible.lines(text);
        out.print(Screen.showsColour() ? Paint.of(shown) : shown);
    }

    /** Tells the user something that is not an answer. */
    void say(String message) {
        err.println("stockade: " + Visible.lines(message));
    }
}
