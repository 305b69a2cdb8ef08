package dev.stockade.posix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.stockade.api.Command;
import dev.stockade.api.LaunchException;
import dev.stockade.api.spi.Launch;
import dev.stockade.api.spi.Spawner.Started;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class SpawnTest {

    private static final PosixSpawnerProvider SPAWNER = new PosixSpawnerProvider();
    private static final Command PIPES = Command.of("unused");

    @TempDir
    Path directory;

    private Launch sh(String script) {
        return launch("/bin/sh", "-c", script);
    }

    private Launch launch(String... argv) {
        return Launch.of(List.of(argv), Map.of("PATH", "/usr/bin:/bin"), directory);
    }

    private static Process start(Launch launch) {
        return SPAWNER.spawn(launch, PIPES).process();
    }

    private static String output(Launch launch) throws IOException {
        return text(start(launch).getInputStream());
    }

    private static String text(InputStream stream) throws IOException {
        try (stream) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void worksHere() {
        assertTrue(SPAWNER.availability().isAvailable(), SPAWNER.availability().toString());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 127, 255})
    void tellsTheStatus(int status) throws Exception {
        Process process = start(sh("exit " + status));
        assertEquals(status, process.waitFor());
        assertEquals(status, process.exitValue());
        assertFalse(process.isAlive());
        assertEquals(status, process.onExit().get().exitValue());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 9, 15, 31})
    void tellsASignalAs128AndItsNumber(int signal) throws Exception {
        assertEquals(128 + signal, start(sh("kill -" + signal + " $$")).waitFor());
    }

    @Test
    void findsABareNameOnTheCommandsOwnPath() throws Exception {
        Launch found = Launch.of(List.of("true"), Map.of("PATH", "/nowhere:/usr/bin:/bin"), Path.of("/"));
        assertEquals(0, start(found).waitFor());
        Launch lost = Launch.of(List.of("true"), Map.of("PATH", "/nowhere"), Path.of("/"));
        assertThrows(LaunchException.class, () -> start(lost));
    }

    @Test
    void withoutAPathLooksInTheSystemsDirectoriesAndNotInItsOwn() throws Exception {
        Path planted = Files.writeString(directory.resolve("true"), "#!/bin/sh\nexit 9\n");
        assertTrue(planted.toFile().setExecutable(true));
        assertEquals(0, start(Launch.of(List.of("true"), Map.of(), directory)).waitFor());
    }

    @Test
    void carriesBytesBothWays() throws Exception {
        byte[] bytes = new byte[300_000];
        new Random(1).nextBytes(bytes);
        Process process = start(launch("/bin/cat"));
        Thread feeding = new Thread(() -> {
            try (OutputStream stdin = process.getOutputStream()) {
                stdin.write(bytes);
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        });
        feeding.start();
        assertEquals(
                new String(bytes, StandardCharsets.ISO_8859_1),
                new String(process.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1));
        assertEquals(0, process.waitFor());
    }

    @Test
    void keepsErrorsApartFromOutput() throws Exception {
        Process process = start(sh("echo out; echo err >&2"));
        assertEquals("out\n", text(process.getInputStream()));
        assertEquals("err\n", text(process.getErrorStream()));
    }

    @Test
    void outputCanBeReadAfterTheEnd() throws Exception {
        Process process = start(sh("echo late"));
        process.waitFor();
        assertEquals("late\n", text(process.getInputStream()));
    }

    @Test
    void givesArgumentsVariablesAndDirectoryAsTheyAre() throws Exception {
        Launch launch = Launch.of(
                List.of("/bin/sh", "-c", "printf '%s|' \"$@\"; pwd; env | sort", "sh", "a b", "", "ü\n"),
                Map.of("A", "1 2", "PATH", "/bin"),
                directory);
        String[] lines = output(launch).split("\n");
        assertEquals("a b||ü", lines[0]);
        assertEquals("|" + directory.toRealPath(), lines[1]);
        assertEquals(
                List.of("A=1 2", "PATH=/bin", "PWD=" + directory.toRealPath()),
                List.of(lines).subList(2, lines.length));
    }

    @Test
    void feedsDescriptorsAndReadsTheStatusChannel() throws Exception {
        Launch launch = sh("cat <&3; cat <&9; echo said >&5; exit 4")
                .feed(3, "three ".getBytes(StandardCharsets.UTF_8))
                .feed(9, "nine".getBytes(StandardCharsets.UTF_8))
                .status(5, (status, channel) -> java.util.Optional.empty());
        Started started = SPAWNER.spawn(launch, PIPES);
        assertEquals("three nine", text(started.process().getInputStream()));
        assertEquals(4, started.process().waitFor());
        assertEquals("said\n", started.status().get());
    }

    @Test
    void givesNoOtherDescriptorAway() throws Exception {
        Linux linux = LinuxSpawner.calls();
        try (var arena = java.lang.foreign.Arena.ofConfined()) {
            long leaking = linux.openat(Linux.AT_FDCWD, CStrings.of(arena, "/etc"), Linux.O_RDONLY, 0);
            try {
                String open = output(launch("/bin/ls", "/proc/self/fd"));
                assertEquals(List.of("0", "1", "2", "3"), open.lines().sorted().toList(), "3 is what ls itself opened");
            } finally {
                linux.close((int) leaking);
            }
        }
    }

    @Test
    void redirectsToFiles() throws Exception {
        Path in = Files.writeString(directory.resolve("in"), "asked");
        Path out = Files.writeString(directory.resolve("out"), "old");
        Path log = Files.writeString(directory.resolve("log"), "first ");
        Command stdio =
                PIPES.redirect(Redirect.from(in.toFile()), Redirect.to(out.toFile()), Redirect.appendTo(log.toFile()));
        Process process = SPAWNER.spawn(sh("cat; printf second >&2"), stdio).process();
        assertEquals(0, process.waitFor());
        assertEquals("asked", Files.readString(out));
        assertEquals("first second", Files.readString(log));
        assertEquals(-1, process.getInputStream().read());
    }

    @Test
    void saysThatARedirectionCannotBeOpened() {
        Command stdio =
                PIPES.redirect(Redirect.from(directory.resolve("no").toFile()), Redirect.DISCARD, Redirect.DISCARD);
        LaunchException e = assertThrows(LaunchException.class, () -> SPAWNER.spawn(sh(":"), stdio));
        assertTrue(e.getMessage().contains("no such file"), e.getMessage());
    }

    @Test
    void tellsNotFoundFromNotExecutable() throws IOException {
        Path text = Files.writeString(directory.resolve("text"), "x");
        assertEquals(
                127,
                assertThrows(LaunchException.class, () -> start(launch("/no/such")))
                        .exitStatus());
        assertEquals(
                126,
                assertThrows(LaunchException.class, () -> start(launch(text.toString())))
                        .exitStatus());
    }

    @Test
    void runsAScriptWithoutAFirstLine() throws Exception {
        Path script = Files.writeString(directory.resolve("script"), "exit 6");
        assertTrue(script.toFile().setExecutable(true));
        assertEquals(6, start(launch(script.toString())).waitFor());
    }

    @Test
    void saysThatTheArgumentsAreTooLong() {
        LaunchException e =
                assertThrows(LaunchException.class, () -> start(launch("/bin/true", "x".repeat(5_000_000))));
        assertTrue(e.getMessage().contains("arguments are longer"), e.getMessage());
    }

    @Test
    void startsWithNoSignalBlockedOrIgnored() throws Exception {
        String status = output(launch("/bin/grep", "-E", "SigBlk|SigIgn", "/proc/self/status"));
        assertTrue(status.contains("SigBlk:\t0000000000000000"), status);
        assertTrue(
                status.contains("SigIgn:\t000000000000000") && !status.contains("SigIgn:\t0000000000000008"), status);
    }

    @Test
    void endsPolitelyAndForGood() throws Exception {
        Process polite = start(sh("trap 'exit 3' TERM; echo ready; while :; do sleep 0.01; done"));
        assertEquals('r', polite.getInputStream().read());
        polite.destroy();
        assertEquals(3, polite.waitFor());

        Process stubborn = start(sh("trap '' TERM; echo ready; while :; do sleep 0.01; done"));
        assertEquals('r', stubborn.getInputStream().read());
        stubborn.destroy();
        assertFalse(stubborn.waitFor(50, TimeUnit.MILLISECONDS));
        assertThrows(IllegalThreadStateException.class, stubborn::exitValue);
        stubborn.destroyForcibly();
        assertEquals(137, stubborn.waitFor());
        stubborn.destroyForcibly();
    }

    @Test
    void isAProcessLikeAnyOther() throws Exception {
        Process process = start(launch("/bin/sleep", "30"));
        assertTrue(process.toHandle().isAlive());
        assertEquals(process.pid(), process.toHandle().pid());
        assertTrue(ProcessHandle.current().children().anyMatch(child -> child.pid() == process.pid()));
        assertTrue(process.supportsNormalTermination());
        assertTrue(
                process.info().command().orElse("").endsWith("sleep"),
                process.info().toString());
        process.destroyForcibly();
        assertEquals(
                137,
                process.toHandle()
                        .onExit()
                        .thenCombine(process.onExit(), (a, b) -> b.exitValue())
                        .get());
    }

    @Test
    void aSlowCallbackHoldsNothingUp() throws Exception {
        Process slow = start(launch("/bin/true"));
        var _ = slow.onExit().thenRun(() -> {
            try {
                Thread.sleep(3000);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        long from = System.nanoTime();
        assertEquals(0, start(launch("/bin/true")).waitFor());
        assertTrue(System.nanoTime() - from < TimeUnit.SECONDS.toNanos(2));
    }

    @Test
    void leavesNeitherZombiesNorDescriptors() throws Exception {
        for (int i = 0; i < 20; i++) {
            start(launch("/bin/true")).waitFor();
        }
        long before = descriptors();
        for (int i = 0; i < 300; i++) {
            start(sh("echo x; echo y >&2")).waitFor();
        }
        assertTrue(descriptors() <= before + 5, before + " became " + descriptors());
        assertEquals(0, zombies());
    }

    @Test
    void worksForManyAtOnce() throws Exception {
        try (var many = java.util.concurrent.Executors.newVirtualThreadPerTaskExecutor()) {
            var results = java.util.stream.IntStream.range(0, 50)
                    .mapToObj(i -> many.submit(() -> start(sh("exit " + i)).waitFor()))
                    .toList();
            for (int i = 0; i < 50; i++) {
                assertEquals(i, results.get(i).get());
            }
        }
    }

    private static long descriptors() throws IOException {
        try (var open = Files.list(Path.of("/proc/self/fd"))) {
            return open.count();
        }
    }

    private static long zombies() {
        return ProcessHandle.current()
                .children()
                .filter(child -> {
                    try {
                        return Files.readString(Path.of("/proc", child.pid() + "", "stat"))
                                .contains(") Z ");
                    } catch (IOException e) {
                        return false;
                    }
                })
                .count();
    }
}
