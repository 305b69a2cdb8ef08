package dev.stockade.cli;

import dev.stockade.api.Command;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What the confined command reads. The descriptor of a file leads out of every view: through {@code /proc/self/fd/0} a
 * file that was opened for reading can be opened for writing, proc_pid_fd(5). So the command gets a pipe instead.
 */
final class StandardInput {

    private static final Path OURS = Path.of("/proc/self/fd/0");

    private StandardInput() {}

    /** Whether standard input is a file. */
    static boolean mustBePiped() {
        return Files.isRegularFile(OURS);
    }

    static Command piped(Command attached) {
        return attached.redirect(Redirect.PIPE, Redirect.INHERIT, Redirect.INHERIT);
    }

    /** Feeds until one of the two ends. */
    static void feed(Process process) {
        Thread feeding = new Thread(() -> {
            try (OutputStream to = process.getOutputStream()) {
                System.in.transferTo(to);
            } catch (IOException e) {
                // The command has ended, or reads no more.
            }
        });
        feeding.setDaemon(true);
        feeding.start();
    }
}
