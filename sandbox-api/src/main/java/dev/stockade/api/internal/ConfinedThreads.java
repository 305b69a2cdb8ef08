package dev.stockade.api.internal;

import dev.stockade.api.LaunchException;
import dev.stockade.api.LaunchException.Fault;
import dev.stockade.api.LaunchException.Phase;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/** Whether every thread of this process has given up privileges and has a filter: proc_pid_status(5). */
final class ConfinedThreads {

    private ConfinedThreads() {}

    /** Throws where one has not. */
    static void require() {
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
            for (Path thread : threads) {
                missing(thread).ifPresent(what -> {
                    throw new LaunchException(
                            Phase.PROVE,
                            Fault.STOCKADE,
                            "the boundary does not hold what was claimed for it: thread " + thread.getFileName()
                                    + " has no " + what + ". Do not go on; please report this");
                });
            }
        } catch (IOException e) {
            throw new LaunchException(
                    Phase.PROVE, Fault.HOST, "that all threads are confined cannot be read from /proc: " + e, e);
        }
    }

    private static Optional<String> missing(Path thread) throws IOException {
        String status;
        try {
            status = Files.readString(thread.resolve("status"));
        } catch (NoSuchFileException e) {
            return Optional.empty(); // It has ended.
        } catch (IOException e) {
            if (!Files.exists(thread)) {
                return Optional.empty();
            }
            throw e;
        }
        return missing(status);
    }

    static Optional<String> missing(String status) {
        if (!status.contains("NoNewPrivs:\t1")) {
            return Optional.of("no_new_privs");
        }
        return status.contains("Seccomp:\t2") ? Optional.empty() : Optional.of("seccomp filter");
    }
}
