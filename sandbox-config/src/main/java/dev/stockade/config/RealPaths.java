package dev.stockade.config;

import dev.stockade.api.Profile;
import dev.stockade.api.Profile.Access;
import dev.stockade.api.Profile.Grant;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** Follows links, so that two names for one file are compared as what they are. Remembers what it has followed. */
final class RealPaths {

    private final Map<Path, Path> followed = new HashMap<>();

    /** Where a path leads, as far as it exists; the rest as it is written. */
    Path of(Path path) {
        Path known = followed.get(path);
        if (known == null) {
            known = follow(path);
            followed.put(path, known);
        }
        return known;
    }

    private Path follow(Path path) {
        Path parent = path.getParent();
        if (parent == null) {
            return path;
        }
        Path entry = of(parent).resolve(path.getFileName());
        try {
            return Files.isSymbolicLink(entry) ? entry.toRealPath() : entry;
        } catch (IOException e) {
            return entry; // A link to nothing.
        }
    }

    /** The same profile, its paths followed; of two names for one path the stricter decides. */
    Profile of(Profile profile) {
        Profile.Builder real = profile.toBuilder();
        Map<Path, Access> grants = new TreeMap<>();
        for (Grant grant : profile.grants()) {
            grants.merge(of(grant.path()), grant.access(), (a, b) -> a.compareTo(b) <= 0 ? a : b);
        }
        // The names that are links stay as well; nobody asks about them, since every path that is asked about is
        // followed.
        grants.forEach((path, access) -> Grants.add(real, access, path));
        return real.build();
    }
}
