package dev.stockade.backend.landlock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stockade.api.Command;
import dev.stockade.api.Network;
import dev.stockade.api.Profile;
import dev.stockade.api.Reach;
import dev.stockade.api.Result;
import dev.stockade.api.Sandbox;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a command can reach over sockets; each refusal has a twin with a wider setting. */
@Timeout(120)
class NetworkTest {

    private static final String EACCES = "errno 13";
    private static final String EAFNOSUPPORT = "errno 97";
    private static final String EPERM = "errno 1";
    private static final String ECONNREFUSED = "errno 111";

    @TempDir
    Path directory;

    private Path probe;
    private Profile profile;
    private Sandbox off;
    private Sandbox loopback;
    private Sandbox on;

    @BeforeEach
    void open() throws Exception {
        Live.required();
        directory = directory.toRealPath();
        probe = CProbe.into(directory);
        profile = Profile.builder(directory).build();
        off = Live.LANDLOCK.open(profile);
        loopback = off.withNetwork(Network.LOOPBACK);
        on = off.withNetwork(Network.ON);
    }

    @AfterEach
    void close() {
        off.close();
    }

    private String tries(Sandbox in, String... arguments) throws InterruptedException {
        List<String> argv = new ArrayList<>(List.of(probe.toString()));
        argv.addAll(List.of(arguments));
        return in.run(Command.of(argv)).stdout().text().strip();
    }

    @Test
    @Tag("A03")
    void offRefusesTcpAndOnAllowsIt() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            String port = Integer.toString(server.getLocalPort());
            assertEquals(EAFNOSUPPORT, tries(off, "tcp", port));
            assertEquals(Live.isRoot() ? ECONNREFUSED : EAFNOSUPPORT, tries(loopback, "tcp", port));
            assertEquals("worked", tries(on, "tcp", port));
        }
    }

    @Test
    @Tag("A03")
    void offRefusesUdpAndOnAllowsIt() throws Exception {
        try (DatagramSocket server = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            String port = Integer.toString(server.getLocalPort());
            assertEquals(EAFNOSUPPORT, tries(off, "udp", port));
            // In a network of its own it may be sent, to nobody.
            assertEquals(Live.isRoot() ? "worked" : EAFNOSUPPORT, tries(loopback, "udp", port));
            server.setSoTimeout(200);
            DatagramPacket received = new DatagramPacket(new byte[9], 9);
            assertThrows(SocketTimeoutException.class, () -> server.receive(received));
            assertEquals("worked", tries(on, "udp", port));
            server.receive(received);
        }
    }

    @Test
    @Tag("M09")
    void asRootLocalServersWorkInANetworkOfItsOwn() throws Exception {
        assumeTrue(Live.isRoot(), "takes root");
        String script = "import socket; s = socket.create_server(('127.0.0.1', 0));"
                + " socket.create_connection(s.getsockname()); print('local');"
                + " socket.create_connection(('192.0.2.1', 80), 2)";
        Result result = loopback.run(Command.of("/usr/bin/python3", "-c", script));
        assertTrue(result.stdout().text().startsWith("local\n"), result::toString);
        assertTrue(result.stderr().text().contains("Network is unreachable"), result::toString);
        assertFalse(loopback.capabilities().can(Reach.HOST_LOOPBACK));
        assertFalse(loopback.capabilities().can(Reach.SEND_OFF_MACHINE));
    }

    @Test
    void offRefusesMptcpAndOnAllowsIt() throws Exception {
        assertEquals(EAFNOSUPPORT, tries(off, "mptcp"));
        assumeTrue(CProbe.worksOutside(probe, "mptcp"));
        assertEquals("worked", tries(on, "mptcp"));
    }

    @Test
    @Tag("S10")
    void offRefusesUnixSocketsByPathAndLoopbackAllowsThemBeforeAbi9() throws Exception {
        Path path = directory.resolve("socket");
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(path));
            assertEquals(EACCES, tries(off, "unix", path.toString()));
            boolean denied = LandlockAbi.reported(new Kernel().version()).deniesHostUnixSockets();
            assertEquals(denied ? EACCES : "worked", tries(loopback, "unix", path.toString()));
        }
    }

    @Test
    @Tag("S10")
    void abstractUnixSocketsOfTheHostAreRefusedEverywhereFromAbi6() throws Exception {
        String name = "stockade-test-" + ProcessHandle.current().pid();
        Process server = new ProcessBuilder(
                        "/usr/bin/python3",
                        "-c",
                        "import socket,sys\ns=socket.socket(socket.AF_UNIX)\ns.bind('\\0'+sys.argv[1])\ns.listen()\n"
                                + "print('up',flush=True)\nsys.stdin.read()",
                        name)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            assumeTrue(server.getInputStream().read() == 'u', "python3 is needed");
            assertTrue(CProbe.worksOutside(probe, "abstract", name));
            assertEquals(EACCES, tries(off, "abstract", name));
            assumeTrue(LandlockAbi.reported(new Kernel().version()).scopesSignals());
            // In a network of its own there is none of that name.
            assertEquals(Live.isRoot() ? ECONNREFUSED : EPERM, tries(loopback, "abstract", name));
            assertEquals(EPERM, tries(on, "abstract", name));
        } finally {
            server.destroyForcibly();
        }
    }

    @ParameterizedTest
    @Tag("S13")
    @ValueSource(strings = {"uevent", "vsock", "packet"})
    void otherFamiliesAreRefusedInEverySetting(String family) throws Exception {
        for (Sandbox sandbox : List.of(off, loopback, on)) {
            assertEquals(EAFNOSUPPORT, tries(sandbox, family));
        }
        assumeTrue(Live.isRoot() || !family.equals("packet"), "packet sockets take root");
        assertTrue(CProbe.worksOutside(probe, family), "the probe itself fails");
    }

    @Test
    @Tag("S13")
    void whatProgramsNeedStaysOpen() throws Exception {
        for (Sandbox sandbox : List.of(off, loopback, on)) {
            assertEquals("worked", tries(sandbox, "route"));
            assertEquals("worked", tries(sandbox, "pair"));
        }
        assertEquals(EACCES, tries(off, "dgrampair"));
        assertEquals("worked", tries(loopback, "dgrampair"));
    }

    @Test
    @Tag("A04")
    void ioUringIsRefusedInEverySetting() throws Exception {
        for (Sandbox sandbox : List.of(off, loopback, on)) {
            assertEquals(EPERM, tries(sandbox, "iouring"));
        }
        assumeTrue(CProbe.worksOutside(probe, "iouring"), "no io_uring here");
    }

    @ParameterizedTest
    @ValueSource(strings = {"x32", "x32pid", "i386"})
    void otherEntryPointsOfTheKernelAreClosed(String entry) throws Exception {
        for (Sandbox sandbox : List.of(off, loopback, on)) {
            assertNotEquals("worked", tries(sandbox, entry));
        }
    }

    @Test
    void highBitsOfAnArgumentDoNotHideIt() throws Exception {
        assertEquals(EAFNOSUPPORT, tries(off, "highbits"));
        assertEquals("worked", tries(on, "highbits"));
    }

    @Test
    void rawSocketsAreRefusedAlsoWhereIpIsAllowed() throws Exception {
        assertEquals(EAFNOSUPPORT, tries(off, "raw"));
        assertEquals(EPERM, tries(on, "raw"));
    }

    @Test
    @Tag("M09")
    void onlyOffEarnsThatTheNetworkCannotBeReached() {
        assertFalse(off.capabilities().canReachNetwork());
        assertTrue(loopback.capabilities().canReachNetwork()
                || !loopback.capabilities().can(Reach.HOST_UNIX_SOCKETS));
        assertTrue(on.capabilities().canReachNetwork());
    }
}
