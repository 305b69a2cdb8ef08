package dev.stockade.backend.bwrap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.stockade.api.Command;
import dev.stockade.api.LaunchException;
import dev.stockade.api.Network;
import dev.stockade.api.Profile;
import dev.stockade.api.ProfileNotSupportedException;
import dev.stockade.api.Reach;
import dev.stockade.api.Result;
import dev.stockade.api.Sandbox;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a confined command tries, each denial with its twin that succeeds where it is allowed. */
class BwrapContainmentTest {

    @TempDir
    Path host;

    private Path workspace() throws IOException {
        return Files.createDirectories(host.resolve("workspace"));
    }

    private Profile.Builder strict() throws IOException {
        return Profile.builder(workspace());
    }

    private static Result sh(Profile profile, String script) throws InterruptedException {
        try (Sandbox sandbox = MustRun.bwrap().open(profile)) {
            return sandbox.run(Command.of("sh", "-c", script));
        }
    }

    private static void succeeds(Profile profile, String script) throws InterruptedException {
        Result result = sh(profile, script);
        assertEquals(0, result.exitStatus(), () -> script + "\n" + result.stderr());
    }

    private static void fails(Profile profile, String script) throws InterruptedException {
        Result result = sh(profile, script);
        assertNotEquals(0, result.exitStatus(), () -> script + "\n" + result.stdout());
    }

    @Test
    @Tag("M14")
    void writesTheWorkspaceAndNothingElse() throws Exception {
        succeeds(strict().build(), "echo hi >out.txt");
        assertEquals("hi\n", Files.readString(workspace().resolve("out.txt")));
        for (String elsewhere : new String[] {"/usr/x", "/etc/x", "/x", "/opt/x", "/bin/x"}) {
            fails(strict().build(), "echo hi >" + elsewhere);
        }
        // The workspace lies below /tmp here, and so what is around it is the command's own.
        sh(strict().build(), "echo hi >" + host + "/x");
        assertFalse(Files.exists(host.resolve("x")));
        fails(strict().workspaceReadOnly().build(), "echo hi >out2.txt");
    }

    @Test
    @Tag("M04")
    void readsAndWritesWhatIsGrantedOnly() throws Exception {
        Path secret = Files.writeString(host.resolve("secret"), "s3cret\n");
        fails(strict().build(), "cat " + secret);
        succeeds(strict().readable(secret).build(), "cat " + secret);
        fails(strict().readable(secret).build(), "echo >>" + secret);
        Path other = Files.createDirectory(host.resolve("other"));
        fails(strict().build(), "echo >" + other + "/x");
        succeeds(strict().writable(other).build(), "echo >" + other + "/x");
    }

    @Test
    @Tag("M04")
    void skipsAnExtraThatDoesNotExistAndSaysSo() throws Exception {
        Path missing = host.resolve("missing");
        try (Sandbox sandbox = MustRun.bwrap().open(strict().readable(missing).build())) {
            assertTrue(sandbox.notices().toString().contains(missing.toString()));
            assertEquals(0, sandbox.run(Command.of("true")).exitStatus());
        }
    }

    @Test
    @Tag("M05")
    void seesNoVariableThatWasNotNamed() throws Exception {
        Result result = sh(strict().build(), "env");
        for (String line : result.stdout().text().lines().toList()) {
            assertTrue(line.matches("(PATH|HOME|TMPDIR|TMP|TEMP|PWD)=.*"), line);
        }
        assertTrue(result.stdout().text().contains("HOME=" + workspace().toRealPath()));
        if (System.getenv("HOME") != null) {
            Result named = sh(strict().env("HOME").build(), "echo $HOME");
            assertEquals(System.getenv("HOME") + "\n", named.stdout().text());
        }
    }

    @Test
    @Tag("M05")
    void showsNoValueInAnyArgumentList() throws Exception {
        try (Sandbox sandbox = MustRun.bwrap().open(strict().build())) {
            Process process = sandbox.start(
                    Command.of("sh", "-c", "echo ready; read line").environment(Map.of("TOKEN", "t0p-s3cret-v4lue")));
            assertEquals('r', process.getInputStream().read());
            StringBuilder lists = new StringBuilder();
            ProcessHandle.allProcesses().forEach(each -> {
                try {
                    lists.append(Files.readString(Path.of("/proc/" + each.pid() + "/cmdline")));
                } catch (IOException e) {
                    // It ended in between.
                }
            });
            assertTrue(lists.toString().contains("read line"));
            assertFalse(lists.toString().contains("t0p-s3cret-v4lue"));
        }
    }

    @Test
    @Tag("M03")
    void connectsToTheHostsLoopbackOnlyWithTheNetworkOn() throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            String connect = "python3 -c 'import socket; socket.create_connection((\"127.0.0.1\", "
                    + listener.getLocalPort() + "), 2)'";
            fails(strict().build(), connect);
            fails(strict().network(Network.LOOPBACK).build(), connect);
            succeeds(strict().network(Network.ON).build(), connect);
        }
    }

    @Test
    @Tag("S01")
    void servesItsOwnLoopback() throws Exception {
        String serve = "python3 -c 'import socket; s=socket.create_server((\"127.0.0.1\", 0));"
                + " socket.create_connection(s.getsockname(), 2)'";
        succeeds(strict().network(Network.LOOPBACK).build(), serve);
        succeeds(strict().build(), serve);
    }

    @Test
    @Tag("S10")
    void reachesAUnixSocketInTheWorkspaceOnlyWhereUnixSocketsAreAllowed() throws Exception {
        Path socket = workspace().resolve("s");
        try (var server = java.nio.channels.ServerSocketChannel.open(java.net.StandardProtocolFamily.UNIX)) {
            server.bind(java.net.UnixDomainSocketAddress.of(socket));
            String connect = "python3 -c 'import socket; socket.socket(socket.AF_UNIX).connect(\"s\")'";
            Result refused = sh(strict().build(), connect);
            assertNotEquals(0, refused.exitStatus());
            assertTrue(refused.stderr().text().contains("Permission denied"), refused.stderr()::text);
            succeeds(strict().network(Network.LOOPBACK).build(), connect);
        }
    }

    @Test
    @Tag("S10")
    void hidesTheSocketsOfHostDaemonsEvenIfAllOfTheHostIsReadable() throws Exception {
        Profile open = strict().reads(Profile.Reads.HOST).build();
        fails(open, "ls /run/* >/dev/null 2>&1 && test -n \"$(ls /run)\"");
        succeeds(open, "test -r /usr/bin/env && ls / >/dev/null");
    }

    @Test
    @Tag("S13")
    void refusesOtherFamiliesAndIoUring() throws Exception {
        String probe = """
                python3 -c 'import socket, ctypes
                def errno(family, type, protocol=0):
                  try: socket.socket(family, type, protocol); return 0
                  except OSError as e: return e.errno
                libc = ctypes.CDLL(None, use_errno=True)
                ring = libc.syscall(425, 1, ctypes.create_string_buffer(256))
                print(errno(40, 1), errno(17, 3), errno(16, 3, 0), errno(16, 3, 9), ring, ctypes.get_errno())'
                """;
        Result result = sh(strict().build(), probe);
        assertEquals("97 97 0 97 -1 1\n", result.stdout().text(), result.stderr()::text);
    }

    @Test
    @Tag("S08")
    void keepsACarveOutReadOnlyAlsoWhenItsParentIsRenamed() throws Exception {
        Path git = Files.createDirectories(workspace().resolve("a/b/.git"));
        succeeds(strict().build(), "echo >a/b/.git/x");
        Profile guarded = strict().readable(git).build();
        fails(guarded, "echo >a/b/.git/y");
        fails(guarded, "mv a c");
        fails(guarded, "mv a/b a/c");
        fails(guarded, "rm -rf a; test ! -e a");
        succeeds(guarded, "echo >a/b/free && mv a/b/free a/b/freed && cat a/b/.git/x");
        assertFalse(Files.exists(git.resolve("y")));
    }

    @Test
    @Tag("S08")
    @Tag("S09")
    void keepsEveryOneOfSeveralCarveOutsBelowOneDirectory() throws Exception {
        for (String name : new String[] {"h1", "h2", "r1", "r2"}) {
            Path directory = Files.createDirectories(workspace().resolve("a/b/" + name));
            Files.writeString(directory.resolve("f"), name + "\n");
        }
        String write = "echo w >a/b/r1/f";
        String writeOther = "echo w >a/b/r2/f";
        Profile guarded = strict().hidden(
                        workspace().resolve("a/b/h1"), workspace().resolve("a/b/h2"))
                .readable(workspace().resolve("a/b/r1"), workspace().resolve("a/b/r2"))
                .build();
        for (String act : new String[] {write, writeOther, "cat a/b/h1/f", "cat a/b/h2/f", "rm a/b/h1/f", "mv a/b c"}) {
            fails(guarded, act);
        }
        succeeds(guarded, "cat a/b/r1/f a/b/r2/f && echo x >a/b/free");
        succeeds(strict().build(), "cat a/b/h1/f a/b/h2/f && " + write + " && " + writeOther);
    }

    @Test
    @Tag("S09")
    void hidesPathsInASharedTmp() throws Exception {
        Path secret = Files.writeString(Files.createTempFile(Path.of("/tmp"), "stockade", "test"), "secret\n");
        try {
            Profile sharing = strict().tmp(Profile.Tmp.SHARED).build();
            succeeds(sharing, "cat " + secret);
            fails(sharing.toBuilder().hidden(secret).build(), "cat " + secret);
        } finally {
            Files.delete(secret);
        }
    }

    @Test
    void changesNoSettingOfTheKernel() throws Exception {
        for (String file :
                new String[] {"sys/kernel/core_pattern", "sys/kernel/hostname", "sysrq-trigger", "self/comm"}) {
            fails(strict().build(), "exec 3>>/proc/" + file);
        }
        succeeds(strict().build(), "cat /proc/sys/kernel/core_pattern && exec 3>>/dev/null");
    }

    @Test
    @Tag("S09")
    void hidesFilesAndDirectoriesInsideTheWorkspace() throws Exception {
        Path file = Files.writeString(workspace().resolve(".env"), "KEY=1\n");
        Path directory = Files.createDirectories(workspace().resolve("private/deep"));
        Files.writeString(directory.resolve("x"), "hidden\n");
        succeeds(strict().build(), "cat .env private/deep/x");
        Profile hiding = strict().hidden(file, directory).build();
        fails(hiding, "grep KEY .env");
        fails(hiding, "cat private/deep/x");
        fails(hiding, "rm .env");
        fails(hiding, "mv .env seen && grep KEY seen");
        fails(hiding, "mv private moved && cat moved/deep/x");
        fails(hiding, "ln .env seen && grep KEY seen");
        // Nothing was made on the host.
        assertEquals(Set.of(".env", "private"), Set.of(workspace().toFile().list()));
    }

    @Test
    @Tag("S09")
    void neverShowsAHiddenPathThatAppearsLater() throws Exception {
        Path home = Files.createDirectories(host.resolve("home"));
        Files.writeString(home.resolve("seen"), "seen\n");
        Path later = home.resolve("later");
        Profile profile = strict().readable(home).hidden(later).build();
        try (Sandbox sandbox = MustRun.bwrap().open(profile)) {
            assertEquals(0, sandbox.run(Command.of("cat", home + "/seen")).exitStatus());
            Process process = sandbox.start(Command.of("sh", "-c", "echo ready; read line; cat " + later));
            assertEquals('r', process.getInputStream().read());
            Files.writeString(later, "appeared\n");
            process.getOutputStream().write('\n');
            process.getOutputStream().close();
            assertNotEquals(0, process.waitFor());
            assertNotEquals(0, sandbox.run(Command.of("cat", later.toString())).exitStatus());
        }
        succeeds(strict().readable(home).build(), "cat " + later);
    }

    @Test
    @Tag("S09")
    void keepsAHiddenFileHiddenWhenTheHostReplacesIt() throws Exception {
        Path home = Files.createDirectories(host.resolve("home"));
        Path secret = Files.writeString(home.resolve("secret"), "old\n");
        try (Sandbox sandbox =
                MustRun.bwrap().open(strict().readable(home).hidden(secret).build())) {
            Process process = sandbox.start(Command.of("sh", "-c", "echo ready; read line; cat " + secret));
            assertEquals('r', process.getInputStream().read());
            Path fresh = Files.writeString(home.resolve("fresh"), "new\n");
            Files.move(fresh, secret, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
            process.getOutputStream().write('\n');
            process.getOutputStream().close();
            assertNotEquals(0, process.waitFor());
        }
    }

    @Test
    @Tag("S08")
    void refusesWhatItCouldOnlyHoldByCreatingItOnTheHost() throws Exception {
        Path missing = workspace().resolve("not-yet");
        for (Profile profile : new Profile[] {
            strict().hidden(missing).build(), strict().readable(missing).build()
        }) {
            ProfileNotSupportedException refused = assertThrows(
                    ProfileNotSupportedException.class, () -> MustRun.bwrap().open(profile));
            assertTrue(refused.getMessage().contains("does not exist"), refused.getMessage());
        }
        assertFalse(Files.exists(missing));
    }

    @Test
    void refusesAPathThatLeadsThroughALinkInAWritableTree() throws Exception {
        Path target = Files.createDirectories(host.resolve("target"));
        Path link = Files.createSymbolicLink(workspace().resolve("cache"), target);
        for (Profile profile : new Profile[] {
            strict().writable(link).build(),
            strict().readable(link).build(),
            strict().hidden(link.resolve("x")).build()
        }) {
            ProfileNotSupportedException refused = assertThrows(
                    ProfileNotSupportedException.class, () -> MustRun.bwrap().open(profile));
            assertTrue(refused.getMessage().contains("planted"), refused.getMessage());
        }
        succeeds(strict().writable(target).build(), "echo >cache/x");
    }

    @Test
    void startsNothingWhenACarveOutWasReplacedByALink() throws Exception {
        Path secret = Files.createDirectories(host.resolve("elsewhere"));
        Path git = Files.createDirectories(workspace().resolve(".git"));
        try (Sandbox sandbox = MustRun.bwrap().open(strict().readable(git).build())) {
            Files.delete(git);
            Files.createSymbolicLink(git, secret);
            LaunchException failure = assertThrows(LaunchException.class, () -> sandbox.run(Command.of("true")));
            assertEquals(LaunchException.Fault.PROFILE, failure.fault());
        }
    }

    @Test
    void readsNoSecretOfEtc() throws Exception {
        for (Profile profile : new Profile[] {
            strict().build(), strict().reads(Profile.Reads.HOST).build()
        }) {
            fails(profile, "cat /etc/shadow");
            fails(profile, "cat /etc/gshadow");
            fails(profile, "ls /etc/ssl/private/*");
            succeeds(profile, "cat /etc/passwd && test -r /etc/hosts");
        }
    }

    @Test
    void holdsNoCapabilityAndCannotRemount() throws Exception {
        Result result = sh(strict().build(), "grep -E 'CapEff|CapPrm|CapBnd|NoNewPrivs' /proc/self/status");
        assertEquals(
                "CapPrm:\t0000000000000000\nCapEff:\t0000000000000000\nCapBnd:\t0000000000000000\nNoNewPrivs:\t1\n",
                result.stdout().text());
        fails(strict().build(), "mount -o remount,bind,rw /usr");
        fails(strict().build(), "unshare -Ur true");
        fails(strict().build(), "unshare -n true");
    }

    @Test
    @Tag("M13")
    void hasItsOwnProcessesAndSession() throws Exception {
        Result result = sh(strict().build(), "ls /proc | grep -c '^[0-9]*$'; ps -o sid= -p $$ | tr -d ' '");
        String[] lines = result.stdout().text().split("\n", -1);
        assertTrue(Integer.parseInt(lines[0]) < 8, result.stdout()::text);
        for (String namespace : new String[] {"user", "pid", "ipc", "uts", "cgroup", "net"}) {
            Result inside = sh(strict().build(), "readlink /proc/self/ns/" + namespace);
            Path own = Files.readSymbolicLink(Path.of("/proc/self/ns", namespace));
            assertNotEquals(own.toString(), inside.stdout().text().strip(), namespace);
        }
        Result online = sh(strict().network(Network.ON).build(), "readlink /proc/self/ns/net");
        assertEquals(
                Files.readSymbolicLink(Path.of("/proc/self/ns/net")).toString(),
                online.stdout().text().strip());
    }

    @Test
    @Tag("M10")
    void claimsWhatItHolds() throws Exception {
        try (Sandbox sandbox = MustRun.bwrap().open(strict().build())) {
            assertFalse(sandbox.capabilities().canReachNetwork());
            assertFalse(sandbox.capabilities().reachesBeyondWorkspace());
            assertFalse(sandbox.capabilities().can(Reach.OUTLIVE_CALLER));
        }
        Path other = Files.createDirectories(host.resolve("other"));
        try (Sandbox sandbox = MustRun.bwrap().open(strict().readable(other).build())) {
            assertTrue(sandbox.capabilities().reachesBeyondWorkspace());
            assertFalse(sandbox.capabilities().can(Reach.WRITE_BEYOND));
        }
    }

    @Test
    @Tag("M08")
    @Tag("S17")
    void isWidenedForOneRun() throws Exception {
        Path other = Files.createDirectories(host.resolve("other"));
        try (Sandbox sandbox = MustRun.bwrap().open(strict().build())) {
            assertTrue(sandbox.withNetwork(Network.ON).capabilities().canReachNetwork());
            assertFalse(sandbox.capabilities().canReachNetwork());
            Command write = Command.of("sh", "-c", "echo >" + other + "/x");
            assertNotEquals(0, sandbox.run(write).exitStatus());
            assertEquals(0, sandbox.withWritable(other).run(write).exitStatus());
            assertTrue(sandbox.withWritable(other) == sandbox.withWritable(other));
        }
    }

    /** A JVM looks its limits up there, and Java 17 breaks where the names do not fit. */
    @Test
    void whereTheWholeHostIsReadTheNamesOfControlGroupsFitWhatIsShown() throws Exception {
        Profile all = strict().reads(Profile.Reads.HOST).build();
        try (Sandbox sandbox = MustRun.bwrap().open(all)) {
            String inside =
                    sandbox.run(Command.of("cat", "/proc/self/cgroup")).stdout().text();
            assertEquals(Files.readString(Path.of("/proc/self/cgroup")), inside);
        }
    }

    @Test
    @Tag("S07")
    @Tag("S19")
    void sharesAShortTemporaryDirectoryBetweenItsCommands() throws Exception {
        Path tmp;
        // Not below /tmp, where the workspace itself would have to be mounted into the temporary directory.
        Path place = Files.createTempDirectory(Path.of("/var/tmp"), "stockade-test");
        try (Sandbox sandbox = MustRun.bwrap().open(Profile.builder(place).build())) {
            Result made =
                    sandbox.run(Command.of("sh", "-c", "echo $TMPDIR $TMP $TEMP; echo hi >/tmp/stockade-x; mktemp"));
            assertTrue(made.stdout().text().startsWith("/tmp /tmp /tmp\n/tmp/tmp."), made.stdout()::text);
            assertEquals(
                    "hi\n",
                    sandbox.run(Command.of("cat", "/tmp/stockade-x")).stdout().text());
            tmp = sandbox.tmp().orElseThrow();
            assertTrue(Files.exists(tmp.resolve("stockade-x")));
            assertFalse(Files.exists(Path.of("/tmp/stockade-x")));
        } finally {
            Files.delete(place);
        }
        assertFalse(Files.exists(tmp));
    }
}
