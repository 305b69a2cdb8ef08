package dev.stockade.api.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.stockade.api.LaunchException;
import dev.stockade.api.LaunchException.Fault;
import dev.stockade.api.Profile;
import dev.stockade.api.Profile.Tmp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScratchTest {

    @TempDir
    Path temporary;

    private Path workspace;
    private int uid;

    @BeforeEach
    void makeWorkspace() throws IOException {
        workspace = Files.createDirectory(temporary.toRealPath().resolve("workspace"));
        uid = LocalHost.INSTANCE.uid();
    }

    private static String mode(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    @Test
    @Tag("S19")
    void isPrivateAndGoneAfterwards() throws IOException {
        Scratch scratch = Scratch.create(Profile.builder(workspace).build(), LocalHost.INSTANCE);
        try (scratch) {
            assertEquals("rwx------", mode(scratch.directory()));
            assertEquals("rwx------", mode(scratch.directory("tmp")));
            assertEquals("rw-------", mode(Scratch.file(scratch.directory(), "feed", new byte[] {1})));
            assertEquals(uid, Files.getAttribute(scratch.directory(), "unix:uid"));
            try (Scratch other = Scratch.create(Profile.builder(workspace).build(), LocalHost.INSTANCE)) {
                assertNotEquals(scratch.directory(), other.directory());
            }
            assertTrue(Files.exists(scratch.directory()));
        }
        assertFalse(Files.exists(scratch.directory()));
    }

    @Test
    void liesOutsideOfEveryGrant() {
        for (Path place : new Path[] {Path.of("/run"), Path.of("/tmp"), Path.of("/var/tmp")}) {
            Profile profile = Profile.builder(workspace).readable(place).build();
            try (Scratch scratch = Scratch.create(profile, LocalHost.INSTANCE)) {
                assertFalse(scratch.directory().startsWith(place), scratch.directory()::toString);
            }
        }
        Profile shared = Profile.builder(workspace).tmp(Tmp.SHARED).build();
        try (Scratch scratch = Scratch.create(shared, LocalHost.INSTANCE)) {
            assertFalse(scratch.directory().startsWith("/tmp"));
        }
        Profile.Builder everything =
                Profile.builder(workspace).readable(Path.of("/run"), Path.of("/tmp"), Path.of("/var"));
        String runtime = System.getenv().getOrDefault("XDG_RUNTIME_DIR", "");
        Profile profile = (runtime.isEmpty() ? everything : everything.readable(Path.of(runtime))).build();
        LaunchException failure =
                assertThrows(LaunchException.class, () -> Scratch.create(profile, LocalHost.INSTANCE));
        assertEquals(Fault.PROFILE, failure.fault());
    }

    @Test
    void sweepsWhatTheDeadHaveLeftAndNothingElse() throws Exception {
        Path dead = abandoned("stockade-1-1-dead");
        Files.createFile(dead.resolve(".alive"));
        Path halfMade = abandoned("stockade-1-1-half");
        Path young = abandoned("stockade-1-1-young");
        Files.setLastModifiedTime(halfMade, FileTime.from(Instant.now().minusSeconds(86_400)));
        Path other = Files.createDirectory(temporary.resolve("other"));
        Path link = Files.createSymbolicLink(temporary.resolve("stockade-1-1-link"), other);
        Path fifo = abandoned("stockade-1-1-fifo");
        assertEquals(
                0,
                new ProcessBuilder("mkfifo", fifo.resolve(".alive").toString())
                        .start()
                        .waitFor());
        Path planted = abandoned("stockade-1-1-planted");
        Files.createSymbolicLink(planted.resolve(".alive"), dead.resolve(".alive"));
        Scratch.sweep(temporary, uid + 1);
        assertTrue(Files.exists(dead), "another user's");
        Scratch.sweep(temporary, uid);
        assertFalse(Files.exists(dead));
        assertFalse(Files.exists(halfMade));
        for (Path left : new Path[] {young, other, link, fifo, planted}) {
            assertTrue(Files.exists(left, java.nio.file.LinkOption.NOFOLLOW_LINKS), left::toString);
        }
    }

    @Test
    void looksIntoWhatAYoungProcessMadeLaterOn() throws IOException {
        long now = System.currentTimeMillis();
        Path young = abandoned("stockade-1-" + (now - 1_000) + "-left");
        Path old = abandoned("stockade-1-" + (now - 61_000) + "-left");
        Path ofAnotherClock = abandoned("stockade-1-" + (now + 3_600_000) + "-left");
        for (Path left : new Path[] {young, old, ofAnotherClock}) {
            Files.createFile(left.resolve(".alive"));
        }
        Scratch.sweep(temporary, uid);
        assertTrue(Files.exists(young));
        assertFalse(Files.exists(old));
        assertFalse(Files.exists(ofAnotherClock));
    }

    private Path abandoned(String name) throws IOException {
        return Files.createDirectory(temporary.resolve(name));
    }

    /** Lives until its input ends. */
    static final class Owner {
        public static void main(String[] arguments) throws IOException {
            Path directory = Path.of(arguments[0]);
            try (Alive alive = Alive.in(directory).orElseThrow()) {
                System.out.write('k');
                System.out.flush();
                while (System.in.read() >= 0) {
                    assertTrue(alive != null);
                }
            }
        }
    }

    @Test
    void leavesTheLivingAlone() throws Exception {
        Path living = abandoned("stockade-2-2-living");
        Process owner = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin/java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        classPath(),
                        Owner.class.getName(),
                        living.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            assertEquals('k', owner.getInputStream().read());
            Scratch.sweep(temporary, uid);
            assertTrue(Files.exists(living));
        } finally {
            owner.destroyForcibly();
            owner.waitFor();
        }
        Scratch.sweep(temporary, uid);
        assertFalse(Files.exists(living));
    }

    private static String classPath() {
        return String.join(
                java.io.File.pathSeparator, location(Alive.class), location(ScratchTest.class), location(Test.class));
    }

    private static String location(Class<?> type) {
        return Path.of(java.net.URI.create(
                        type.getProtectionDomain().getCodeSource().getLocation().toString()))
                .toString();
    }

    @Test
    void leavesThisProcessesOwnAlone() {
        try (Scratch scratch = Scratch.create(Profile.builder(workspace).build(), LocalHost.INSTANCE)) {
            Scratch.sweep(scratch.directory().resolveSibling("").toAbsolutePath(), uid);
            assertTrue(Files.exists(scratch.directory()));
        }
    }
}
