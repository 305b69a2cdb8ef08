package dev.stockade.cli;

import dev.stockade.api.Command;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What the confined command reads. A descriptor of a file or a directory leads out of every view: through
 * {@code /proc/self/fd/0} a file that was opened for reading can be opened for writing, and from a directory one walks
 * on to its neighbours, proc_pid_fd(5). So the command gets a pipe instead.
 */
final class StandardInput {

    private static final Path OURS = Path.of("/proc/self/fd/0");

    private StandardInput() {}

    /** Whether standard input is a file. */
    static boolean mustBePiped() {
        if (Files.isDirectory(OURS)) {
            throw new UsageException("standard input is a directory, through which the command could leave its sandbox;"
                    + " connect it to a file, a pipe or /dev/null");
        }
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
