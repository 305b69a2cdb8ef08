package dev.stockade.linux.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Installs programs in this machine's kernel, by a Python process that confines itself and then tries. */
class KernelTest {

    // prctl(2): PR_SET_NO_NEW_PRIVS is 38, PR_SET_SECCOMP 22, SECCOMP_MODE_FILTER 2.
    private static final String CONFINE = """
            import ctypes, errno, os, socket, subprocess, sys
            libc = ctypes.CDLL(None, use_errno=True)
            program = open(sys.argv[1], 'rb').read()
            class Fprog(ctypes.Structure):
                _fields_ = [('len', ctypes.c_ushort), ('filter', ctypes.c_char_p)]
            fprog = Fprog(len(program) // 8, program)
            def tried(name, act):
                try:
                    act()
                    print(name, 'ok')
                except OSError as e:
                    print(name, errno.errorcode[e.errno])
            def call(number, *args):
                ctypes.set_errno(0)
                if libc.syscall(ctypes.c_long(number), *[ctypes.c_long(a) for a in args]) == -1:
                    raise OSError(ctypes.get_errno(), '')
            assert libc.prctl(38, 1, 0, 0, 0) == 0
            assert not program or libc.prctl(22, 2, ctypes.byref(fprog), 0, 0) == 0
            """;

    private Architecture architecture = Architecture.X86_64;

    @TempDir
    private Path directory;

    @BeforeEach
    void needsLinuxAndPython() {
        Optional<Architecture> here = Architecture.named(System.getProperty("os.arch"));
        boolean able = System.getProperty("os.name").equals("Linux")
                && here.isPresent()
                && Files.isExecutable(Path.of("/usr/bin/python3"));
        String mustRun = System.getenv().getOrDefault("STOCKADE_MUST_RUN", "");
        assumeTrue(
                able || List.of(mustRun.split(",", -1)).contains("linux-filter"), "needs Linux and /usr/bin/python3");
        architecture = here.orElseThrow();
    }

    private String run(SeccompFilter filter, String script) throws IOException, InterruptedException {
        return run(filter.program(architecture), script);
    }

    private String unfiltered(String script) throws IOException, InterruptedException {
        return run(new byte[0], script);
    }

    private String run(byte[] filter, String script) throws IOException, InterruptedException {
        Path program = Files.write(directory.resolve("program"), filter);
        Process python = new ProcessBuilder("/usr/bin/python3", "-I", "-c", CONFINE + script, program.toString())
                .redirectErrorStream(true)
                .start();
        python.getOutputStream().close();
        String output = new String(python.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, python.waitFor(), output);
        return output;
    }

    private static final String OPEN_SOCKETS = """
            tried('tcp', lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM))
            tried('udp6', lambda: socket.socket(socket.AF_INET6, socket.SOCK_DGRAM))
            tried('unix', lambda: socket.socket(socket.AF_UNIX))
            tried('vsock', lambda: socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM))
            tried('raw', lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1))
            tried('pair', lambda: socket.socketpair())
            tried('datagram pair', lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM))
            tried('interfaces', lambda: socket.if_nameindex())
            """;

    @Test
    @Tag("S13")
    void offRefusesSockets() throws Exception {
        assertEquals("""
                tcp EAFNOSUPPORT
                udp6 EAFNOSUPPORT
                unix EACCES
                vsock EAFNOSUPPORT
                raw EAFNOSUPPORT
                pair ok
                datagram pair EACCES
                interfaces ok
                """, run(SeccompFilter.of(Sockets.OFF), OPEN_SOCKETS));
    }

    @Test
    @Tag("S13")
    void onOpensThem() throws Exception {
        assertEquals("""
                tcp ok
                udp6 ok
                unix ok
                vsock EAFNOSUPPORT
                raw EPERM
                pair ok
                datagram pair ok
                interfaces ok
                """, run(SeccompFilter.of(Sockets.ON), OPEN_SOCKETS));
    }

    @Test
    @Tag("A04")
    void ioUringAndNewNamespacesAreRefused() throws Exception {
        String script = """
                tried('io_uring', lambda: call(425, 1, 0))
                tried('unshare', lambda: call(%d, 0x10000000))
                tried('newer', lambda: call(472))
                tried('clone3', lambda: call(435, 0, 0))
                """.formatted(SyscallNumbers.of(architecture, "unshare").getAsInt());
        assertEquals("""
                io_uring EPERM
                unshare EPERM
                newer ENOSYS
                clone3 ENOSYS
                """, run(SeccompFilter.of(Sockets.ON, Isolation.values()), script));
    }

    @Test
    void programsThatRunAsTheirOwnerAreNotLeftBehind() throws Exception {
        String script = """
                import tempfile
                place = tempfile.mkdtemp()
                name = os.path.join(place, 'program')
                def tried_anew(what, act):
                    tried(what, act)
                    if os.path.exists(name):
                        os.unlink(name)
                tried_anew('created', lambda: os.open(name, os.O_CREAT | os.O_WRONLY, 0o4755))
                tried_anew('unnamed', lambda: os.open(place, os.O_TMPFILE | os.O_WRONLY, 0o4755))
                tried_anew('made', lambda: os.mknod(name, 0o104755))
                os.close(os.open(name, os.O_CREAT | os.O_WRONLY, 0o755))
                tried('changed', lambda: os.chmod(name, 0o4755))
                tried('changed while open', lambda: os.fchmod(os.open(name, os.O_RDONLY), 0o4755))
                tried('changed below', lambda: os.chmod('program', 0o4755, dir_fd=os.open(place, os.O_RDONLY)))
                print('bit', os.stat(name).st_mode & 0o4000)
                tried('ordinary', lambda: os.chmod(name, 0o700))
                os.unlink(name)
                os.rmdir(place)
                """;
        assertEquals("""
                created ok
                unnamed ok
                made ok
                changed ok
                changed while open ok
                changed below ok
                bit 2048
                ordinary ok
                """, unfiltered(script));
        assertEquals("""
                created EPERM
                unnamed EPERM
                made EPERM
                changed EPERM
                changed while open EPERM
                changed below EPERM
                bit 0
                ordinary ok
                """, run(SeccompFilter.of(Sockets.ON, Isolation.values()), script));
    }

    /** Whoever started this process would be left with a child that it does not know of, and never asks for. */
    @Test
    void noChildIsLeftToTheParent() throws Exception {
        String script = """
                child = libc.syscall(ctypes.c_long(%d), ctypes.c_long(0x8000 | 17), *[ctypes.c_long(0)] * 4)
                if child == 0:
                    os._exit(0)
                print('made' if child > 0 else errno.errorcode[ctypes.get_errno()])
                """.formatted(SyscallNumbers.of(architecture, "clone").getAsInt());
        assertEquals("made\n", unfiltered(script));
        assertEquals("EPERM\n", run(SeccompFilter.of(Sockets.ON, Isolation.values()), script));
    }

    @Test
    void processesAndThreadsStart() throws Exception {
        String script = """
                import threading
                thread = threading.Thread(target=lambda: print('thread', flush=True))
                thread.start()
                thread.join()
                os.waitpid(os.posix_spawn('/bin/sh', ['sh', '-c', 'echo spawned'], {}, setsid=True), 0)
                print(subprocess.run(['/bin/sh', '-c', 'echo $(echo forked)'], capture_output=True).stdout.decode())
                """;
        assertEquals("thread\nspawned\nforked\n\n", run(SeccompFilter.of(Sockets.OFF), script));
    }
}
