package dev.stockade.api.internal;

import dev.stockade.api.Capabilities;
import dev.stockade.api.Command;
import dev.stockade.api.LaunchException;
import dev.stockade.api.LaunchException.Fault;
import dev.stockade.api.LaunchException.Phase;
import dev.stockade.api.Reach;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The caller's own streams that a command would inherit, and that lead out of every sandbox: from a directory one walks
 * on to its neighbours (openat(2)), and a socket belongs to the network that it was made in, wherever it is used. One
 * of UDP sends to any address, and one of TCP can be connected anew (connect(2), AF_UNSPEC). A Unix stream that is
 * connected cannot: it is as good as a pipe. One that is not yet can be connected to any server, and one that listens
 * takes descriptors from whoever comes.
 */
public final class InheritedStreams {

    private static final List<String> NAMES = List.of("standard input", "standard output", "standard error");
    private static final String SOCKET = "socket:[";
    private static final Reach[] NETWORK = {Reach.SEND_OFF_MACHINE, Reach.HOST_LOOPBACK, Reach.HOST_UNIX_SOCKETS};

    // Columns of /proc/net/unix; SOCK_STREAM and SOCK_SEQPACKET; SS_CONNECTED of linux/net.h, which no listener is
    private static final int TYPE = 4;
    private static final int STATE = 5;
    private static final int INODE = 6;
    private static final List<String> STREAMS = List.of("0001", "0005");
    private static final String CONNECTED = "03";

    private final Path descriptors;
    private final Path unixSockets;

    /** Those of this process: proc_pid_fd(5), proc_pid_net(5). */
    public InheritedStreams() {
        this(Path.of("/proc/self/fd"), Path.of("/proc/self/net/unix"));
    }

    InheritedStreams(Path descriptors, Path unixSockets) {
        this.descriptors = descriptors;
        this.unixSockets = unixSockets;
    }

    /** Throws where one leads to what the capabilities say is closed. */
    public void require(Command command, Capabilities capabilities) {
        List<Redirect> streams = List.of(command.stdin(), command.stdout(), command.stderr());
        for (int fd = 0; fd < streams.size(); fd++) {
            if (streams.get(fd).equals(Redirect.INHERIT)) {
                Optional<String> way = wayOut(fd, capabilities);
                if (way.isPresent()) {
                    throw new LaunchException(
                            Phase.PREPARE,
                            Fault.COMMAND,
                            NAMES.get(fd) + " is " + way.get() + ": connect it to a file, a pipe or /dev/null");
                }
            }
        }
    }

    private Optional<String> wayOut(int fd, Capabilities capabilities) {
        Path descriptor = descriptors.resolve(Integer.toString(fd));
        if (Files.isDirectory(descriptor)) {
            return opens(capabilities, Reach.values())
                    ? Optional.empty()
                    : Optional.of("a directory, from which the command could walk out of its sandbox");
        }
        String behind = behind(descriptor);
        if (!behind.startsWith(SOCKET)) {
            return Optional.empty();
        }
        return opens(capabilities, NETWORK)
                        || isConnectedUnixStream(behind.substring(SOCKET.length(), behind.length() - 1))
                ? Optional.empty()
                : Optional.of("a socket, through which the command could send to addresses that are closed to it");
    }

    private static boolean opens(Capabilities capabilities, Reach... all) {
        return Stream.of(all).allMatch(capabilities::can);
    }

    private static String behind(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException | UnsupportedOperationException e) {
            return ""; // It is closed, or this system does not tell.
        }
    }

    /** A socket of another network is not in the list, and counts as none of these. */
    private boolean isConnectedUnixStream(String inode) {
        try (Stream<String> sockets = Files.lines(unixSockets, StandardCharsets.ISO_8859_1)) {
            return sockets.map(line -> line.strip().split(" +"))
                    .anyMatch(fields -> fields.length > INODE
                            && fields[INODE].equals(inode)
                            && STREAMS.contains(fields[TYPE])
                            && fields[STATE].equals(CONNECTED));
        } catch (IOException e) {
            return false;
        }
    }
}
