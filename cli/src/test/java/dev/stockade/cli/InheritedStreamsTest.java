package dev.stockade.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A socket, or a directory, as standard input: whoever inherits it has what it leads to, whatever else is closed. */
class InheritedStreamsTest {

    private static final Path PYTHON = Path.of("/usr/bin/python3");

    /** Starts the command with what is named as its standard input, and says what came out at the other end. */
    private static final String CALLER = """
            import os, socket, subprocess, sys
            kind, command = sys.argv[1], sys.argv[2:]
            family = socket.AF_UNIX if kind == 'unconnected' else socket.AF_INET
            server = socket.socket(family, socket.SOCK_DGRAM if kind == 'udp' else socket.SOCK_STREAM)
            server.bind('server' if kind == 'unconnected' else ('127.0.0.1', 0))
            server.settimeout(0.5)
            if kind == 'udp':
                stdin = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            elif kind == 'tcp':
                server.listen()
                first = socket.create_server(('127.0.0.1', 0))
                stdin = socket.create_connection(first.getsockname())
            elif kind == 'unconnected':
                server.listen()
                stdin = socket.socket(socket.AF_UNIX)
            elif kind == 'listening':
                stdin = socket.socket(socket.AF_UNIX)
                stdin.bind('ours')
                stdin.listen()
            elif kind == 'pair':
                stdin, ours = socket.socketpair()
                ours.sendall(b'through a pair')
                ours.shutdown(socket.SHUT_WR)
            else:
                stdin = os.open('/etc', os.O_RDONLY | os.O_DIRECTORY)
            port = '' if kind == 'unconnected' else str(server.getsockname()[1])
            ended = subprocess.run([word.replace('PORT', port) for word in command], stdin=stdin)
            print('ended with', ended.returncode)
            try:
                print('arrived', server.recv(100) if kind == 'udp' else server.accept()[1])
            except OSError:
                print('nothing arrived')
            """;

    private static final String SEND =
            "import socket; socket.socket(fileno=0).sendto(b'out', ('127.0.0.1', PORT)); print('sent')";

    /** connect(2): an address of AF_UNSPEC takes the connection down, and the socket can be connected anew. */
    private static final String CONNECT_ANEW = """
            import ctypes, socket
            ctypes.CDLL(None).connect(0, bytes(16), 16)
            socket.socket(fileno=0).connect(('127.0.0.1', PORT))
            """;

    @TempDir
    Path workspace;

    @BeforeEach
    void needsPython() {
        MustRun.tool("python3");
    }

    private Child run(String kind, String backend, String network, String... command) throws Exception {
        MustRun.backendOfAChild(backend, workspace);
        List<String> argv = new ArrayList<>(List.of(PYTHON.toString(), "-c", CALLER, kind));
        String[] stockade = {"run", "--backend", backend, "--network", network, "--"};
        argv.addAll(Child.command(workspace, stockade).command());
        argv.addAll(List.of(command));
        return Child.run(new ProcessBuilder(argv).directory(workspace.toFile()), "");
    }

    private Child python(String kind, String backend, String network, String script) throws Exception {
        return run(kind, backend, network, PYTHON.toString(), "-c", script);
    }

    private static void assertRefused(Child child) {
        assertTrue(child.out().contains("ended with 12"), child.toString());
        assertTrue(child.out().contains("nothing arrived"), child.toString());
        assertTrue(child.err().contains("connect it to a file, a pipe or /dev/null"), child.err());
    }

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    @Tag("S10")
    void aDatagramSocketSendsAnywhereSoItIsRefusedWithTheNetworkClosed(String backend) throws Exception {
        Child on = python("udp", backend, "on", SEND);
        assertTrue(on.out().contains("arrived b'out'"), on.toString());
        assertRefused(python("udp", backend, "off", SEND));
        assertRefused(python("udp", backend, "loopback", SEND));
    }

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    @Tag("S10")
    void aConnectionCanBeMadeAnewSoItIsRefusedWithTheNetworkClosed(String backend) throws Exception {
        Child on = python("tcp", backend, "on", CONNECT_ANEW);
        assertTrue(on.out().contains("arrived ('127.0.0.1'"), on.toString());
        assertRefused(python("tcp", backend, "off", CONNECT_ANEW));
        assertRefused(python("tcp", backend, "loopback", CONNECT_ANEW));
    }

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    @Tag("S10")
    void aUnixSocketThatIsNotConnectedYetIsRefusedAsOneThatListensIs(String backend) throws Exception {
        String connect = "import socket; socket.socket(fileno=0).connect('server')";
        Child on = python("unconnected", backend, "on", connect);
        assertTrue(on.out().contains("arrived"), on.toString());
        Files.delete(workspace.resolve("server"));
        assertRefused(python("unconnected", backend, "off", connect));
        assertRefused(run("listening", backend, "off", "true"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    void aSocketPairIsReadAsAPipeIs(String backend) throws Exception {
        Child child = run("pair", backend, "off", "cat");
        assertEquals(
                "through a pairended with 0", child.out().lines().findFirst().orElse(""), child.toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    void aDirectoryIsRefused(String backend) throws Exception {
        assertRefused(run("directory", backend, "on", "ls", "/proc/self/fd/0/.."));
    }
}
