package dev.stockade.conformance.probe;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Servers of the host that a confined command may try to talk to: each remembers the lines it was sent. */
final class Listeners implements AutoCloseable {

    /** Java binds no abstract name, which is a byte 0 and more. It ends with this JVM, whose pipe it watches. */
    private static final String ABSTRACT = """
            import select, socket, sys
            server = socket.socket(socket.AF_UNIX)
            server.bind('\\0' + sys.argv[1])
            server.listen(8)
            print('ready', flush=True)
            while server in select.select([server, sys.stdin], [], [])[0]:
                peer, _ = server.accept()
                print(peer.recv(100).decode().strip(), flush=True)
                peer.sendall(b'heard\\n')
                peer.close()
            """;

    private final Set<String> heard = ConcurrentHashMap.newKeySet();
    private final List<Closeable> open = new ArrayList<>();

    private Listeners() {}

    static Listeners open(
            Path workspace, Optional<Path> home, String unique, Map<String, String> bait, Map<String, String> missing) {
        Listeners all = new Listeners();
        all.pair("127.0.0.1", "4", bait, missing);
        all.pair("::1", "6", bait, missing);
        all.outside(bait, missing);
        all.unix(workspace.resolve("socket"), "BAIT_SOCKET", bait, missing);
        if (home.isPresent()) {
            all.unix(home.get().resolve("socket"), "BAIT_HOME_SOCKET", bait, missing);
        }
        all.abstractSocket("stockade-bait-" + unique, bait, missing);
        return all;
    }

    private void pair(String address, String suffix, Map<String, String> bait, Map<String, String> missing) {
        try {
            InetAddress at = InetAddress.getByName(address);
            ServerSocket tcp = tcp(at);
            DatagramSocket udp = udp(at);
            bait.put("BAIT_TCP" + suffix, Integer.toString(tcp.getLocalPort()));
            bait.put("BAIT_UDP" + suffix, Integer.toString(udp.getLocalPort()));
        } catch (IOException e) {
            missing.put("BAIT_TCP" + suffix, "this host cannot listen on " + address);
            missing.put("BAIT_UDP" + suffix, "this host cannot listen on " + address);
        }
    }

    /** On an address of the host that is no loopback: where a packet has to take a way out of a private network. */
    private void outside(Map<String, String> bait, Map<String, String> missing) {
        String why = "this host has no address beside its loopback";
        List.of("BAIT_OUT", "BAIT_OUT_TCP", "BAIT_OUT_UDP", "BAIT_INTERFACE", "BAIT_MAC")
                .forEach(name -> missing.put(name, why));
        try {
            for (NetworkInterface each : NetworkInterface.networkInterfaces()
                    .filter(Listeners::leadsOut)
                    .toList()) {
                byte[] mac = each.getHardwareAddress();
                Optional<InetAddress> address = each.inetAddresses()
                        .filter(candidate -> candidate.getAddress().length == 4)
                        .findFirst();
                if (address.isPresent() && mac != null) {
                    bait.put("BAIT_OUT_TCP", Integer.toString(tcp(address.get()).getLocalPort()));
                    bait.put("BAIT_OUT_UDP", Integer.toString(udp(address.get()).getLocalPort()));
                    bait.put("BAIT_OUT", address.get().getHostAddress());
                    bait.put("BAIT_INTERFACE", each.getName());
                    bait.put("BAIT_MAC", HexFormat.of().formatHex(mac));
                    return;
                }
            }
        } catch (IOException e) {
            missing.put("BAIT_OUT", "this host cannot listen on its own address: " + e);
        }
    }

    private static boolean leadsOut(NetworkInterface each) {
        try {
            return each.isUp() && !each.isLoopback();
        } catch (IOException e) {
            return false;
        }
    }

    private ServerSocket tcp(InetAddress at) throws IOException {
        ServerSocket server = new ServerSocket(0, 50, at);
        open.add(server);
        serve("tcp", () -> {
            try (var peer = server.accept()) {
                peer.setSoTimeout(1000);
                answer(peer.getInputStream(), peer.getOutputStream());
            }
        });
        return server;
    }

    private DatagramSocket udp(InetAddress at) throws IOException {
        DatagramSocket socket = new DatagramSocket(new InetSocketAddress(at, 0));
        open.add(socket);
        serve("udp", () -> {
            DatagramPacket packet = new DatagramPacket(new byte[200], 200);
            socket.receive(packet);
            heard.add(new String(packet.getData(), 0, packet.getLength(), StandardCharsets.UTF_8).strip());
        });
        return socket;
    }

    private void unix(Path at, String name, Map<String, String> bait, Map<String, String> missing) {
        try {
            ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            open.add(server);
            server.bind(UnixDomainSocketAddress.of(at));
            serve("unix", () -> {
                try (var peer = server.accept()) {
                    answer(Channels.newInputStream(peer), Channels.newOutputStream(peer));
                }
            });
            bait.put(name, at.toString());
        } catch (IOException | UnsupportedOperationException e) {
            missing.put(name, "this host cannot listen on a Unix socket at " + at);
        }
    }

    private void abstractSocket(String name, Map<String, String> bait, Map<String, String> missing) {
        missing.put("BAIT_ABSTRACT", "listening on an abstract name needs python3 on the host, and Linux");
        Path python = Path.of("/usr/bin/python3");
        if (!Files.isExecutable(python)) {
            return;
        }
        try {
            Process server = new ProcessBuilder(List.of(python.toString(), "-c", ABSTRACT, name)).start();
            open.add(server::destroyForcibly);
            var lines = server.inputReader();
            if ("ready".equals(lines.readLine())) {
                bait.put("BAIT_ABSTRACT", name);
                serve("abstract", () -> {
                    String line = lines.readLine();
                    if (line == null) {
                        throw new IOException("it ended");
                    }
                    heard.add(line);
                });
            }
        } catch (IOException e) {
            missing.put("BAIT_ABSTRACT", "listening on an abstract name failed: " + e);
        }
    }

    @FunctionalInterface
    private interface Turn {
        void serve() throws IOException;
    }

    private static void serve(String name, Turn turn) {
        Thread thread = new Thread(
                () -> {
                    int failures = 0;
                    while (failures < 20) {
                        try {
                            turn.serve();
                        } catch (IOException e) {
                            // A peer that hangs up, or the end of the listener, which fails on every further turn.
                            failures++;
                        }
                    }
                },
                "stockade-bait-" + name);
        thread.setDaemon(true);
        thread.start();
    }

    private void answer(InputStream in, OutputStream out) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int c = in.read(); c != -1 && c != '\n' && line.size() < 200; c = in.read()) {
            line.write(c);
        }
        heard.add(line.toString(StandardCharsets.UTF_8).strip());
        out.write("heard\n".getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    /** Whether any listener was sent this line. */
    boolean heard(String line) {
        return heard.contains(line);
    }

    @Override
    public void close() {
        for (Closeable each : open) {
            try {
                each.close();
            } catch (IOException e) {
                // It is closed all the same.
            }
        }
    }
}
