package dev.stockade.backend.docker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stockade.api.Command;
import dev.stockade.api.Limits;
import dev.stockade.api.Network;
import dev.stockade.api.Outcome;
import dev.stockade.api.Profile;
import dev.stockade.api.ProfileNotSupportedException;
import dev.stockade.api.Reach;
import dev.stockade.api.Result;
import dev.stockade.api.Sandbox;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a confined command tries, each denial with its twin that succeeds where it is allowed. */
class DockerContainmentTest {

    @TempDir
    Path host;

    private Path workspace() throws IOException {
        return Files.createDirectories(host.resolve("workspace"));
    }

    private Profile.Builder strict() throws IOException {
        return MustRun.profile(workspace());
    }

    private static Sandbox open(Profile.Builder profile) {
        return MustRun.docker().open(profile.build());
    }

    private static Result sh(Sandbox sandbox, String script) throws InterruptedException {
        return sandbox.run(Command.of("sh", "-c", script));
    }

    private static void succeeds(Sandbox sandbox, String script) throws InterruptedException {
        Result result = sh(sandbox, script);
        assertEquals(0, result.exitStatus(), () -> script + "\n" + result.stderr());
    }

    private static void fails(Sandbox sandbox, String script) throws InterruptedException {
        Result result = sh(sandbox, script);
        assertNotEquals(0, result.exitStatus(), () -> script + "\n" + result.stdout());
    }

    @Test
    @Tag("M15")
    void holdsTheStrictProfile() throws Exception {
        Path secret = Files.writeString(host.resolve("secret"), "s3cret\n");
        try (Sandbox sandbox = open(strict())) {
            assertEquals(List.of(), sandbox.notices());
            assertFalse(sandbox.capabilities().canReachNetwork());
            assertFalse(sandbox.capabilities().reachesBeyondWorkspace());
            assertTrue(sandbox.capabilities().reason(Reach.SEE_PROCESSES).contains("can see each other"));
            succeeds(sandbox, "echo hi >out.txt");
            assertEquals("hi\n", Files.readString(workspace().resolve("out.txt")));
            for (String elsewhere : new String[] {"/usr/x", "/etc/x", "/x", "/bin/x", "/run/x", host + "/x"}) {
                sh(sandbox, "echo hi >" + elsewhere);
            }
            fails(sandbox, "echo hi >/etc/x");
            assertFalse(Files.exists(host.resolve("x")));
            fails(sandbox, "cat " + secret);
            fails(sandbox, "unshare -r true");
            fails(sandbox, "mount -t tmpfs none /mnt || mount -o remount,rw /");
            fails(sandbox, "kill -9 1");
            Result status = sh(sandbox, "cat /proc/self/status; ls /sys/class/net; ip route");
            assertTrue(status.stdout().text().contains("NoNewPrivs:\t1"));
            assertTrue(status.stdout().text().contains("CapBnd:\t0000000000000000"));
            assertTrue(status.stdout().text().contains("Seccomp:\t2"));
            assertFalse(status.stdout().text().contains("eth0"));
            succeeds(sandbox, "(echo served | nc -l -p 7000 >/dev/null &) ; sleep 0.3; nc 127.0.0.1 7000 </dev/null");
        }
    }

    @Test
    @Tag("M05")
    void seesNoVariableThatWasNotNamed() throws Exception {
        try (Sandbox sandbox = open(strict().env("PATH"))) {
            Result result = sh(sandbox, "env");
            for (String line : result.stdout().text().lines().toList()) {
                assertTrue(line.matches("(PATH|HOME|HOSTNAME|TMPDIR|TMP|TEMP|PWD|SHLVL)=.*"), line);
            }
            assertTrue(result.stdout().text().contains("PATH=" + System.getenv("PATH") + "\n"));
        }
    }

    @Test
    @Tag("M04")
    void readsAndWritesWhatIsGranted() throws Exception {
        Path secret = Files.writeString(host.resolve("secret"), "s3cret\n");
        Path other = Files.createDirectory(host.resolve("other"));
        try (Sandbox sandbox = open(strict().readable(secret).writable(other).workspaceReadOnly())) {
            succeeds(sandbox, "cat " + secret);
            fails(sandbox, "echo >>" + secret);
            succeeds(sandbox, "echo >" + other + "/x");
            fails(sandbox, "echo >y");
            assertTrue(sandbox.capabilities().can(Reach.WRITE_BEYOND));
        }
    }

    @Test
    @Tag("S08")
    @Tag("S09")
    void keepsPathsInsideTheWorkspaceReadOnlyOrHidden() throws Exception {
        Path git = Files.createDirectories(workspace().resolve("a, \"b\"/c/.git"));
        Path hidden = Files.createDirectories(workspace().resolve("hidden"));
        Path file = Files.writeString(workspace().resolve(".env"), "TOKEN=s3cret");
        Files.writeString(git.resolve("config"), "[core]");
        Files.writeString(hidden.resolve("key"), "s3cret");
        List<Path> before = tree();
        try (Sandbox sandbox = open(strict().readable(git).hidden(hidden).hidden(file))) {
            succeeds(sandbox, "cat 'a, \"b\"/c/.git/config' && touch 'a, \"b\"/c/new' && rm 'a, \"b\"/c/new'");
            fails(sandbox, "touch 'a, \"b\"/c/.git/x'");
            // busybox's mv would copy what cannot be renamed.
            fails(sandbox, "mv 'a, \"b\"/c' 'a, \"b\"/d'; rm -rf 'a, \"b\"/d'; [ ! -e 'a, \"b\"/c/.git/config' ]");
            fails(sandbox, "mv 'a, \"b\"' d; rm -rf d; [ ! -e 'a, \"b\"/c/.git/config' ]");
            fails(sandbox, "cat hidden/key");
            fails(sandbox, "touch hidden/x");
            assertEquals("", sh(sandbox, "ls -A hidden; cat .env").stdout().text());
            fails(sandbox, "echo >.env");
        }
        assertEquals(before, tree());
        assertEquals("TOKEN=s3cret", Files.readString(file));
        try (Sandbox sandbox = open(strict())) {
            succeeds(sandbox, "touch 'a, \"b\"/c/.git/x' && cat hidden/key .env && mv 'a, \"b\"' d");
        }
        ProfileNotSupportedException missing = assertThrows(
                ProfileNotSupportedException.class,
                () -> open(strict().hidden(workspace().resolve("later"))));
        assertTrue(missing.getMessage().contains("later does not exist"));
    }

    private List<Path> tree() throws IOException {
        try (Stream<Path> all = Files.walk(workspace())) {
            return all.sorted().toList();
        }
    }

    @Test
    @Tag("M15")
    void takesAWorkspaceOfAnyName() throws Exception {
        Path odd = Files.createDirectories(host.resolve(" a,b:c \"q\" 'x' ünï=🙂,readonly "));
        try (Sandbox sandbox = open(MustRun.profile(odd))) {
            assertEquals(
                    odd.toRealPath() + "\n",
                    sh(sandbox, "touch 'mine, \"too\"'; pwd").stdout().text());
        }
        assertTrue(Files.exists(odd.resolve("mine, \"too\"")));
    }

    /** The host's python, which the image's links make usable, asks for sockets. */
    private static String python(String code) {
        return "python3 -c 'import socket, ctypes\n" + code + "'";
    }

    @Test
    @Tag("S10")
    @Tag("A04")
    void closesEveryOtherWayOutByTheFilter() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/python3")));
        Path socket = workspace().resolve("daemon.sock");
        String connect = python("socket.socket(socket.AF_UNIX).connect(\"daemon.sock\")");
        String vsock = python("socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM)");
        String raw = python("socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)");
        String ring = python("s = ctypes.CDLL(None).syscall(425, 1, ctypes.create_string_buffer(120))\n"
                + "raise SystemExit(0 if s >= 0 else 1)");
        try (ServerSocketChannel daemon = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            daemon.bind(UnixDomainSocketAddress.of(socket));
            try (Sandbox off = open(strict().readable(Path.of("/usr")))) {
                succeeds(off, python("socket.socket(socket.AF_INET)"));
                for (String denied : List.of(connect, vsock, raw, ring)) {
                    fails(off, denied);
                }
            }
            try (Sandbox loopback = open(strict().readable(Path.of("/usr")).network(Network.LOOPBACK))) {
                succeeds(loopback, connect);
                fails(loopback, vsock);
                assertTrue(loopback.capabilities().can(Reach.HOST_UNIX_SOCKETS));
            }
        }
        // The twins of what no setting opens: it is the filter that refuses, not the kernel's lack of it.
        Process outside = new ProcessBuilder("sh", "-c", vsock + "; echo $?").start();
        assertEquals("0\n", new String(outside.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
    }

    @Test
    @Tag("M03")
    void hasANetworkOnlyWhereItIsOn() throws Exception {
        try (Sandbox sandbox = open(strict().network(Network.ON))) {
            succeeds(sandbox, "ip addr show eth0 && ip route | grep default");
            assertTrue(sandbox.capabilities().canReachNetwork());
            try (Sandbox off = sandbox.withNetwork(Network.OFF)) {
                fails(off, "ip addr show eth0");
            }
        }
    }

    @Test
    @Tag("M07")
    void holdsLimits() throws Exception {
        Limits limits = Limits.NONE.memoryBytes(32L << 20).processes(20).cpus(0.5);
        String eat = "dd if=/dev/zero of=/dev/null bs=90M count=1";
        String fork = "for i in $(seq 40); do sleep 5 & done; jobs | wc -l; kill $(jobs -p)";
        String share = "cat /sys/fs/cgroup/cpu.max /sys/fs/cgroup/cpu/cpu.cfs_quota_us 2>/dev/null";
        try (Sandbox limited = open(strict().limits(limits))) {
            Result killed = limited.run(Command.of("dd", "if=/dev/zero", "of=/dev/null", "bs=90M", "count=1"));
            assertEquals(new Outcome.Signalled(9), killed.outcome());
            assertTrue(sh(limited, fork).stderr().text().contains("can't fork"));
            assertTrue(sh(limited, share).stdout().text().startsWith("50000"));
        }
        try (Sandbox free = open(strict())) {
            succeeds(free, eat);
            assertFalse(sh(free, fork).stderr().text().contains("can't fork"));
        }
    }

    @Test
    @Tag("M07")
    void refusesLimitsTheEngineCannotHold() throws Exception {
        assertTrue(MustRun.docker().names().contains("docker"));
        ProfileNotSupportedException refused = assertThrows(
                ProfileNotSupportedException.class,
                () -> open(strict().limits(Limits.NONE.memoryBytes(1 << 20).cpus(10_000))
                        .set("docker.reuse", "maybe")));
        assertTrue(refused.getMessage().contains("limits.memory"));
        assertTrue(refused.getMessage().contains("limits.cpus"));
        assertTrue(refused.getMessage().contains("docker.reuse"));
    }

    @Test
    @Tag("M15")
    void takesAContainerForEachCommandWhereAsked() throws Exception {
        try (Sandbox sandbox = open(strict().set("docker.reuse", "false"))) {
            String first = sh(sandbox, "hostname; touch /dev/shm/x").stdout().text();
            assertNotEquals(first, sh(sandbox, "hostname").stdout().text());
            assertEquals(List.of(), MustRun.containers());
            assertFalse(sandbox.capabilities().reason(Reach.SEE_PROCESSES).contains("each other"));
        }
    }

    @Test
    @Tag("M15")
    void runsAsTheOwnerOfAWorkspaceThatIsNotRoots() throws Exception {
        assumeTrue(Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0));
        Files.setAttribute(workspace(), "unix:uid", 1000);
        Files.setAttribute(workspace(), "unix:gid", 1000);
        try (Sandbox sandbox = open(strict())) {
            assertEquals("1000\n", sh(sandbox, "touch x /tmp/y; id -u").stdout().text());
            fails(sandbox, "cat /proc/1/environ");
        }
        assertEquals(1000, Files.getAttribute(workspace().resolve("x"), "unix:uid"));
    }

    @Test
    void sharesTmpWhereAskedAndHidesInIt() throws Exception {
        assumeTrue(host.startsWith("/tmp"));
        Path shared = Files.writeString(host.resolve("shared"), "data\n");
        Path hidden = Files.writeString(host.resolve("hidden"), "s3cret\n");
        try (Sandbox sandbox = open(strict().tmp(Profile.Tmp.SHARED).hidden(hidden))) {
            assertEquals(
                    "data\n",
                    sh(sandbox, "cat " + shared + " " + hidden).stdout().text());
            assertTrue(sandbox.capabilities().can(Reach.SHARED_TMP));
        }
    }

    @Test
    @Tag("S10")
    void neverHandsOutTheEnginesOwnSocket() throws Exception {
        String engine = System.getenv("DOCKER_HOST");
        assumeTrue(engine != null && engine.startsWith("unix://"));
        Path socket = Path.of(engine.substring("unix://".length()));
        ProfileNotSupportedException refused = assertThrows(
                ProfileNotSupportedException.class,
                () -> open(strict().readable(socket).network(Network.LOOPBACK)));
        assertTrue(refused.getMessage().contains("the engine's own socket"), refused.getMessage());
    }
}
