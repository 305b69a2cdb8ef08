package dev.stockade.backend.landlock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stockade.api.Command;
import dev.stockade.api.ConfinedProcess;
import dev.stockade.api.Profile;
import dev.stockade.api.Reach;
import dev.stockade.api.Result;
import dev.stockade.api.Sandbox;
import dev.stockade.api.SandboxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Attacks that have worked against simpler ways to do this. */
@Timeout(120)
class EscapeTest {

    @TempDir
    Path directory;

    private Path workspace;
    private Path outside;
    private Path probe;
    private Profile profile;

    @BeforeEach
    void makeDirectories() throws Exception {
        Live.required();
        workspace = Files.createDirectory(directory.resolve("workspace")).toRealPath();
        outside = Files.createDirectory(directory.resolve("outside")).toRealPath();
        Files.writeString(outside.resolve("file"), "x");
        probe = CProbe.into(workspace);
        profile = Profile.builder(workspace).build();
    }

    /** How many are seen at most while looking for a while: each hides behind a new number every few milliseconds. */
    private long seen() throws InterruptedException {
        long most = 0;
        for (int i = 0; i < 8; i++) {
            most = Math.max(
                    most,
                    ProcessHandle.allProcesses()
                            .filter(process ->
                                    process.info().command().orElse("").equals(probe.toString()))
                            .count());
            Thread.sleep(5);
        }
        return most;
    }

    /** A killed process takes a moment to go. */
    private long left() throws InterruptedException {
        long left = seen();
        for (int i = 0; i < 20 && left > 0; i++) {
            left = seen();
        }
        return left;
    }

    @Test
    void rootCannotMakeAFileOutsideSetUserId() throws Exception {
        assumeTrue(Live.isRoot() && Namespace.possible(), "root with mount namespaces");
        for (String act : List.of("chmod 777", "chmod 4777", "touch -d @0", "chown 1:1", "setfattr -n user.x -v y")) {
            assertNotEquals(0, Live.sh(profile, act + " " + outside + "/file").exitStatus(), act);
        }
        assertEquals(
                "rw-r--r--", PosixFilePermissions.toString(Files.getPosixFilePermissions(outside.resolve("file"))));
        assertEquals(
                0, Live.sh(profile, "touch f && chmod 777 f && touch -d @0 f").exitStatus());
        // In its workspace neither: it would be root for whoever runs it.
        assertNotEquals(0, Live.sh(profile, "chmod 4777 f").exitStatus());
        assertTrue(Live.sh(profile, probe + " chmod " + outside + "/file")
                .stdout()
                .text()
                .contains("errno 30"));
    }

    @Test
    void metadataIsSaidToBeOpenInAnyCase() {
        try (Sandbox sandbox = Live.LANDLOCK.open(profile)) {
            assertTrue(sandbox.capabilities().can(Reach.METADATA_BEYOND));
        }
    }

    @Test
    void rootDoesNotReadTheSecretsInEtc() throws Exception {
        assumeTrue(Live.isRoot(), "root");
        Path secrets = Path.of("/etc/shadow");
        assumeTrue(Files.isReadable(secrets));
        assertNotEquals(0, Live.sh(profile, "cat /etc/shadow").exitStatus());
        assertEquals(0, Live.sh(profile, "cat /etc/passwd /etc/hosts").exitStatus());
    }

    @Test
    void noCapabilityIsLeftAndNoneComesBack() throws Exception {
        Result result = Live.sh(profile, probe + " caps; grep -E 'Cap|NoNew|Seccomp:' /proc/self/status");
        assertTrue(
                result.stdout().text().startsWith("000000000000000000000000"),
                result.stdout().text());
        assertTrue(
                result.stdout().text().contains("NoNewPrivs:\t1"),
                result.stdout().text());
        assertTrue(
                result.stdout().text().contains("Seccomp:\t2"), result.stdout().text());
        assertEquals(1, Live.sh(profile, probe + " userns").exitStatus());
    }

    @Test
    void theCommandIsTheOwnerOfTheWorkspace() throws Exception {
        assumeTrue(Live.isRoot(), "root");
        Files.setAttribute(workspace, "unix:uid", 1001);
        Files.setAttribute(workspace, "unix:gid", 1001);
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
        Result result = Live.sh(profile, "id -u; id -G; touch made; echo x > $TMPDIR/x && cat $TMPDIR/x");
        assertEquals("1001\n1001\nx\n", result.stdout().text(), result.stderr().text());
        assertEquals(1001, Files.getAttribute(workspace.resolve("made"), "unix:uid"));
    }

    @Test
    @Tag("S08")
    void aCarveOutStaysReadOnlyAndMountSetattrCannotReopenIt() throws Exception {
        Path git = Files.createDirectory(workspace.resolve(".git"));
        Files.writeString(git.resolve("config"), "c");
        Path hidden = Files.createDirectory(workspace.resolve("hidden"));
        Files.writeString(hidden.resolve("secret"), "s");
        Path hiddenFile = Files.writeString(workspace.resolve("secret.txt"), "s");
        Profile carved =
                profile.toBuilder().readable(git).hidden(hidden, hiddenFile).build();
        if (!Live.isRoot()) {
            String why = org.junit.jupiter.api.Assertions.assertThrows(
                            SandboxException.class, () -> Live.LANDLOCK.open(carved))
                    .getMessage();
            assertTrue(why.contains("bwrap can hold it"), why);
            return;
        }
        assertEquals(0, Live.sh(carved, "cat .git/config && echo x > free").exitStatus());
        for (String act : List.of(
                "echo x > .git/config",
                "rm .git/config",
                "echo x > .git/new",
                "mv .git git2",
                "chmod 777 .git/config",
                probe + " reopen .git",
                "mount -o remount,rw " + git,
                "umount " + git,
                "cat hidden/secret",
                "test -s secret.txt",
                "grep -q s secret.txt",
                "echo x > hidden/y")) {
            assertNotEquals(0, Live.sh(carved, act).exitStatus(), act);
        }
        assertEquals("c", Files.readString(git.resolve("config")));
        assertEquals("", Live.sh(carved, "ls hidden").stdout().text());
        assertEquals("s", Files.readString(hidden.resolve("secret")));
        assertEquals(
                0,
                Live.sh(profile, "echo x > .git/new && cat hidden/secret secret.txt")
                        .exitStatus());
    }

    @Test
    void aDaemonisedForkBombIsGoneWhenTheRunEnds() throws Exception {
        assumeTrue(LandlockAbi.reported(new Kernel().version()).scopesSignals());
        Process bystander = new ProcessBuilder("/bin/sleep", "60").start();
        try (Sandbox sandbox = Live.LANDLOCK.open(profile)) {
            ConfinedProcess other = sandbox.start(Command.of("sleep", "60"));
            sandbox.run(Command.of(probe.toString(), "bomb"));
            assertEquals(0, left());
            assertTrue(other.isAlive(), "another run of the sandbox was hit");
            assertTrue(bystander.isAlive(), "a process outside was hit");
            sandbox.run(Command.of("sh", "-c", probe + " bomb; sleep 60").timeout(Duration.ofMillis(600)));
            assertEquals(0, left(), "after a time-out");
            ConfinedProcess cancelled = sandbox.start(Command.of("sh", "-c", probe + " bomb; sleep 60"));
            Thread.sleep(500);
            assertTrue(seen() > 0, "the probe itself does nothing");
            cancelled.destroyForcibly();
            cancelled.waitFor();
            assertEquals(0, left(), "after a kill");
        } finally {
            bystander.destroyForcibly();
        }
    }

    @Test
    void processesOutsideAreNotSignalled() throws Exception {
        assumeTrue(LandlockAbi.reported(new Kernel().version()).scopesSignals());
        String self = Long.toString(ProcessHandle.current().pid());
        assertTrue(CProbe.worksOutside(probe, "signal", self));
        assertEquals(1, Live.sh(profile, probe + " signal " + self).exitStatus());
        assertEquals(0, Live.sh(profile, "sleep 9 & " + probe + " signal $!").exitStatus());
    }

    /**
     * The thread that starts a command is in the command's own domain, and its memory is this JVM's. It is gone before
     * the command can do anything, unless something holds it up: here, collections of garbage do.
     */
    @Test
    void noThreadOfThisJvmIsReachedNotEvenTheStartingOne() throws Exception {
        assumeTrue(LandlockAbi.reported(new Kernel().version()).scopesSignals());
        String self = Long.toString(ProcessHandle.current().pid());
        assertTrue(CProbe.worksOutside(probe, "threads", self, "1"), "the probe itself does nothing");
        AtomicBoolean done = new AtomicBoolean();
        Thread collecting = new Thread(() -> {
            while (!done.get()) {
                System.gc();
            }
        });
        try (Sandbox sandbox = Live.LANDLOCK.open(profile)) {
            collecting.start();
            for (int i = 0; i < 30; i++) {
                Result result = sandbox.run(Command.of(probe.toString(), "threads", self, "30"));
                assertEquals("hit 0", result.stdout().text().strip());
            }
        } finally {
            done.set(true);
            collecting.join();
        }
    }

    @Test
    void anInheritedDescriptorIsNotThere() throws Exception {
        var kernel = new Kernel();
        try (var arena = java.lang.foreign.Arena.ofConfined()) {
            long leaking = kernel.linux()
                    .openat(-100, arena.allocateFrom(outside.toString()).address(), 0, 0);
            try {
                assertNotEquals(
                        0,
                        Live.sh(profile, "cat /proc/self/fd/" + leaking + "/file")
                                .exitStatus());
                assertEquals(
                        "0 1 2 3",
                        Live.sh(profile, "ls /proc/self/fd | tr '\\n' ' '")
                                .stdout()
                                .text()
                                .strip());
            } finally {
                kernel.linux().close((int) leaking);
            }
        }
    }

    @Test
    void nothingIsTypedIntoTheTerminal() throws Exception {
        assertTrue(Live.sh(profile, probe + " tiocsti").stdout().text().contains("errno 1\n"));
        assertTrue(Live.sh(profile, probe + " highsti").stdout().text().contains("errno 1\n"));
    }

    @Test
    @Tag("M05")
    void onlyNamedVariablesAreThere() throws Exception {
        Result result = Live.run(profile, Command.of("env").environment(java.util.Map.of("MINE", "yes")));
        List<String> names = result.stdout()
                .text()
                .lines()
                .map(line -> line.substring(0, line.indexOf('=')))
                .sorted()
                .filter(name -> !name.equals("JAVA_TOOL_OPTIONS"))
                .toList();
        assertEquals(List.of("HOME", "MINE", "PATH", "TEMP", "TMP", "TMPDIR"), names);
        assertTrue(result.stdout().text().contains("HOME=" + workspace));
    }
}
