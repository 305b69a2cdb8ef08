package dev.stockade.config;

import dev.stockade.api.spi.Host;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;

/** Where configuration files are. Asks for names only; nothing is opened. */
final class Search {

    static final String NAME = "stockade.toml";

    private Search() {}

    /** The user's own: XDG Base Directory Specification. */
    static Path ofUser(Host host) {
        String moved = host.environment().getOrDefault("XDG_CONFIG_HOME", "");
        Path config = moved.startsWith("/")
                ? host.files().getPath(moved)
                : host.home().resolve(".config");
        return config.resolve("stockade").resolve(NAME);
    }

    /** The nearest one, from the workspace upwards. */
    static Optional<Path> upwards(Path workspace) {
        for (Path directory = workspace; directory != null; directory = directory.getParent()) {
            Path file = directory.resolve(NAME);
            if (isThere(file)) {
                return Optional.of(file);
            }
        }
        return Optional.empty();
    }

    /**
     * Whether a file is there, or may be: one that cannot be looked up, or a link that leads nowhere, is no reason to go
     * on without what it may ask for. It is told when it is read.
     */
    static boolean isThere(Path file) {
        try {
            Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return true;
        } catch (NoSuchFileException e) {
            return false;
        } catch (IOException e) {
            // But below what is no directory, as with HOME=/dev/null, there is nothing.
            Path above = file;
            while (above != null && !Files.exists(above)) {
                above = above.getParent();
            }
            return above == null || Files.isDirectory(above);
        }
    }

    /** Whether a file lies in a directory by its name, or by where links lead. */
    static boolean liesIn(Path file, Path directory) {
        return file.toAbsolutePath().normalize().startsWith(directory)
                || new RealPaths().of(file.toAbsolutePath().normalize()).startsWith(directory);
    }

    /** Why somebody else may have written a file; empty if nobody else can. */
    static Optional<String> writtenByOthers(Path file, Host host) {
        try {
            int owner = (Integer) Files.getAttribute(file, "unix:uid");
            int mode = (Integer) Files.getAttribute(file, "unix:mode");
            int home = (Integer) Files.getAttribute(host.home(), "unix:uid");
            if (owner != 0 && owner != host.uid() && owner != home) {
                return Optional.of("belongs to another user (" + owner + ")");
            }
            return (mode & 2) != 0 ? Optional.of("can be written by everybody") : Optional.empty();
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            return Optional.empty(); // No Unix file system, so there is no such notion.
        }
    }
}
