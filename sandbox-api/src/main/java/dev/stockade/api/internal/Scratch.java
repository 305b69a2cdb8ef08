package dev.stockade.api.internal;

import dev.stockade.api.LaunchException;
import dev.stockade.api.LaunchException.Fault;
import dev.stockade.api.LaunchException.Phase;
import dev.stockade.api.Profile;
import dev.stockade.api.spi.Host;
import java.io.IOException;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * A private directory for what a sandbox needs on disk: feeds, status, a canary, its temporary files. It lies outside
 * everything that a command may see, since a command that could write it could rewrite the next run's filter.
 */
final class Scratch implements AutoCloseable {

    private static final String PREFIX = "stockade-";

    /** By pid and birth, so that no two processes share it, and no two copies of this library in one do not. */
    private static final String OWN = PREFIX + ProcessHandle.current().pid() + "-"
            + ProcessHandle.current()
                    .info()
                    .startInstant()
                    .map(Instant::toEpochMilli)
                    .orElse(0L)
            + "-";

    private static final Set<Path> SWEPT = ConcurrentHashMap.newKeySet();

    private final Path directory;
    private final Alive alive;

    private Scratch(Path directory, Alive alive) {
        this.directory = directory;
        this.alive = alive;
    }

    /** Makes one. */
    static Scratch create(Profile profile, Host host) {
        return in(parent(profile, host));
    }

    /** Makes one in a parent that was chosen before. */
    static Scratch in(Path parent) {
        while (true) {
            Path directory = place(parent);
            makePrivate(directory);
            Optional<Alive> alive = sign(directory);
            if (alive.isPresent()) {
                return new Scratch(directory, alive.get());
            }
        }
    }

    /** Where one may lie; sweeps what crashed processes of this user have left there. */
    static Path parent(Profile profile, Host host) {
        Path parent = parents(host)
                .filter(candidate -> isOutside(candidate, profile))
                .findFirst()
                .orElseThrow(
                        () -> new LaunchException(
                                Phase.PREPARE,
                                Fault.PROFILE,
                                "no directory is left for private files: the profile opens the user's run-time directory, /tmp"
                                        + " and /var/tmp alike. Grant less, or set XDG_RUNTIME_DIR to a directory of your own"));
        if (SWEPT.add(parent)) {
            sweep(parent, host.uid());
        }
        return parent;
    }

    /** A name that nobody else has, and that nobody can guess who would like to have it first. */
    static Path place(Path parent) {
        return parent.resolve(OWN + Unguessable.word());
    }

    private static Optional<Alive> sign(Path directory) {
        try {
            return Alive.in(directory);
        } catch (IOException e) {
            Removal.of(directory);
            throw new LaunchException(
                    Phase.PREPARE, Fault.HOST, "cannot write a private file in " + directory + ": " + e, e);
        }
    }

    private static Stream<Path> parents(Host host) {
        String runtime = host.environment().getOrDefault("XDG_RUNTIME_DIR", "");
        Stream<Path> own = runtime.startsWith("/") ? Stream.of(Path.of(runtime)) : Stream.empty();
        Stream<Path> root = host.uid() == 0 ? Stream.of(Path.of("/run")) : Stream.empty();
        return Stream.concat(Stream.concat(own, root), Stream.of(Path.of("/tmp"), Path.of("/var/tmp")))
                .filter(candidate -> Files.isDirectory(candidate) && Files.isWritable(candidate))
                .map(Scratch::real);
    }

    /** Profiles name real paths, and on macOS /tmp and /var are links. */
    private static Path real(Path directory) {
        try {
            return directory.toRealPath();
        } catch (IOException e) {
            return directory;
        }
    }

    private static boolean isOutside(Path candidate, Profile profile) {
        boolean sharesTmp = profile.tmp() == Profile.Tmp.SHARED && candidate.startsWith(real(Path.of("/tmp")));
        return !sharesTmp
                && !candidate.startsWith(profile.workspace())
                && profile.grants().stream()
                        .noneMatch(
                                grant -> grant.access() != Profile.Access.HIDE && candidate.startsWith(grant.path()));
    }

    private static void makePrivate(Path directory) {
        try {
            Files.createDirectory(
                    directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } catch (IOException e) {
            throw new LaunchException(
                    Phase.PREPARE, Fault.HOST, "cannot make a private directory at " + directory + ": " + e, e);
        }
    }

    Path directory() {
        return directory;
    }

    /** Makes a private directory below this one. */
    Path directory(String name) {
        Path below = directory.resolve(name);
        makePrivate(below);
        return below;
    }

    /** Makes a private file below a directory of this scratch. */
    static Path file(Path in, String name, byte[] bytes) {
        Path file = in.resolve(name);
        try {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            return Files.write(file, bytes);
        } catch (IOException e) {
            throw new LaunchException(
                    Phase.PREPARE, Fault.HOST, "cannot write a private file at " + file + ": " + e, e);
        }
    }

    /** Removes it. Nothing that a confined command left below its temporary directory leads the removal astray. */
    @Override
    public void close() {
        Removal.of(directory);
        alive.close();
    }

    /** Removes what processes of this user that are gone have left. */
    static void sweep(Path parent, int uid) {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(parent)) {
            for (Path candidate : entries) {
                String name = candidate.getFileName().toString();
                if (name.startsWith(PREFIX) && !name.startsWith(OWN) && !Alive.isYoung(name)) {
                    sweepOne(candidate, uid);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            // Sweeping is a courtesy; the directory of this start is made all the same.
        }
    }

    private static void sweepOne(Path candidate, int uid) {
        try {
            if (Files.isDirectory(candidate, LinkOption.NOFOLLOW_LINKS)
                    && Files.getAttribute(candidate, "unix:uid", LinkOption.NOFOLLOW_LINKS)
                            .equals(uid)) {
                Alive.ifAbandoned(candidate, () -> Removal.of(candidate));
            }
        } catch (IOException | OverlappingFileLockException e) {
            // Gone in the meantime, or it cannot be told: left alone.
        }
    }
}
