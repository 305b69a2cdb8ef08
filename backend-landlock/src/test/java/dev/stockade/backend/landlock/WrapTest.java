package dev.stockade.backend.landlock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.stockade.api.Command;
import dev.stockade.api.Invocation;
import dev.stockade.api.LaunchException;
import dev.stockade.api.Network;
import dev.stockade.api.Profile;
import dev.stockade.api.Sandbox;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Command lines for starters that know nothing of this library. */
@Timeout(120)
class WrapTest {

    @TempDir
    Path directory;

    private Path canary;
    private Profile profile;

    private record Ended(int status, String said, String complained) {}

    @BeforeEach
    void makeDirectories() throws IOException {
        Live.required();
        Path workspace = Files.createDirectory(directory.resolve("workspace")).toRealPath();
        canary = Files.writeString(directory.toRealPath().resolve("canary"), "sings");
        profile = Profile.builder(workspace).build();
    }

    /** As a careless starter does it: with whatever it has inherited, and options for every JVM among it. */
    private Ended start(Invocation line, String input) throws IOException, InterruptedException {
        ProcessBuilder starter = new ProcessBuilder(line.argv()).directory(directory.toFile());
        starter.environment().putAll(line.environment());
        starter.environment()
                .putAll(Map.of(
                        "POLLUTION", "x",
                        "JDK_JAVA_OPTIONS", "-version",
                        "JAVA_TOOL_OPTIONS", "-Dpolluted=x",
                        "CLASSPATH", "/nowhere",
                        "LC_ALL", "C"));
        starter.redirectError(directory.resolve("complaints").toFile());
        Process process = starter.start();
        try (var in = process.getOutputStream()) {
            in.write(input.getBytes(StandardCharsets.UTF_8));
        }
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ended(process.waitFor(), said, Files.readString(directory.resolve("complaints")));
    }

    private static Command sh(String script) {
        return Command.of("sh", "-c", script);
    }

    @Test
    void aWrappedCommandIsConfinedAndHasItsOwnInputDirectoryAndStatus() throws Exception {
        try (Sandbox sandbox = Live.LANDLOCK.open(profile)) {
            Invocation line = sandbox.wrap(sh("cat; pwd; echo x > made && cat made; cat " + canary + "; exit 7"));
            for (int times = 0; times < 2; times++) {
                Ended ended = start(line, "input\n");
                assertEquals(7, ended.status(), ended.complained());
                assertEquals("input\n" + profile.workspace() + "\nx\n", ended.said());
                assertTrue(ended.complained().contains(canary.toString()), ended.complained());
            }
            Invocation granted = sandbox.with(
                            profile.toBuilder().readable(canary).build())
                    .wrap(Command.of("cat", canary.toString()));
            assertEquals("sings", start(granted, "").said());
        }
    }

    @Test
    @Tag("M05")
    void nothingOfTheStartersEnvironmentGetsThroughAndNoValueIsInTheLine() throws Exception {
        try (Sandbox sandbox = Live.LANDLOCK.open(profile)) {
            Command command = Command.of("env").environment(Map.of("MINE", "hunter2 \n=ü'\\"));
            Invocation line = sandbox.wrap(command);
            assertFalse(line.argv().toString().contains("hunter2"), line.argv().toString());
            assertEquals(Map.of(), line.environment());
            Ended ended = start(line, "");
            assertTrue(ended.said().contains("MINE=hunter2 \n=ü'\\\n"), ended.said());
            assertFalse(ended.said().contains("POLLUTION") || ended.said().contains("polluted"), ended.said());
            assertEquals("", ended.complained());
        }
    }

    @Test
    void theCommandIsTheStartedProcessAndHasNoChildOfOurs() throws Exception {
        try (Sandbox sandbox = Live.LANDLOCK.open(profile)) {
            Invocation line = sandbox.wrap(sh("read x; cat /proc/$$/comm /proc/$$/task/$$/children; echo;"
                    + " grep -E 'NoNewPrivs|Seccomp:|CapEff' /proc/$$/status; kill -0 $PPID || echo kept in"));
            List<String> said = start(line, "\n").said().lines().toList();
            assertEquals("sh", said.get(0), said.toString());
            // The only child is the cat that reads this.
            assertTrue(said.get(1).strip().matches("\\d+"), said.toString());
            assertEquals(List.of("CapEff:\t0000000000000000", "NoNewPrivs:\t1", "Seccomp:\t2"), said.subList(2, 5));
            if (LandlockAbi.reported(new Kernel().version()).scopesSignals()) {
                assertEquals("kept in", said.get(5));
            }
        }
    }

    @Test
    @Tag("A03")
    void theNetworkIsWhatTheProfileSays() throws Exception {
        Path probe = CProbe.into(profile.workspace());
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                Sandbox off = Live.LANDLOCK.open(profile)) {
            Command tcp = Command.of(probe.toString(), "tcp", Integer.toString(server.getLocalPort()));
            assertEquals("errno 97\n", start(off.wrap(tcp), "").said());
            assertEquals(
                    "worked\n", start(off.withNetwork(Network.ON).wrap(tcp), "").said());
        }
    }

    @Test
    void aLineOfAClosedSandboxRunsNothing() throws Exception {
        Invocation line;
        try (Sandbox sandbox = Live.LANDLOCK.open(profile)) {
            line = sandbox.wrap(sh("touch ran"));
            assertEquals(0, start(line, "").status());
            Files.delete(profile.workspace().resolve("ran"));
        }
        Ended ended = start(line, "");
        assertEquals(125, ended.status());
        assertTrue(ended.complained().contains("is closed"), ended.complained());
        assertFalse(Files.exists(profile.workspace().resolve("ran")));
    }

    @Test
    void whatWouldNotRunIsSaidWhenItIsWrapped() {
        try (Sandbox sandbox = Live.LANDLOCK.open(profile)) {
            LaunchException missing =
                    assertThrows(LaunchException.class, () -> sandbox.wrap(Command.of("no-such-program")));
            assertEquals(127, missing.exitStatus());
        }
    }

    @Test
    void whatIsRecordedIsReadAgain() throws Exception {
        Profile all = Profile.builder(profile.workspace())
                .workspaceReadOnly()
                .reads(Profile.Reads.HOST)
                .tmp(Profile.Tmp.SHARED)
                .network(Network.LOOPBACK)
                .readable(Path.of("/a b"), Path.of("/a b/ü"))
                .hidden(Path.of("/a b/c"))
                .writable(Path.of("/a b/c/d"))
                .build();
        Recorded recorded = new Recorded(
                all,
                "facts",
                true,
                Optional.of(Path.of("/told")),
                Path.of("/t"),
                Path.of("/d"),
                Map.of("A", "\n\\u0041=:#!", "B", ""));
        assertEquals(recorded, Recorded.read(new java.io.ByteArrayInputStream(recorded.bytes())));
        assertFalse(recorded.toString().contains("u0041"));
    }
}
