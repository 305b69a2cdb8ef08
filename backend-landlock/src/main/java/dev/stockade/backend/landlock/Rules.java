package dev.stockade.backend.landlock;

import dev.stockade.api.Network;
import dev.stockade.api.Profile;
import dev.stockade.api.Profile.Access;
import dev.stockade.api.Profile.Grant;
import dev.stockade.linux.host.EtcSecrets;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A profile as Landlock has it: what is allowed below which path. Rules only add, so a tree with a hole is granted by
 * all that lies in it beside the hole; it can then not be listed itself, and what is put into it later is not seen.
 *
 * @param allowed rights by path; for a file, those that files have
 * @param opened directories that were granted by their entries, with the time they last changed
 * @param handledFiles the rights over files that are denied where they are not allowed
 * @param handledPorts the rights over ports that nothing is granted of
 */
record Rules(Map<Path, Long> allowed, Map<Path, FileTime> opened, long handledFiles, long handledPorts) {

    private static final List<String> SYSTEM = List.of(
            "/usr",
            "/bin",
            "/sbin",
            "/lib",
            "/lib32",
            "/lib64",
            "/libx32",
            "/etc",
            "/opt",
            "/nix/store",
            "/gnu/store",
            "/run/current-system",
            "/proc",
            "/sys");

    /**
     * Harmless, and that is all of them: raw disks lie in /dev, and /dev/pts holds the user's other terminals.
     * /dev/tty is the caller's own, where there is one.
     */
    private static final List<String> DEVICES = List.of("null", "zero", "full", "random", "urandom", "tty");

    private static final long READ = LandlockAbi.EXECUTE | LandlockAbi.READ_FILE | LandlockAbi.READ_DIR;
    private static final long DEVICE = LandlockAbi.READ_FILE | LandlockAbi.WRITE_FILE | LandlockAbi.IOCTL_DEV;

    /** No device nodes (root could make one of a disk), no ioctl of devices, no Unix sockets of host programs. */
    private static final long WRITE =
            ~(LandlockAbi.MAKE_CHAR | LandlockAbi.MAKE_BLOCK | LandlockAbi.IOCTL_DEV | LandlockAbi.RESOLVE_UNIX);

    /** Plans what a profile allows; reads the directories that have holes. */
    static Rules of(Profile profile, LandlockAbi abi, FileSystem files) {
        return of(profile, abi, files, sockets(profile));
    }

    /**
     * The same, once more.
     *
     * @param sockets those that were granted when the sandbox was opened: a command could put one in the place of a file
     */
    static Rules of(Profile profile, LandlockAbi abi, FileSystem files, Set<Path> sockets) {
        return new Work(profile, abi, files, sockets).rules();
    }

    /** The Unix sockets that a profile grants by name: to write one is to connect to it. A tree grants none in it. */
    static Set<Path> sockets(Profile profile) {
        return profile.grants().stream()
                .filter(grant -> grant.access() == Access.WRITE && isSocket(grant.path()))
                .map(Grant::path)
                .collect(Collectors.toUnmodifiableSet());
    }

    /** inode(7) */
    private static boolean isSocket(Path path) {
        try {
            return ((Integer) Files.getAttribute(path, "unix:mode") & 0170000) == 0140000;
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            return false;
        }
    }

    /** The same, and one more writable directory. */
    Rules with(Path directory, LandlockAbi abi) {
        Map<Path, Long> more = new HashMap<>(allowed);
        more.put(directory, WRITE & abi.files());
        return new Rules(Collections.unmodifiableMap(more), opened, handledFiles, handledPorts);
    }

    /**
     * The same for a process that lives long: where the profile lets everything be read, reading is left alone. Rules
     * bind to the files that are there, and {@code /etc/resolv.conf} is replaced while a service runs.
     */
    Rules forThisJvm(Profile profile) {
        boolean readsAll = profile.reads() == Profile.Reads.HOST
                && profile.grants().stream().noneMatch(grant -> grant.access() == Access.HIDE);
        if (!readsAll) {
            return this;
        }
        Map<Path, Long> writes = new HashMap<>();
        allowed.forEach((path, rights) -> {
            if ((rights & ~READ) != 0) {
                writes.put(path, rights & ~READ);
            }
        });
        return new Rules(Collections.unmodifiableMap(writes), Map.of(), handledFiles & ~READ, handledPorts);
    }

    /** Whether reading is among what is denied. */
    boolean deniesReading() {
        return (handledFiles & LandlockAbi.READ_FILE) != 0;
    }

    /** The same with every port, for a network in which nobody else is. */
    Rules withPorts() {
        return new Rules(allowed, opened, handledFiles, 0);
    }

    /** Whether a directory that was granted by its entries has other ones now. */
    boolean stale() {
        return opened.entrySet().stream().anyMatch(entry -> !entry.getValue().equals(changed(entry.getKey())));
    }

    /** Whether a path can be read and executed. */
    boolean shows(Path path) {
        if (!deniesReading()) {
            return true;
        }
        for (Path at = path; at != null; at = at.getParent()) {
            if ((allowed.getOrDefault(at, 0L) & LandlockAbi.EXECUTE) != 0) {
                return true;
            }
        }
        return false;
    }

    private static FileTime changed(Path directory) {
        try {
            return Files.getLastModifiedTime(directory, LinkOption.NOFOLLOW_LINKS);
        } catch (IOException e) {
            return FileTime.fromMillis(0);
        }
    }

    private static final class Work {

        private final Profile profile;
        private final LandlockAbi abi;
        private final FileSystem files;
        private final Set<Path> sockets;
        private final Set<Path> holes = new HashSet<>();
        private final Set<Path> aboveHoles = new HashSet<>();
        private final Map<Path, Long> allowed = new HashMap<>();
        private final Map<Path, FileTime> opened = new HashMap<>();

        Work(Profile profile, LandlockAbi abi, FileSystem files, Set<Path> sockets) {
            this.profile = profile;
            this.abi = abi;
            this.files = files;
            this.sockets = sockets;
            holes.addAll(EtcSecrets.under(files.getPath("/etc")));
            for (Grant grant : profile.grants()) {
                if (grant.access() == Access.HIDE) {
                    holes.add(grant.path());
                }
            }
        }

        Rules rules() {
            if (profile.reads() == Profile.Reads.HOST) {
                for (String never : List.of("/dev", "/tmp", "/var/tmp")) {
                    holes.add(files.getPath(never));
                }
                lookAboveHoles();
                grant(files.getPath("/"), READ);
            } else {
                lookAboveHoles();
                SYSTEM.forEach(name -> grant(files.getPath(name), READ));
                // Often a link to where a daemon keeps it.
                real(files.getPath("/etc/resolv.conf")).ifPresent(file -> grant(file, READ));
            }
            DEVICES.forEach(name -> allow(files.getPath("/dev", name), DEVICE));
            if (profile.tmp() == Profile.Tmp.SHARED) {
                grant(files.getPath("/tmp"), WRITE);
                grant(files.getPath("/dev/shm"), WRITE);
            }
            grant(profile.workspace(), rights(profile.workspaceAccess()));
            for (Grant grant : profile.grants()) {
                if (grant.access() != Access.HIDE) {
                    grant(grant.path(), rights(grant.access()));
                }
            }
            long ports = profile.network() == Network.ON ? 0 : abi.ports();
            return new Rules(
                    Collections.unmodifiableMap(allowed), Collections.unmodifiableMap(opened), abi.files(), ports);
        }

        private void lookAboveHoles() {
            for (Path hole : holes) {
                for (Path above = hole.getParent(); above != null; above = above.getParent()) {
                    aboveHoles.add(above);
                }
            }
        }

        private static long rights(Access access) {
            return access == Access.WRITE ? WRITE : READ;
        }

        /** Grants a tree but for its holes. A writable tree has none here: they are made by mounts. */
        private void grant(Path path, long rights) {
            if (rights == WRITE || !(holes.contains(path) || aboveHoles.contains(path))) {
                allow(path, rights);
            } else if (aboveHoles.contains(path)
                    && !holes.contains(path)
                    && Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
                opened.put(path, changed(path));
                Path real = real(path).orElse(path);
                try (DirectoryStream<Path> entries = Files.newDirectoryStream(path)) {
                    for (Path entry : entries) {
                        grantEntry(entry, real.resolve(entry.getFileName()), rights);
                    }
                } catch (IOException e) {
                    // Whoever cannot list it does not learn what is beside the hole: nothing of it is granted.
                }
            }
        }

        private void grantEntry(Path entry, Path real, long rights) {
            if (holes.contains(entry) || aboveHoles.contains(entry)) {
                grant(entry, rights);
                return;
            }
            try {
                BasicFileAttributes found =
                        Files.readAttributes(entry, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
                if (!found.isSymbolicLink()) {
                    allow(real, rights, found.isDirectory());
                }
            } catch (IOException e) {
                // Gone in the meantime.
            }
        }

        private void allow(Path path, long rights) {
            if (Files.exists(path)) {
                Path real = real(path).orElse(path);
                allow(real, rights, Files.isDirectory(real));
            }
        }

        private void allow(Path real, long rights, boolean isDirectory) {
            long wanted = sockets.contains(real) ? rights | LandlockAbi.RESOLVE_UNIX : rights;
            long possible = wanted & abi.files() & (isDirectory ? -1 : LandlockAbi.OF_FILES);
            allowed.merge(real, possible, (a, b) -> a | b);
        }

        private static Optional<Path> real(Path path) {
            try {
                return Optional.of(path.toRealPath());
            } catch (IOException e) {
                return Optional.empty();
            }
        }
    }
}
