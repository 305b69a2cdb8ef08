package dev.stockade.api.internal;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Optional;

/**
 * A checkout made by {@code git worktree add}: its {@code .git} is a file that points to the repository it belongs to.
 *
 * <p>That file lies in the workspace, where a confined command may have written anything into it. It is believed only
 * if the repository points back, gitrepository-layout(5), {@code worktrees/<id>/gitdir} and {@code commondir}, from
 * where no confined command can have written: else a workspace that happens to be called {@code worktrees}, or to lie
 * in a directory of that name, could vouch for its own forgery.
 */
final class GitWorktree {

    private static final String POINTER = "gitdir: ";
    private static final int LONGEST = 8192;

    private GitWorktree() {}

    /**
     * The repository's own {@code .git} directory, which git inside has to read.
     *
     * @param writable trees whose contents prove nothing
     */
    static Optional<Path> commonDirectory(Path workspace, Collection<Path> writable) {
        Path dotGit = workspace.resolve(".git");
        try {
            String pointer = read(dotGit);
            if (!pointer.startsWith(POINTER)) {
                return Optional.empty();
            }
            Path own = workspace.resolve(pointer.substring(POINTER.length())).toRealPath();
            Path worktrees = own.getParent();
            if (worktrees == null
                    || worktrees.getParent() == null
                    || !worktrees.endsWith("worktrees")
                    || writable.stream().anyMatch(own::startsWith)) {
                return Optional.empty();
            }
            Path common = worktrees.getParent();
            boolean pointsBack = own.resolve(read(own.resolve("gitdir")))
                            .toRealPath()
                            .equals(dotGit)
                    && own.resolve(read(own.resolve("commondir"))).toRealPath().equals(common);
            return pointsBack ? Optional.of(common) : Optional.empty();
        } catch (IOException | InvalidPathException e) {
            return Optional.empty();
        }
    }

    private static String read(Path file) throws IOException {
        // Opening a FIFO would wait for a writer that never comes; a device may have no end.
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException(file + " is no pointer of git's");
        }
        try (InputStream from = Files.newInputStream(file)) {
            return new String(from.readNBytes(LONGEST), StandardCharsets.UTF_8).strip();
        }
    }
}
