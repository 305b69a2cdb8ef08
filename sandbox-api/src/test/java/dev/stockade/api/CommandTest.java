package dev.stockade.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CommandTest {

    @TempDir
    Path temporary;

    private Path here;

    @BeforeEach
    void findDirectory() throws IOException {
        here = temporary.toRealPath();
    }

    private static boolean all(Path file) {
        return true;
    }

    private Path program(String name) throws IOException {
        Path file = here.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/bin/sh\n");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private Path resolved(String program, String path) {
        return Command.of(program).resolveExecutable(here, path, CommandTest::all);
    }

    private LaunchException unresolved(int status, String program, String path, Predicate<Path> visible) {
        LaunchException failure =
                assertThrows(LaunchException.class, () -> Command.of(program).resolveExecutable(here, path, visible));
        assertEquals(status, failure.exitStatus(), failure.getMessage());
        assertTrue(failure.getMessage().startsWith(program + ": "), failure.getMessage());
        return failure;
    }

    @Test
    @Tag("M12")
    void keepsArgumentsAsTheyAre() {
        List<String> given = new ArrayList<>(List.of("printf", "a b", "", "*"));
        Command command = Command.of(given);
        given.set(1, "changed");
        assertEquals(List.of("printf", "a b", "", "*"), command.argv());
        assertThrows(UnsupportedOperationException.class, () -> command.argv().add("more"));
    }

    @Test
    void refusesWhatNoProgramCanBeGiven() {
        assertThrows(IllegalArgumentException.class, Command::of);
        assertThrows(IllegalArgumentException.class, () -> Command.of(""));
        assertThrows(IllegalArgumentException.class, () -> Command.of("printf", "a\0b"));
        assertThrows(IllegalArgumentException.class, () -> Command.of("true").withArgv(List.of()));
        assertThrows(IllegalArgumentException.class, () -> Command.of("true").timeout(Duration.ZERO));
        assertThrows(IllegalArgumentException.class, () -> Command.of("true").timeout(Duration.ofSeconds(-1)));
        assertThrows(IllegalArgumentException.class, () -> Command.of("true").captureBytes(-1));
    }

    @Test
    @Tag("M05")
    void showsNoValueOfAVariable() {
        Command command = Command.of("env").environment(Map.of("TOKEN", "s3cret"));
        assertFalse(command.toString().contains("s3cret"));
        assertTrue(command.toString().contains("TOKEN"));
        for (Map<String, String> wrong : List.of(Map.of("A=s3cret", "s3cret"), Map.of("A", "s3cret\0"))) {
            Exception refusal = assertThrows(IllegalArgumentException.class, () -> command.environment(wrong));
            assertFalse(refusal.toString().contains("s3cret"), refusal::toString);
        }
    }

    @Test
    void changesCopiesOnly() {
        byte[] bytes = "in".getBytes(UTF_8);
        Command plain = Command.of("cat");
        Command fed = plain.input(bytes)
                .directory(Path.of("below"))
                .timeout(Duration.ofSeconds(1))
                .captureBytes(5);
        bytes[0] = 'X';
        assertArrayEquals("in".getBytes(UTF_8), fed.input().orElseThrow());
        fed.input().orElseThrow()[0] = 'X';
        assertArrayEquals("in".getBytes(UTF_8), fed.input().orElseThrow());
        assertEquals(Optional.empty(), plain.input());
        assertEquals(Optional.empty(), plain.directory());
        assertEquals(Optional.empty(), plain.timeout());
        Command wrapped = fed.withArgv(List.of("time", "cat"));
        assertEquals(List.of("time", "cat"), wrapped.argv());
        assertEquals(fed.directory(), wrapped.directory());
        assertEquals(5, wrapped.captureBytes());
        assertTrue(plain.attached().isAttached());
        assertFalse(plain.isAttached());
        assertEquals(Redirect.PIPE, plain.attached().input(bytes).stdin());
    }

    @Test
    @Tag("M11")
    void givesAShellTheLineAsOneArgument() {
        List<String> argv = Command.shell("echo \"$HOME\" 'x'; exit 3").argv();
        assertEquals("sh", argv.get(0));
        assertEquals("echo \"$HOME\" 'x'; exit 3", argv.get(argv.size() - 1));
    }

    @Test
    @Tag("S15")
    void takesTheFirstExecutableOnThePath() throws IOException {
        Path second = program("b/tool");
        program("c/tool");
        Files.createDirectories(here.resolve("a"));
        Files.writeString(here.resolve("a/tool"), "not executable");
        assertEquals(second, resolved("tool", here + "/none:" + here + "/a:" + here + "/b:" + here + "/c"));
        Files.createDirectories(here.resolve("d/tool"));
        assertEquals(second, resolved("tool", here + "/d:" + here + "/b"));
    }

    @Test
    @Tag("S15")
    void takesRelativeAndEmptyEntriesFromTheDirectory() throws IOException {
        Path below = program("bin/tool");
        Path own = program("tool");
        assertEquals(below, resolved("tool", "bin"));
        assertEquals(below, resolved("tool", "./bin/../bin:"));
        assertEquals(own, resolved("tool", ""));
        assertEquals(own, resolved("tool", ":" + here + "/bin"));
        assertEquals(below, resolved("tool", here + "/bin:"));
        assertEquals(own, resolved("tool", "none::none"));
    }

    @Test
    @Tag("S15")
    void takesAPathFromTheDirectoryAndNotFromThePath() throws IOException {
        Path below = program("bin/tool");
        program("other/bin/tool");
        assertEquals(below, resolved("bin/tool", here + "/other"));
        assertEquals(below, resolved("./bin/../bin/tool", ""));
        assertEquals(below, resolved(below.toString(), ""));
        unresolved(127, "./tool", here + "/bin", CommandTest::all);
    }

    @Test
    @Tag("S15")
    void givesTheRealPath() throws IOException {
        Path real = program("lib/tool-1.2");
        Files.createDirectories(here.resolve("bin"));
        Files.createSymbolicLink(here.resolve("bin/tool"), Path.of("../lib/tool-1.2"));
        assertEquals(real, resolved("tool", here + "/bin"));
        assertEquals(real, resolved("bin/tool", ""));
    }

    @Test
    @Tag("S14")
    void tellsNotFoundFromNotExecutable() throws IOException {
        Files.writeString(here.resolve("data"), "x");
        Files.createDirectories(here.resolve("directory"));
        Files.createSymbolicLink(here.resolve("dangling"), Path.of("nowhere"));
        unresolved(127, "tool", here.toString(), CommandTest::all);
        unresolved(127, "./tool", "", CommandTest::all);
        unresolved(127, "./dangling", "", CommandTest::all);
        unresolved(127, "./data/tool", "", CommandTest::all);
        unresolved(126, "./data", "", CommandTest::all);
        unresolved(126, "data", here.toString(), CommandTest::all);
        unresolved(126, "./directory", "", CommandTest::all);
        unresolved(126, "directory", here.toString(), CommandTest::all);
        unresolved(126, "/", "", CommandTest::all);
    }

    @Test
    @Tag("S14")
    void saysThatTheWayIsBarred() throws IOException {
        program("barred/tool");
        assumeFalse(Files.getAttribute(here, "unix:uid").equals(0), "root is barred from nothing");
        Files.setPosixFilePermissions(here.resolve("barred"), PosixFilePermissions.fromString("rw-------"));
        try {
            unresolved(126, "barred/tool", "", CommandTest::all);
        } finally {
            Files.setPosixFilePermissions(here.resolve("barred"), PosixFilePermissions.fromString("rwx------"));
        }
    }

    @Test
    @Tag("S15")
    void passesOverWhatTheCommandCannotSee() throws IOException {
        Path seen = program("seen/tool");
        Path unseen = program("unseen/tool");
        Predicate<Path> visible = file -> !file.startsWith(unseen.getParent());
        String path = here + "/unseen:" + here + "/seen";
        assertEquals(seen, Command.of("tool").resolveExecutable(here, path, visible));
        assertEquals(unseen, Command.of("tool").resolveExecutable(here, path, CommandTest::all));
        LaunchException failure = unresolved(127, "tool", here + "/unseen", visible);
        assertTrue(failure.getMessage().contains("does not show " + unseen), failure.getMessage());
    }

    @Test
    @Tag("S14")
    void takesNoNameForAFailureOfItsOwn() {
        unresolved(127, "x".repeat(5000), here.toString(), CommandTest::all);
        unresolved(127, "./" + "x".repeat(5000), here.toString(), CommandTest::all);
        unresolved(127, "tool", "\uD800", CommandTest::all);
        unresolved(127, "\uD800", here.toString(), CommandTest::all);
    }
}
