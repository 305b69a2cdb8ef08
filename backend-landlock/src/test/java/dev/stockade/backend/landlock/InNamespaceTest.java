package dev.stockade.backend.landlock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stockade.api.Command;
import dev.stockade.api.ConfinedProcess;
import dev.stockade.api.LaunchException;
import dev.stockade.api.Profile;
import dev.stockade.api.Reach;
import dev.stockade.api.Result;
import dev.stockade.api.Sandbox;
import dev.stockade.api.spi.Host;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Holes in writable trees for an ordinary user: a JVM in a user namespace stands in front of each command. */
@Timeout(120)
class InNamespaceTest {

    @TempDir
    Path directory;

    private Path workspace;
    private Path hidden;
    private Profile carved;

    @BeforeEach
    void makeDirectories() throws Exception {
        Live.required();
        assumeTrue(!Live.isRoot(), "root needs no user namespace");
        assumeTrue(FrontJvm.canHaveNamespace(Host.local()), "no user namespaces here");
        workspace = Files.createDirectory(directory.resolve("workspace")).toRealPath();
        hidden = Files.createDirectory(workspace.resolve("hidden"));
        Files.writeString(hidden.resolve("secret"), "s");
        carved = Profile.builder(workspace).hidden(hidden).build();
    }

    @Test
    @Tag("S08")
    void aCommandHasItsOwnInputOutputAndStatus() throws Exception {
        try (Sandbox sandbox = Live.LANDLOCK.open(carved)) {
            Command command = Command.of("sh", "-c", "cat; cat /proc/$$/comm; echo said >&2; ls hidden; exit 9")
                    .input("input\n".getBytes(StandardCharsets.UTF_8));
            Result result = sandbox.run(command);
            assertEquals("input\nsh\n", result.stdout().text());
            assertEquals("said\n", result.stderr().text());
            assertEquals(9, result.exitStatus());
            Profile open = Profile.builder(workspace).build();
            assertEquals("secret\n", Live.sh(open, "ls hidden").stdout().text());
        }
    }

    @Test
    void whatNeverRanIsNoResult() throws Exception {
        Path broken = Files.writeString(workspace.resolve("broken"), "#!/nowhere\n");
        Files.setPosixFilePermissions(broken, PosixFilePermissions.fromString("rwxr-xr-x"));
        try (Sandbox sandbox = Live.LANDLOCK.open(carved)) {
            assertEquals(
                    126,
                    assertThrows(LaunchException.class, () -> sandbox.run(Command.of("./broken")))
                            .exitStatus());
            assertEquals(
                    127,
                    assertThrows(LaunchException.class, () -> sandbox.run(Command.of("no-such-program")))
                            .exitStatus());
        }
    }

    @Test
    void aPoliteEndReachesTheCommandAndATimeLimitHolds() throws Exception {
        try (Sandbox sandbox = Live.LANDLOCK.open(carved)) {
            ConfinedProcess process =
                    sandbox.start(Command.of("sh", "-c", "trap 'exit 5' TERM; echo up; while :; do sleep 0.1; done"));
            assertEquals('u', process.getInputStream().read());
            process.destroy();
            assertTrue(process.waitFor(20, TimeUnit.SECONDS));
            assertEquals(5, process.exitValue());
            Command endless = Command.of("sleep", "60").timeout(Duration.ofSeconds(15));
            assertEquals(124, sandbox.run(endless).exitStatus());
        }
    }

    @Test
    void noFileOutsideChangesItsModeThere() throws Exception {
        Path outside = Files.writeString(directory.resolve("outside"), "x");
        assertNotEquals(0, Live.sh(carved, "chmod 777 " + outside).exitStatus());
        assertEquals(
                0,
                Live.sh(Profile.builder(workspace).build(), "chmod 777 " + outside)
                        .exitStatus());
    }

    @Test
    void whatItCostsAndLeavesOpenIsSaid() {
        try (Sandbox sandbox = Live.LANDLOCK.open(carved)) {
            assertTrue(sandbox.capabilities().reason(Reach.OUTLIVE_CALLER).contains("a JVM starts in front"));
            assertFalse(sandbox.capabilities().canReachNetwork());
        }
    }

    @Test
    void itCanBeWrapped() throws Exception {
        try (Sandbox sandbox = Live.LANDLOCK.open(carved)) {
            Process process = sandbox.wrap(Command.of("sh", "-c", "cat hidden/secret; exit 3"))
                    .toProcessBuilder()
                    .redirectErrorStream(true)
                    .start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertTrue(said.contains("No such file"), said);
            assertEquals(3, process.waitFor());
        }
    }
}
