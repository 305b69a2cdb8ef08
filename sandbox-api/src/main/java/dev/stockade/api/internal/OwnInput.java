package dev.stockade.api.internal;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Whether standard input was read already: a second start would miss what the first one took. It can be told of a file,
 * which has a position, and of whatever {@link System#in} has taken ahead and not given out yet. What was read of a pipe
 * or a terminal to the last byte that was there leaves no trace: the kernel keeps none.
 *
 * @param position of a file, in bytes; 0 for anything else
 * @param ahead bytes that were taken and not given out
 */
record OwnInput(long position, long ahead) {

    private static final Path SELF = Path.of("/proc/self");

    /** How often a pipe may be filled while it is looked at. */
    private static final int PATIENCE = 100;

    static OwnInput look() {
        return new OwnInput(filePosition(), takenAhead(System.in, new FileInputStream(FileDescriptor.in)));
    }

    private static long filePosition() {
        try {
            return Files.isRegularFile(SELF.resolve("fd/0"))
                    ? Files.readAllLines(SELF.resolve("fdinfo/0")).stream()
                            .filter(line -> line.startsWith("pos:"))
                            .mapToLong(line -> Long.parseLong(
                                    line.substring("pos:".length()).strip()))
                            .findFirst()
                            .orElse(0)
                    : 0;
        } catch (IOException e) {
            return 0; // Closed.
        }
    }

    /** What a buffer in front of a descriptor holds: what there is in both, less what there is in the descriptor. */
    static long takenAhead(InputStream buffered, InputStream descriptor) {
        try {
            for (int i = 0; i < PATIENCE; i++) {
                int before = descriptor.available();
                int both = buffered.available();
                if (descriptor.available() == before) {
                    return Math.max(0, both - before);
                }
            }
            return 0;
        } catch (IOException e) {
            return 0; // Closed, or of a kind that does not tell.
        }
    }

    /** What was read, for people; empty if nothing was, or it cannot be told. */
    Optional<String> wasRead() {
        if (position > 0) {
            return Optional.of("a file, was read already up to byte " + position);
        }
        return ahead > 0
                ? Optional.of("was read already, and " + ahead + " bytes of it are in a buffer")
                : Optional.empty();
    }
}
