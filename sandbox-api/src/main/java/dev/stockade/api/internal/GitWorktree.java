package dev.stockade.api.internal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A checkout made by {@code git worktree add}: its {@code .git} is a file that points to the repository it belongs to.
 *
 * <p>That file lies in the workspace, where a confined command may have written anything into it. It is believed only
 * if the repository points back: gitrepository-layout(5), {@code worktrees/<id>/gitdir} and {@code commondir}.
 */
final class GitWorktree {

    private static final String POINTER = "gitdir: ";
    private static final int LONGEST = 8192;

    private GitWorktree() {}

    /** The repository's own {@code .git} directory, which git inside has to read. */
    static Optional<Path> commonDirectory(Path workspace) {
        Path dotGit = workspace.resolve(".git");
        if (!Files.isRegularFile(dotGit, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        try {
            String pointer = read(dotGit);
            if (!pointer.startsWith(POINTER)) {
                return Optional.empty();
            }
            Path own = workspace.resolve(pointer.substring(POINTER.length())).toRealPath();
            Path worktrees = own.getParent();
            if (worktrees == null || worktrees.getParent() == null || !worktrees.endsWith("worktrees")) {
                return Optional.empty();
            }
            Path common = worktrees.getParent();
            boolean pointsBack = own.resolve(read(own.resolve("gitdir")))
                            .toRealPath()
                            .equals(dotGit)
                    && own.resolve(read(own.resolve("commondir"))).toRealPath().equals(common);
            return pointsBack ? Optional.of(common) : Optional.empty();
        } catch (IOException | java.nio.file.InvalidPathException e) {
            return Optional.empty();
        }
    }

    private static String read(Path file) throws IOException {
        if (Files.size(file) > LONGEST) {
            throw new IOException(file + " is no pointer of git's");
        }
        return Files.readString(file).strip();
    }
}
