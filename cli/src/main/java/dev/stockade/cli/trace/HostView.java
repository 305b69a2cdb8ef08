package dev.stockade.cli.trace;

import dev.stockade.api.Network;
import dev.stockade.api.Profile;
import dev.stockade.api.Profile.Access;
import dev.stockade.cli.trace.Target.Address;
import dev.stockade.cli.trace.Target.Family;
import dev.stockade.cli.trace.Target.File;
import dev.stockade.cli.trace.Target.Name;
import dev.stockade.cli.trace.Target.UnixSocket;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Tells what failed because of the sandbox: a confined command gets the same errors that anybody gets, so what it was
 * told is compared with what this unconfined process finds. Looks, and touches nothing.
 *
 * @param profile what the command may touch
 */
public record HostView(Profile profile) {

    private static final List<String> NOT_SHOWN = List.of("ENOENT", "ENOTDIR", "EACCES", "EPERM");
    private static final List<String> NOT_WRITABLE = List.of("EROFS", "EACCES", "EPERM");

    /** The state of a listening socket: TCP_LISTEN in net/tcp_states.h. */
    private static final String LISTENS = "0A";

    boolean refuses(Attempt attempt) {
        return switch (attempt.target()) {
            case File file -> !isOwn(file.path()) && refuses(attempt, file.path());
            case UnixSocket socket -> NOT_SHOWN.contains(attempt.error()) && Files.exists(socket.path());
            case Address address -> profile.network() != Network.ON && refuses(address, attempt.error());
            case Name ignored -> profile.network() != Network.ON;
            case Family family -> refuses(family.family(), attempt.error());
        };
    }

    /** Inside there is another one, whatever stands there on the host. */
    private static boolean isOwn(Path path) {
        return path.startsWith("/proc");
    }

    private boolean refuses(Attempt attempt, Path path) {
        String error = attempt.error();
        if (attempt.operation() == Operation.WRITE) {
            boolean unwritable = NOT_WRITABLE.contains(error) && isWritable(path, attempt.creates());
            boolean unseen = error.equals("ENOENT") && !isGranted(path) && isWritable(path, attempt.creates());
            return unwritable || unseen;
        }
        boolean executes = attempt.operation() == Operation.EXECUTE;
        boolean worksOutside = executes
                ? Files.isExecutable(path) && !Files.isDirectory(path)
                : isHere(path) && (error.equals("ENOENT") || isReadable(path));
        // What the command itself has made by now was not there when it looked.
        return NOT_SHOWN.contains(error) && worksOutside && (!isGranted(path) || !isGranted(missing(path, executes)));
    }

    private boolean isGranted(Path path) {
        return profile.accessTo(path).filter(access -> access != Access.HIDE).isPresent();
    }

    private static boolean isHere(Path path) {
        return Files.exists(path, LinkOption.NOFOLLOW_LINKS);
    }

    /** A dangling link can be read as a link. */
    private static boolean isReadable(Path path) {
        return Files.isReadable(path) || Files.isSymbolicLink(path);
    }

    private static boolean isWritable(Path path, boolean creates) {
        if (Files.exists(path)) {
            return Files.isWritable(path);
        }
        Path parent = path.getParent();
        return creates && parent != null && Files.isDirectory(parent) && Files.isWritable(parent);
    }

    private static boolean refuses(Address address, String error) {
        return switch (error) {
            case "ECONNREFUSED" -> address.isLoopback() && isListenedOn(address.port());
            case "ENETUNREACH", "EHOSTUNREACH", "EADDRNOTAVAIL", "EACCES", "EPERM" ->
                // connect(2) on a datagram socket without a port: only to learn which way it would go.
                address.port() != 0;
            default -> false;
        };
    }

    private boolean refuses(String family, String error) {
        boolean denied = List.of("EACCES", "EPERM", "EAFNOSUPPORT").contains(error);
        return switch (family) {
            case "AF_INET", "AF_INET6" -> denied && profile.network() != Network.ON;
            case "AF_UNIX" -> denied && profile.network() == Network.OFF;
            default -> denied;
        };
    }

    /** proc_net_tcp: the local address and its port in hexadecimal, the other end, the state. */
    private static boolean isListenedOn(int port) {
        String wanted = String.format(Locale.ROOT, ":%04X", port);
        return Stream.of("/proc/net/tcp", "/proc/net/tcp6").anyMatch(table -> {
            try (Stream<String> lines = Files.lines(Path.of(table), StandardCharsets.US_ASCII)) {
                return lines.map(line -> line.strip().split("\\s+", -1))
                        .anyMatch(row -> row.length > 3 && row[1].endsWith(wanted) && row[3].equals(LISTENS));
            } catch (IOException e) {
                return false;
            }
        });
    }

    /**
     * What is missing for a path to be read or executed: itself, or, where it is shown, what it leads to or is
     * interpreted by.
     */
    Path missing(Path path, boolean executes) {
        if (!isGranted(path) && !isSystem(path)) {
            return path;
        }
        Path real = real(path).orElse(path);
        if (!isGranted(real) && !isSystem(real)) {
            return real;
        }
        return executes
                ? interpreter(real)
                        .filter(program -> !isGranted(program) && !isSystem(program))
                        .orElse(path)
                : path;
    }

    /** Whether a directory is one of its own, not one that the workspace lies in. */
    boolean mayWiden(Path around) {
        return !profile.workspace().startsWith(around) && around.getNameCount() > 1;
    }

    private static boolean isSystem(Path path) {
        return Stream.of("/usr", "/etc", "/opt", "/bin", "/sbin", "/lib", "/lib64")
                .anyMatch(path::startsWith);
    }

    static Optional<Path> real(Path path) {
        try {
            return Optional.of(path.toRealPath());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** execve(2): {@code #!}, spaces, the interpreter. */
    private static Optional<Path> interpreter(Path script) {
        try (var in = Files.newInputStream(script)) {
            String start = new String(in.readNBytes(256), StandardCharsets.ISO_8859_1);
            String line = start.lines().findFirst().orElse("");
            if (!line.startsWith("#!")) {
                return Optional.empty();
            }
            String program = line.substring(2).strip().split("\\s+", 2)[0];
            return program.startsWith("/") ? Optional.of(Path.of(program)) : Optional.empty();
        } catch (IOException | InvalidPathException e) {
            return Optional.empty();
        }
    }
}
