package dev.stockade.api.internal;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * A sign that the owner of a directory lives: a locked file in it. The kernel takes the lock away with the process. A
 * pid would mean nothing to a process in another pid namespace that shares the directory, and the time a process was
 * born at moves with the clock.
 */
final class Alive implements AutoCloseable {

    private static final String FILE = ".alive";

    /** How long a directory may be without the file, while it is being made, and is not looked at. */
    private static final Duration YOUNG = Duration.ofMinutes(1);

    private final FileChannel channel;

    private Alive(FileChannel channel) {
        this.channel = channel;
    }

    /** Leaves the sign. Empty if a sweeping process was faster, and takes the new directory for an abandoned one. */
    static Optional<Alive> in(Path directory) throws IOException {
        Path file = directory.resolve(FILE);
        FileChannel channel = FileChannel.open(
                file,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        if (isLocked(channel) && Files.exists(file)) {
            return Optional.of(new Alive(channel));
        }
        channel.close();
        return Optional.empty();
    }

    /** A file system without locks has none that a sweeping process could get, either. */
    private static boolean isLocked(FileChannel channel) {
        try {
            return channel.tryLock() != null;
        } catch (IOException e) {
            return true;
        }
    }

    /**
     * Acts on a directory whose owner is gone. Never asked about one of this process: to close any descriptor of a
     * file gives up all of the process's locks on it, fcntl_locking(2).
     *
     * @throws IOException if it cannot be told
     */
    static void ifAbandoned(Path directory, Runnable act) throws IOException {
        Path file = directory.resolve(FILE);
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            // A process that became its command holds no lock any more, but goes on under its number.
            boolean young = Files.getLastModifiedTime(directory)
                    .toInstant()
                    .isAfter(Instant.now().minus(YOUNG));
            if (!young && !runs(directory.getFileName().toString())) {
                act.run();
            }
        } else if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            // Opened for both, not even a FIFO that took the file's place just now would be waited for.
            try (FileChannel channel = FileChannel.open(
                    file, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
                FileLock lock = channel.tryLock();
                if (lock != null) {
                    act.run();
                }
            }
        }
    }

    /**
     * Whether the process that made a directory of this name was born just now. Who starts many commands would else look
     * into the directories of all of them each time.
     */
    static boolean isYoung(String name) {
        int birth = name.indexOf('-', name.indexOf('-') + 1) + 1;
        int end = name.indexOf('-', birth);
        if (birth == 0 || end < 0) {
            return false;
        }
        try {
            long age = System.currentTimeMillis() - Long.parseLong(name, birth, end, 10);
            return age >= 0 && age < YOUNG.toMillis();
        } catch (NumberFormatException e) {
            return false;
        }
    }

    /** Whether the process runs that made a directory of this name: its second and third part are pid and birth. */
    private static boolean runs(String name) {
        String[] parts = name.split("-", -1);
        try {
            return parts.length > 2
                    && ProcessHandle.of(Long.parseLong(parts[1]))
                            .flatMap(process -> process.info().startInstant())
                            .map(birth -> birth.toEpochMilli() == Long.parseLong(parts[2]))
                            .orElse(false);
        } catch (NumberFormatException e) {
            return false;
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // Nothing was written that could be lost.
        }
    }
}
