package dev.stockade.backend.landlock;

import dev.stockade.api.Command;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The caller's own streams that a command inherits. A descriptor works without a rule; a script that opens
 * {@code /dev/stderr} again needs one for the file or the terminal behind it.
 */
final class Streams {

    private static final long TERMINAL = LandlockAbi.READ_FILE | LandlockAbi.WRITE_FILE | LandlockAbi.IOCTL_DEV;

    private Streams() {}

    /** What may be done with the file behind a descriptor, by its number. */
    static Map<Integer, Long> inherited(Command command) {
        List<Redirect> streams = List.of(command.stdin(), command.stdout(), command.stderr());
        Map<Integer, Long> rights = new HashMap<>();
        for (int fd = 0; fd < streams.size(); fd++) {
            if (streams.get(fd).equals(Redirect.INHERIT)) {
                long right = rights(fd);
                if (right != 0) {
                    rights.put(fd, right);
                }
            }
        }
        return rights;
    }

    /** The same for this process itself. */
    static Map<Integer, Long> own() {
        return inherited(Command.of("java").redirect(Redirect.INHERIT, Redirect.INHERIT, Redirect.INHERIT));
    }

    private static long rights(int fd) {
        try {
            Path behind = Files.readSymbolicLink(Path.of("/proc/self/fd", Integer.toString(fd)));
            if (behind.startsWith("/dev/pts") || behind.toString().startsWith("/dev/tty")) {
                return TERMINAL;
            }
            if (Files.isRegularFile(behind)) {
                return fd == 0 ? LandlockAbi.READ_FILE : LandlockAbi.WRITE_FILE | LandlockAbi.TRUNCATE;
            }
            return 0;
        } catch (IOException e) {
            return 0;
        }
    }
}
