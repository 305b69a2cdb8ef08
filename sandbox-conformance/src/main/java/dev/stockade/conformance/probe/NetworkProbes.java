package dev.stockade.conformance.probe;

import static dev.stockade.api.Reach.HOST_LOOPBACK;
import static dev.stockade.api.Reach.HOST_UNIX_SOCKETS;
import static dev.stockade.api.Reach.SEND_OFF_MACHINE;

import dev.stockade.api.Reach;
import java.util.List;

/** Ways to the network, and to servers of this host. The listeners' word counts, where there are any. */
final class NetworkProbes {

    private static final String BASH = "command -v bash >/dev/null || exit 127\n";

    // A ring's sockets pass no filter on socket(2). IORING_OP_SOCKET, since Linux 5.19; io_uring_setup(2) has the
    // layout.
    private static final String RING = """
            import mmap
            c, setup = libc(), ctypes.create_string_buffer(120)
            ring = checked(c.syscall(425, 4, setup))
            entries, completions = struct.unpack_from('II', setup)
            tail, array = struct.unpack_from('I', setup, 44)[0], struct.unpack_from('I', setup, 64)[0]
            done = struct.unpack_from('I', setup, 100)[0]
            queue = mmap.mmap(ring, array + 4 * entries)
            answers = mmap.mmap(ring, done + 16 * completions, offset=0x8000000)
            requests = mmap.mmap(ring, 64 * entries, offset=0x10000000)
            struct.pack_into('BBHiQ', requests, 0, 45, 0, 0, 40, 1)
            struct.pack_into('I', queue, array, 0)
            struct.pack_into('I', queue, tail, 1)
            checked(c.syscall(426, ring, 1, 1, 1, None, 0))
            made = struct.unpack_from('Qi', answers, done)[1]
            if made < 0: raise OSError(-made, os.strerror(-made))""";

    private NetworkProbes() {}

    static List<Probe> all() {
        return List.of(
                heard("loopback.tcp4", HOST_LOOPBACK, tcp("'127.0.0.1'", "BAIT_TCP4")),
                heard("loopback.tcp6", HOST_LOOPBACK, tcp("'::1'", "BAIT_TCP6")),
                heard("loopback.udp4", HOST_LOOPBACK, udp("AF_INET", "'127.0.0.1'", "BAIT_UDP4")),
                heard("loopback.udp6", HOST_LOOPBACK, udp("AF_INET6", "'::1'", "BAIT_UDP6")),
                heard("loopback.mptcp", HOST_LOOPBACK, """
                        s = socket.socket(socket.AF_INET, socket.SOCK_STREAM, 262)
                        s.settimeout(2)
                        s.connect(('127.0.0.1', int(E['BAIT_TCP4'])))
                        s.sendall(b'ID\\n'); s.recv(9)""").unless("the kernel may lack MPTCP"),
                heard("loopback.raw", HOST_LOOPBACK, """
                        s = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_UDP)
                        port = int(E['BAIT_UDP4'])
                        s.sendto(struct.pack('!HHHH', 9, port, 8 + 2 + len('ID'), 0) + b'ID\\n\\n', ('127.0.0.1', 0))""").unless("only root may open raw sockets"),
                bash("loopback.tcp4-bash", HOST_LOOPBACK, "tcp/127.0.0.1/$BAIT_TCP4"),
                bash("loopback.udp4-bash", HOST_LOOPBACK, "udp/127.0.0.1/$BAIT_UDP4"),
                heard("network.tcp", SEND_OFF_MACHINE, tcp("E['BAIT_OUT']", "BAIT_OUT_TCP")),
                heard("network.udp", SEND_OFF_MACHINE, udp("AF_INET", "E['BAIT_OUT']", "BAIT_OUT_UDP")),
                bash("network.tcp-bash", SEND_OFF_MACHINE, "tcp/$BAIT_OUT/$BAIT_OUT_TCP"),
                bash("network.udp-bash", SEND_OFF_MACHINE, "udp/$BAIT_OUT/$BAIT_OUT_UDP"),
                Probe.python("network.packet", SEND_OFF_MACHINE, """
                        s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)
                        s.bind((E['BAIT_INTERFACE'], 0))
                        require(s.getsockname()[4].hex() == E['BAIT_MAC'], 'another interface of that name')""").unless("only root may open packet sockets"),
                Probe.python("network.vsock", SEND_OFF_MACHINE, "socket.socket(40, socket.SOCK_STREAM)")
                        .unless("the kernel may lack vsock"),
                Probe.python("network.vsock-io-uring", SEND_OFF_MACHINE, RING)
                        .unless("the kernel may lack vsock, or have io_uring switched off"),
                // Bit 30 selects the x32 entry points, whose numbers a filter for x86_64 alone does not know.
                Probe.python("network.vsock-x32", SEND_OFF_MACHINE, """
                        x86_64()
                        checked(libc().syscall(0x40000000 + 41, 40, 1, 0))""")
                        .unless("the kernel may lack vsock, or the x32 entry points"),
                heard("unix.workspace", HOST_UNIX_SOCKETS, unix("E['BAIT_SOCKET']")),
                heard("unix.home", HOST_UNIX_SOCKETS, unix("E['BAIT_HOME_SOCKET']")),
                heard("unix.abstract", HOST_UNIX_SOCKETS, unix("'\\0' + E['BAIT_ABSTRACT']")));
    }

    private static Probe heard(String id, Reach reach, String lines) {
        return Probe.python(id, reach, lines.replace("ID", id))
                .seen(ground -> ground.listeners().heard(id));
    }

    private static String tcp(String address, String port) {
        return """
                s = socket.create_connection((%s, int(E['%s'])), 2)
                s.sendall(b'ID\\n'); s.recv(9)""".formatted(address, port);
    }

    private static String udp(String family, String address, String port) {
        return "socket.socket(socket.%s, socket.SOCK_DGRAM).sendto(b'ID', (%s, int(E['%s'])))"
                .formatted(family, address, port);
    }

    private static String unix(String address) {
        return """
                s = socket.socket(socket.AF_UNIX)
                s.settimeout(2)
                s.connect(%s)
                s.sendall(b'ID\\n'); s.recv(9)""".formatted(address);
    }

    /** For images without python3: bash opens sockets by itself. */
    private static Probe bash(String id, Reach reach, String device) {
        return Probe.sh(id, reach, BASH + "bash -c 'echo " + id + " >/dev/" + device + "'")
                .seen(ground -> ground.listeners().heard(id));
    }
}
