package dev.stockade.api.internal;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Iterator;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Removes a tree that confined commands could write, one of which may have got away and still do so.
 *
 * <p>Every step is taken from an open directory (openat(2)), so a directory that is replaced by a link on the way does
 * not lead to what the link points to. Directories are first hoisted to the top: a tree that is deeper than PATH_MAX
 * has no paths, and one that is deeper than the limit on descriptors cannot be descended into.
 */
final class Removal {

    /** Against somebody who goes on filling the tree. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final Set<PosixFilePermission> OWNERS = PosixFilePermissions.fromString("rwx------");

    private final Path tree;
    private final SecureDirectoryStream<Path> above;
    private final Path name;

    private Removal(Path tree, SecureDirectoryStream<Path> above) {
        this.tree = tree;
        this.above = above;
        this.name = tree.getFileName();
    }

    /** Removes a tree; what cannot be removed stays, without a word. */
    static void of(Path tree) {
        Path parent = tree.getParent();
        if (parent == null) {
            throw new IllegalArgumentException("not to be removed: " + tree);
        }
        try (DirectoryStream<Path> above = Files.newDirectoryStream(parent)) {
            if (above instanceof SecureDirectoryStream<Path> secure) {
                new Removal(tree, secure).run();
            } else {
                walk(tree);
            }
        } catch (IOException | DirectoryIteratorException e) {
            // Left for the next sweep.
        }
    }

    private void run() throws IOException {
        long until = System.nanoTime() + PATIENCE.toNanos();
        boolean more = true;
        while (more && System.nanoTime() < until) {
            try (SecureDirectoryStream<Path> top = above.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
                boolean changed = false;
                for (Iterator<Path> entries = top.iterator(); entries.hasNext() && System.nanoTime() < until; ) {
                    changed |= removed(top, entries.next().getFileName());
                }
                more = changed;
            }
        }
        above.deleteDirectory(name);
    }

    /** Removes an entry of the top; of a directory, after what is in it has become an entry of the top as well. */
    private boolean removed(SecureDirectoryStream<Path> top, Path entry) {
        try {
            if (!isDirectory(top, entry)) {
                top.deleteFile(entry);
                return true;
            }
            own(top, entry, tree.resolve(entry));
            try (SecureDirectoryStream<Path> directory = top.newDirectoryStream(entry, LinkOption.NOFOLLOW_LINKS)) {
                for (Path below : directory) {
                    hoist(directory, entry, below.getFileName(), top);
                }
            }
            top.deleteDirectory(entry);
            return true;
        } catch (NoSuchFileException e) {
            return true; // Somebody else is removing it, too.
        } catch (IOException | DirectoryIteratorException e) {
            return false; // The others still want to be removed.
        }
    }

    private void hoist(SecureDirectoryStream<Path> from, Path directory, Path entry, SecureDirectoryStream<Path> top)
            throws IOException {
        if (isDirectory(from, entry)) {
            own(from, entry, tree.resolve(directory).resolve(entry));
            from.move(entry, top, entry.resolveSibling(Unguessable.word()));
        } else {
            from.deleteFile(entry);
        }
    }

    private static boolean isDirectory(SecureDirectoryStream<Path> in, Path entry) throws IOException {
        return in.getFileAttributeView(entry, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .readAttributes()
                .isDirectory();
    }

    /** A directory is changed, and moved elsewhere, by whoever may write it. */
    private static void own(SecureDirectoryStream<Path> in, Path entry, Path path) throws IOException {
        try {
            in.getFileAttributeView(entry, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                    .setPermissions(OWNERS);
        } catch (IOException e) {
            // What cannot be read cannot be opened, and fchmodat(2) could not be told to follow no link before 6.6.
            Files.setPosixFilePermissions(path, OWNERS);
        }
    }

    /** Where directories cannot be held open. */
    private static void walk(Path tree) throws IOException {
        Files.walkFileTree(tree, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
                if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
                    Files.setPosixFilePermissions(file, OWNERS);
                    walk(file);
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
                    throws IOException {
                Files.setPosixFilePermissions(directory, OWNERS);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException e) throws IOException {
                Files.deleteIfExists(directory);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
