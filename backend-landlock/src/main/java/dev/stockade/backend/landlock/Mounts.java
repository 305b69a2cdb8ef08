package dev.stockade.backend.landlock;

import dev.stockade.api.Profile;
import dev.stockade.api.Profile.Access;
import dev.stockade.api.Profile.Grant;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * How root's command sees the files: everything read-only, then what is writable put back over it, then the holes. So
 * uid 0, which owns the system's files, cannot change their mode either, which Landlock does not govern.
 *
 * @param places what is put where, a parent before what lies below it
 */
record Mounts(List<Place> places) {

    /**
     * One tree.
     *
     * @param source what is shown
     * @param target where
     * @param readOnly whether it cannot be written there
     */
    record Place(Path source, Path target, boolean readOnly) {}

    /** Directories of the sandbox's own: for temporary files, for shared memory, and an empty one. */
    record Own(Path tmp, Path shm, Path empty) {}

    static Mounts of(Profile profile, FileSystem files, Own own) {
        List<Place> places = new ArrayList<>();
        Set<Path> writable = writable(profile, files);
        if (profile.tmp() == Profile.Tmp.PRIVATE) {
            places.add(new Place(own.tmp(), tmp(profile, files, own), false));
            places.add(new Place(own.shm(), files.getPath("/dev/shm"), false));
        }
        writable.forEach(path -> places.add(new Place(path, path, false)));
        List<Grant> carveOuts = carveOuts(profile, files);
        pins(carveOuts, writable).forEach(path -> places.add(new Place(path, path, false)));
        for (Grant grant : carveOuts) {
            Path source = grant.path();
            if (grant.access() == Access.HIDE) {
                source =
                        Files.isDirectory(source, LinkOption.NOFOLLOW_LINKS) ? own.empty() : files.getPath("/dev/null");
            }
            places.add(new Place(source, grant.path(), true));
        }
        places.removeIf(place -> !Files.exists(place.target(), LinkOption.NOFOLLOW_LINKS));
        places.sort(
                (a, b) -> Integer.compare(a.target().getNameCount(), b.target().getNameCount()));
        return new Mounts(List.copyOf(places));
    }

    /**
     * Where the private directory for temporary files is shown: in place of /tmp, unless the profile names something
     * below that. Landlock's rules reach through mounts: what is mounted below the private directory could be used as
     * that can.
     */
    static Path tmp(Profile profile, FileSystem files, Own own) {
        Path shared = files.getPath("/tmp");
        boolean named = profile.workspace().startsWith(shared)
                || profile.grants().stream().anyMatch(grant -> grant.path().startsWith(shared));
        return named ? own.tmp() : shared;
    }

    /** The restrictions inside writable trees, which rules alone cannot hold. */
    static List<Grant> carveOuts(Profile profile, FileSystem files) {
        Set<Path> writable = writable(profile, files);
        return profile.grants().stream()
                .filter(grant -> grant.access() != Access.WRITE && isBelow(grant.path(), writable))
                .toList();
    }

    /**
     * The directories on the way down to a carve-out, put on themselves: a mount point cannot be renamed, so nor can
     * what is in it. Else its parent could be moved away, and another one made in its place.
     */
    private static Set<Path> pins(List<Grant> carveOuts, Set<Path> writable) {
        Set<Path> pins = new TreeSet<>();
        for (Grant carved : carveOuts) {
            for (Path at = carved.path().getParent(); at != null && isBelow(at, writable); at = at.getParent()) {
                Path pin = at;
                if (carveOuts.stream().noneMatch(other -> pin.startsWith(other.path()))) {
                    pins.add(pin);
                }
            }
        }
        pins.removeAll(writable);
        return pins;
    }

    private static Set<Path> writable(Profile profile, FileSystem files) {
        Set<Path> writable = new TreeSet<>();
        if (profile.workspaceAccess() == Access.WRITE) {
            writable.add(profile.workspace());
        }
        for (Grant grant : profile.grants()) {
            if (grant.access() == Access.WRITE) {
                writable.add(grant.path());
            }
        }
        if (profile.tmp() == Profile.Tmp.SHARED) {
            for (String shared : List.of("/tmp", "/dev/shm")) {
                writable.add(files.getPath(shared));
            }
        }
        return writable;
    }

    private static boolean isBelow(Path path, Iterable<Path> trees) {
        for (Path tree : trees) {
            if (path.startsWith(tree)) {
                return true;
            }
        }
        return false;
    }
}
