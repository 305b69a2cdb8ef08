package dev.stockade.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stockade.api.Profile.Access;
import dev.stockade.api.Profile.Grant;
import dev.stockade.api.Profile.Reads;
import dev.stockade.api.Profile.Tmp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProfileTest {

    @TempDir
    Path temporary;

    private Path workspace;

    @BeforeEach
    void findWorkspace() throws IOException {
        workspace = temporary.toRealPath();
    }

    private Profile.Builder builder() {
        return Profile.builder(workspace);
    }

    private static String refusal(Path candidate) {
        return assertThrows(IllegalArgumentException.class, () -> Profile.builder(candidate))
                .toString();
    }

    @Test
    void startsFromTheStrictDefaults() {
        Profile strict = builder().build();
        assertEquals(workspace, strict.workspace());
        assertEquals(Access.WRITE, strict.workspaceAccess());
        assertEquals(Reads.SYSTEM, strict.reads());
        assertEquals(Network.OFF, strict.network());
        assertEquals(Tmp.PRIVATE, strict.tmp());
        assertEquals(Limits.NONE, strict.limits());
        assertTrue(strict.grants().isEmpty());
        assertTrue(strict.environment().isEmpty());
        assertTrue(strict.settings().isEmpty());
    }

    private Profile full() {
        return builder()
                .workspaceReadOnly()
                .reads(Reads.HOST)
                .readable(Path.of("/opt/a"))
                .writable(Path.of("/srv/b"))
                .hidden(Path.of("/srv/b/c"))
                .network(Network.LOOPBACK)
                .env("LANG", "CI")
                .tmp(Tmp.SHARED)
                .limits(Limits.NONE.processes(10))
                .set("docker.image", "debian")
                .build();
    }

    @Test
    void isEqualIfItAllowsTheSame() {
        assertEquals(full(), full());
        assertEquals(full().hashCode(), full().hashCode());
        assertEquals(full(), full().toBuilder().build());
        assertEquals(full().toString(), full().toBuilder().build().toString());
        assertNotEquals(full(), full().withNetwork(Network.ON));
        assertNotEquals(full(), full().toBuilder().env("HOME").build());
        assertNotEquals(full(), full().toBuilder().readable(Path.of("/opt/z")).build());
        assertNotEquals(full(), full().toBuilder().limits(Limits.NONE).build());
        assertNotEquals(full(), full().toBuilder().set("docker.image", "alpine").build());
    }

    @Test
    void isNotChangedByTheBuilderItCameFrom() {
        Profile.Builder builder = builder();
        Profile before = builder.build();
        builder.readable(Path.of("/opt")).env("X").set("docker.image", "debian").network(Network.ON);
        assertEquals(builder().build(), before);
        assertThrows(UnsupportedOperationException.class, () -> before.grants().add(new Grant(workspace, Access.READ)));
        assertThrows(
                UnsupportedOperationException.class, () -> before.environment().add("X"));
        assertThrows(
                UnsupportedOperationException.class, () -> before.settings().put("a.b", "c"));
    }

    @Test
    @Tag("M08")
    void decidesTheNetworkDifferentlyAndNothingElse() {
        Profile online = full().withNetwork(Network.ON);
        assertEquals(Network.ON, online.network());
        assertEquals(full(), online.withNetwork(Network.LOOPBACK));
    }

    @Test
    @Tag("A08")
    void collapsesTwoSpellingsOfOnePath() {
        Path data = workspace.resolve("data");
        Profile profile = builder()
                .writable(data, data.resolve("."), data.resolve("x/.."), Path.of("relative"))
                .build();
        assertEquals(
                List.of(data, Path.of("relative").toAbsolutePath()).stream()
                        .sorted()
                        .toList(),
                profile.grants().stream().map(Grant::path).toList());
    }

    @Test
    void letsTheLaterCallDecideAboutOnePath() {
        Path data = workspace.resolve("data");
        assertEquals(
                List.of(new Grant(data, Access.READ)),
                builder().writable(data).hidden(data).readable(data).build().grants());
    }

    @Test
    void takesTheWorkspaceAmongThePathsForTheWorkspace() {
        assertEquals(Access.READ, builder().readable(workspace).build().workspaceAccess());
        assertEquals(
                Access.WRITE,
                builder()
                        .workspaceReadOnly()
                        .writable(workspace.resolve("."))
                        .build()
                        .workspaceAccess());
        assertTrue(builder().readable(workspace).build().grants().isEmpty());
        assertThrows(IllegalArgumentException.class, () -> builder().hidden(workspace));
    }

    @Test
    void refusesToGrantOrHideTheRoot() {
        assertThrows(IllegalArgumentException.class, () -> builder().readable(Path.of("/")));
        assertThrows(IllegalArgumentException.class, () -> builder().writable(Path.of("/usr/..")));
        assertThrows(IllegalArgumentException.class, () -> builder().hidden(Path.of("/")));
    }

    @Test
    @Tag("M04")
    @Tag("A06")
    void refusesAWorkspaceThatIsNone() throws IOException {
        assertTrue(refusal(workspace.resolve("missing")).contains("does not exist"));
        assertTrue(refusal(Files.createFile(workspace.resolve("file"))).contains("is not a directory"));
        Path loop = Files.createSymbolicLink(workspace.resolve("loop"), Path.of("loop"));
        assertTrue(refusal(loop).contains("cannot be reached"));
        assertEquals(
                workspace,
                Profile.builder(Files.createSymbolicLink(workspace.resolve("link"), workspace))
                        .build()
                        .workspace());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/usr",
                "/etc",
                "/bin",
                "/lib",
                "/usr/bin",
                "/dev",
                "/proc",
                "/proc/self",
                "/sys/kernel",
                "/proc/self/root",
                "/dev/shm",
                "/usr/../etc/."
            })
    void refusesTheOperatingSystemAsAWorkspace(String system) {
        assumeTrue(Files.isDirectory(Path.of(system)), "there is no " + system);
        assertTrue(refusal(Path.of(system)).contains("operating system"), () -> refusal(Path.of(system)));
    }

    @Test
    void takesAWorkspaceInMemory() throws IOException {
        assumeTrue(Files.isWritable(Path.of("/dev/shm")), "there is no /dev/shm");
        Path memory = Files.createTempDirectory(Path.of("/dev/shm"), "stockade-test");
        try {
            assertEquals(memory, Profile.builder(memory).build().workspace());
        } finally {
            Files.delete(memory);
        }
    }

    @Test
    @Tag("M05")
    void namesVariablesWithoutTheirValues() {
        assertEquals(
                Set.of("CI", "LANG"),
                builder().env("LANG", "CI", "LANG").build().environment());
        String said = assertThrows(
                        IllegalArgumentException.class, () -> builder().env("TOKEN=s3cret"))
                .toString();
        assertTrue(said.contains("TOKEN"));
        assertFalse(said.contains("s3cret"));
        for (String name : new String[] {"", "=", "=x", "A\0B"}) {
            assertThrows(IllegalArgumentException.class, () -> builder().env(name));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"image", ".image", "docker.", "", "."})
    void namesSettingsByTheirBackend(String key) {
        assertThrows(IllegalArgumentException.class, () -> builder().set(key, "debian"));
    }
}
