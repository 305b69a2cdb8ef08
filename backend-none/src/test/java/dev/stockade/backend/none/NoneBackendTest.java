package dev.stockade.backend.none;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.stockade.api.Backends;
import dev.stockade.api.Command;
import dev.stockade.api.Invocation;
import dev.stockade.api.LaunchException;
import dev.stockade.api.Limits;
import dev.stockade.api.Outcome;
import dev.stockade.api.Profile;
import dev.stockade.api.ProfileNotSupportedException;
import dev.stockade.api.Result;
import dev.stockade.api.Sandbox;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NoneBackendTest {

    @TempDir
    Path workspace;

    private Sandbox open() {
        return Backends.of(new NoneBackend())
                .only("none")
                .open(Profile.builder(workspace).build());
    }

    @Test
    @Tag("M06")
    void givesTheReducedEnvironmentOnly() throws Exception {
        try (Sandbox sandbox = open()) {
            Result result = sandbox.run(Command.of("env").environment(Map.of("ADDED", "a b'c")));
            assertEquals(0, result.exitStatus(), result.stderr()::text);
            for (String line : result.stdout().text().lines().toList()) {
                assertTrue(line.matches("(PATH|HOME|LANG|LC_ALL|TZ|ADDED)=.*"), line);
            }
            assertTrue(result.stdout().text().contains("ADDED=a b'c"));
        }
    }

    @Test
    void claimsNothing() {
        try (Sandbox sandbox = open()) {
            assertTrue(sandbox.capabilities().canReachNetwork());
            assertTrue(sandbox.capabilities().reachesBeyondWorkspace());
        }
    }

    @Test
    void isNeverChosenWithoutBeingNamed() {
        Profile profile = Profile.builder(workspace).build();
        assertThrows(
                RuntimeException.class, () -> Backends.of(new NoneBackend()).open(profile));
    }

    @Test
    void wrapsSoThatWhatTheStarterAddsIsNotSeen() throws Exception {
        try (Sandbox sandbox = open()) {
            Invocation invocation =
                    sandbox.wrap(Command.of("env").environment(Map.of("TOKEN", "it's\n\"secret\" $HOME")));
            assertFalse(invocation.argv().toString().contains("secret"));
            ProcessBuilder builder = new ProcessBuilder(invocation.argv());
            builder.environment().put("LEAKED", "yes");
            builder.environment().putAll(invocation.environment());
            Process process = builder.start();
            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertEquals(0, process.waitFor());
            assertFalse(printed.contains("LEAKED"), printed);
            assertTrue(printed.contains("TOKEN=it's\n\"secret\" $HOME"), printed);
        }
    }

    @Test
    @Tag("M07")
    void refusesLimitsItCannotHold() {
        Profile profile = Profile.builder(workspace)
                .limits(Limits.NONE.memoryBytes(1 << 20).processes(3))
                .build();
        ProfileNotSupportedException refused = assertThrows(
                ProfileNotSupportedException.class,
                () -> Backends.of(new NoneBackend()).only("none").open(profile));
        assertTrue(refused.getMessage().contains("limits.memory"));
        assertTrue(refused.getMessage().contains("limits.processes"));
    }

    @Test
    @Tag("S14")
    void reportsAMissingProgramAsNotFound() {
        try (Sandbox sandbox = open()) {
            LaunchException failure =
                    assertThrows(LaunchException.class, () -> sandbox.run(Command.of("no-such-program")));
            assertEquals(127, failure.exitStatus());
        }
    }

    @Test
    @Tag("S15")
    void executesWhatTheCommandsOwnPathHoldsFirst() throws Exception {
        Path own = Files.createDirectory(workspace.resolve("own"));
        Path program = Files.writeString(own.resolve("ls"), "#!/bin/sh\necho the command\\'s own: \"$1\"\n");
        assertTrue(program.toFile().setExecutable(true));
        try (Sandbox sandbox = open()) {
            Command command = Command.of("ls", "a b").environment(Map.of("PATH", "own:/usr/bin:/bin"));
            assertEquals(
                    "the command's own: a b\n", sandbox.run(command).stdout().text());
            assertEquals("own\n", sandbox.run(Command.of("ls")).stdout().text());
        }
    }

    @Test
    void endsWhatTakesTooLong() throws Exception {
        try (Sandbox sandbox = open()) {
            Duration limit = Duration.ofMillis(300);
            Result result = sandbox.run(Command.of("sleep", "60").timeout(limit));
            assertEquals(new Outcome.TimedOut(limit), result.outcome());
            assertTrue(result.took().compareTo(Duration.ofSeconds(10)) < 0);
        }
    }
}
