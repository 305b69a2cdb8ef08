package dev.stockade.api.internal;

import dev.stockade.api.LaunchException;
import dev.stockade.api.LaunchException.Fault;
import dev.stockade.api.LaunchException.Phase;
import dev.stockade.api.Profile;
import dev.stockade.api.spi.Host;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * A private directory for what a sandbox needs on disk: feeds, status, a canary, its temporary files. It lies outside
 * everything that a command may see, since a command that could write it could rewrite the next run's filter.
 */
final class Scratch implements AutoCloseable {

    private static final String PREFIX = "stockade-";
    private static final Set<Path> SWEPT = ConcurrentHashMap.newKeySet();
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Path directory;

    private Scratch(Path directory) {
        this.directory = directory;
    }

    /** Makes one, and sweeps what crashed processes of this user have left beside it. */
    static Scratch create(Profile profile, Host host) {
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
        byte[] unique = new byte[8];
        RANDOM.nextBytes(unique);
        Path directory = parent.resolve(PREFIX + ProcessHandle.current().pid() + "-" + birth(ProcessHandle.current())
                + "-" + HexFormat.of().formatHex(unique));
        makePrivate(directory);
        return new Scratch(directory);
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
        remove(directory);
    }

    /** Removes a tree without following a link; what cannot be removed stays for the next sweep. */
    static void remove(Path tree) {
        try {
            Files.walkFileTree(tree, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
                        throws IOException {
                    if (!Files.isWritable(directory) || !Files.isExecutable(directory)) {
                        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
                    }
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.deleteIfExists(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
                    if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
                        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
                        remove(file);
                    }
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(
                        Path directory, @org.jspecify.annotations.Nullable IOException e) throws IOException {
                    Files.deleteIfExists(directory);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            // Left for the next sweep.
        }
    }

    private static void sweep(Path parent, int uid) {
        try (DirectoryStream<Path> left = Files.newDirectoryStream(parent, PREFIX + "*")) {
            for (Path candidate : left) {
                if (isAbandoned(candidate, uid)) {
                    remove(candidate);
                }
            }
        } catch (IOException e) {
            // Sweeping is a courtesy; the directory of this start is made all the same.
        }
    }

    /** Whether the process that made it is gone; its pid may belong to another by now, so its birth counts too. */
    private static boolean isAbandoned(Path candidate, int uid) throws IOException {
        String[] parts = candidate.getFileName().toString().split("-", -1);
        if (parts.length != 4
                || !Files.isDirectory(candidate, LinkOption.NOFOLLOW_LINKS)
                || !Files.getAttribute(candidate, "unix:uid", LinkOption.NOFOLLOW_LINKS)
                        .equals(uid)) {
            return false;
        }
        try {
            return ProcessHandle.of(Long.parseLong(parts[1]))
                    .map(process -> !birth(process).equals(parts[2]))
                    .orElse(true);
        } catch (NumberFormatException e) {
            return false;
        }
    }

    private static String birth(ProcessHandle process) {
        return process.info()
                .startInstant()
                .map(at -> Long.toString(at.toEpochMilli()))
                .orElse("0");
    }
}
