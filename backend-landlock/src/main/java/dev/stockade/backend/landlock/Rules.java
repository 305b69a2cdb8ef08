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
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A profile as Landlock has it: what is allowed below which path. Rules only add, so a tree with a hole is granted by
 * all that lies in it beside the hole; it can then not be listed itself, and what is put into it later is not seen.
 *
 * @param allowed rights by path; for a file, those that files have
 * @param opened directories that were granted by their entries, with the time they last changed
 * @param handledPorts the rights over ports that nothing is granted of
 */
record Rules(Map<Path, Long> allowed, Map<Path, FileTime> opened, long handledPorts) {

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
    static Rules of(Profile profile, LandlockAbi abi, FileSystem files, Optional<Path> tmp) {
        return new Work(profile, abi, files).rules(tmp);
    }

    /** The same, and one more writable directory. */
    Rules with(Path directory, LandlockAbi abi) {
        Map<Path, Long> more = new TreeMap<>(allowed);
        more.put(directory, WRITE & abi.files());
        return new Rules(Map.copyOf(more), opened, handledPorts);
    }

    /** The same with every port, for a network in which nobody else is. */
    Rules withPorts() {
        return new Rules(allowed, opened, 0);
    }

    /** Whether a directory that was granted by its entries has other ones now. */
    boolean stale() {
        return opened.entrySet().stream().anyMatch(entry -> !entry.getValue().equals(changed(entry.getKey())));
    }

    /** Whether a path can be read and executed. */
    boolean shows(Path path) {
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
        private final Set<Path> holes = new TreeSet<>();
        private final Map<Path, Long> allowed = new TreeMap<>();
        private final Map<Path, FileTime> opened = new TreeMap<>();

        Work(Profile profile, LandlockAbi abi, FileSystem files) {
            this.profile = profile;
            this.abi = abi;
            this.files = files;
            holes.addAll(EtcSecrets.under(files.getPath("/etc")));
            for (Grant grant : profile.grants()) {
                if (grant.access() == Access.HIDE) {
                    holes.add(grant.path());
                }
            }
        }

        Rules rules(Optional<Path> tmp) {
            if (profile.reads() == Profile.Reads.HOST) {
                for (String never : List.of("/dev", "/tmp", "/var/tmp")) {
                    holes.add(files.getPath(never));
                }
                grant(files.getPath("/"), READ);
            } else {
                SYSTEM.forEach(name -> grant(files.getPath(name), READ));
                // Often a link to where a daemon keeps it.
                real(files.getPath("/etc/resolv.conf")).ifPresent(file -> grant(file, READ));
            }
            DEVICES.forEach(name -> allow(files.getPath("/dev", name), DEVICE));
            if (profile.tmp() == Profile.Tmp.SHARED) {
                grant(files.getPath("/tmp"), WRITE);
                grant(files.getPath("/dev/shm"), WRITE);
            }
            tmp.ifPresent(directory -> allow(directory, WRITE));
            grant(profile.workspace(), rights(profile.workspaceAccess()));
            for (Grant grant : profile.grants()) {
                if (grant.access() != Access.HIDE) {
                    grant(grant.path(), rights(grant.access()));
                }
            }
            long ports = profile.network() == Network.ON ? 0 : abi.ports();
            return new Rules(Map.copyOf(allowed), Map.copyOf(opened), ports);
        }

        private static long rights(Access access) {
            return access == Access.WRITE ? WRITE : READ;
        }

        /** Grants a tree but for its holes. A writable tree has none here: they are made by mounts. */
        private void grant(Path path, long rights) {
            if (rights != WRITE && holes.contains(path)) {
                return;
            }
            boolean hasHoles = rights != WRITE && holes.stream().anyMatch(hole -> hole.startsWith(path));
            if (!hasHoles) {
                allow(path, rights);
            } else if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
                opened.put(path, changed(path));
                try (DirectoryStream<Path> entries = Files.newDirectoryStream(path)) {
                    for (Path entry : entries) {
                        if (!Files.isSymbolicLink(entry)) {
                            grant(entry, rights);
                        }
                    }
                } catch (IOException e) {
                    // Whoever cannot list it does not learn what is beside the hole: nothing of it is granted.
                }
            }
        }

        private void allow(Path path, long rights) {
            if (!Files.exists(path)) {
                return;
            }
            Path real = real(path).orElse(path);
            long possible = rights & abi.files() & (Files.isDirectory(real) ? -1 : LandlockAbi.OF_FILES);
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
