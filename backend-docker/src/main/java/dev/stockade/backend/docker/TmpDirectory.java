package dev.stockade.backend.docker;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Empties a container's {@code /tmp} from the host. */
final class TmpDirectory {

    private TmpDirectory() {}

    /**
     * Removes all below a directory, no link followed. Mount points stay: since Linux 3.18 removing one takes the mount
     * away from those who see it.
     *
     * @return whether nothing else is left
     */
    static boolean empty(Path directory, List<Path> mountPoints) {
        try {
            Files.walkFileTree(directory, new Removal(directory, mountPoints));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static final class Removal extends SimpleFileVisitor<Path> {

        private final Path top;
        private final List<Path> mountPoints;

        Removal(Path top, List<Path> mountPoints) {
            this.top = top;
            this.mountPoints = mountPoints;
        }

        @Override
        public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) throws IOException {
            if (mountPoints.contains(directory)) {
                return FileVisitResult.SKIP_SUBTREE;
            }
            if (!Files.isWritable(directory) || !Files.isExecutable(directory)) {
                Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
            }
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            if (!mountPoints.contains(file)) {
                Files.deleteIfExists(file);
            }
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (!Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
                throw e;
            }
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
            Files.walkFileTree(file, this);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException e) throws IOException {
            boolean stays =
                    directory.equals(top) || mountPoints.stream().anyMatch(point -> point.startsWith(directory));
            if (!stays) {
                Files.deleteIfExists(directory);
            }
            return FileVisitResult.CONTINUE;
        }
    }
}
