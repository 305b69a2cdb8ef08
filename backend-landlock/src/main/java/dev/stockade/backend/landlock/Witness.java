package dev.stockade.backend.landlock;

import dev.stockade.posix.CStrings;
import dev.stockade.posix.Linux;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalInt;

/**
 * A file outside of all that is granted, without a name any more, that this process could write until it was confined.
 * That it cannot open it for writing now is the work of its boundary, and of no permission or older boundary. Held by a
 * descriptor that is good for nothing else (O_PATH).
 */
final class Witness {

    private static final String NAME = "stockade-witness";
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

    private Witness() {}

    /** Makes it, and sees that it can be written; empty if there is no place where it could. */
    static OptionalInt make(Path directory, Linux linux) {
        try (Arena arena = Arena.ofConfined()) {
            Path file = Files.createFile(directory.resolve(NAME));
            long fd = linux.openat(
                    Linux.AT_FDCWD, CStrings.of(arena, file.toString()), Linux.O_PATH | Linux.O_CLOEXEC, 0);
            Files.delete(file);
            if (fd < 0) {
                return OptionalInt.empty();
            }
            long written = linux.openat(
                    Linux.AT_FDCWD, CStrings.of(arena, path((int) fd)), Linux.O_WRONLY | Linux.O_CLOEXEC, 0);
            if (written < 0) {
                linux.close((int) fd);
                return OptionalInt.empty();
            }
            linux.close((int) written);
            return OptionalInt.of((int) fd);
        } catch (IOException e) {
            return OptionalInt.empty();
        }
    }

    /** The one that this process was left by the start before. */
    static OptionalInt find() {
        try (DirectoryStream<Path> open = Files.newDirectoryStream(DESCRIPTORS)) {
            for (Path descriptor : open) {
                if (isOne(descriptor)) {
                    return OptionalInt.of(
                            Integer.parseInt(descriptor.getFileName().toString()));
                }
            }
        } catch (IOException e) {
            return OptionalInt.empty();
        }
        return OptionalInt.empty();
    }

    private static boolean isOne(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).endsWith(NAME + " (deleted)");
        } catch (IOException e) {
            return false; // Closed in the meantime.
        }
    }

    /** By which it can be opened again. */
    static String path(int fd) {
        return DESCRIPTORS.resolve(Integer.toString(fd)).toString();
    }
}
