package dev.stockade.backend.seatbelt;

import dev.stockade.api.Profile;
import dev.stockade.api.Profile.Access;
import dev.stockade.api.Profile.Reads;
import dev.stockade.api.Profile.Tmp;
import dev.stockade.api.spi.Host;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a profile says of paths, as the kernel names them: a grant wins over those of the directories above it.
 *
 * @param grants shallow ones first, since the later rule wins; of one depth, restrictions first
 * @param reads what is readable beside them
 */
record MacGrants(List<Grant> grants, Reads reads) {

    /** One path and what may be done with it and all below. */
    record Grant(String path, Access access) {}

    MacGrants {
        grants = List.copyOf(grants);
    }

    static MacGrants of(Profile profile, Host host) {
        Map<String, Access> named = new TreeMap<>();
        if (profile.tmp() == Tmp.SHARED) {
            named.put("/private/tmp", Access.WRITE);
            userTmp(host).ifPresent(directory -> named.put(directory, Access.WRITE));
        }
        profile.grants().forEach(grant -> named.put(MacPaths.canonical(grant.path()), grant.access()));
        named.put(MacPaths.canonical(profile.workspace()), profile.workspaceAccess());
        List<Grant> sorted = new ArrayList<>();
        named.forEach((path, access) -> sorted.add(new Grant(path, access)));
        sorted.sort(Comparator.comparingInt((Grant grant) -> MacPaths.depth(grant.path()))
                .thenComparing(Grant::access)
                .thenComparing(Grant::path));
        return new MacGrants(sorted, profile.reads());
    }

    /** The user's own temporary directory, where TMPDIR names one that macOS made. */
    private static Optional<String> userTmp(Host host) {
        String named = host.environment().getOrDefault("TMPDIR", "");
        String path = MacPaths.canonical(named.endsWith("/") ? named.substring(0, named.length() - 1) : named);
        return path.matches("/private/var/folders/[^/]+/[^/]+/T") ? Optional.of(path) : Optional.empty();
    }

    /** What the deepest grant says. */
    Optional<Access> access(String path) {
        return grants.stream()
                .filter(grant -> MacPaths.isWithin(path, grant.path()))
                .reduce((shallow, deep) -> deep)
                .map(Grant::access);
    }

    /** Whether a file can be read by a command. */
    boolean shows(Path file) {
        String path = MacPaths.canonical(file);
        return access(path).map(access -> access != Access.HIDE).orElse(reads == Reads.HOST || MacSystem.shows(path));
    }

    /**
     * The directories that must stay where they are, since rules go by path: the roots of what is writable, and what
     * leads from there to a restriction. Whoever could rename one would take what lies below out of its rule; whoever
     * could make one that is missing could move a tree with forged contents there.
     */
    NavigableSet<String> pinned() {
        NavigableSet<String> pinned = new TreeSet<>();
        for (Grant grant : grants) {
            if (grant.access() == Access.WRITE) {
                pinned.add(grant.path());
            } else {
                MacPaths.ancestors(grant.path()).stream()
                        .filter(above -> access(above).equals(Optional.of(Access.WRITE)))
                        .forEach(pinned::add);
            }
        }
        return pinned;
    }
}
