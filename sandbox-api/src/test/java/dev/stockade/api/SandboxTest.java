package dev.stockade.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.stockade.api.LaunchException.Fault;
import dev.stockade.api.LaunchException.Phase;
import dev.stockade.api.spi.Launch;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

/** The runner, on commands that nothing confines. */
@Timeout(60)
class SandboxTest {

    @TempDir
    Path temporary;

    private Path workspace;
    private Sandbox sandbox;

    @BeforeEach
    void open() throws IOException {
        workspace = temporary.toRealPath();
        sandbox = opened(launch -> launch);
    }

    @AfterEach
    void close() {
        sandbox.close();
    }

    private Sandbox opened(UnaryOperator<Launch> change) {
        return Backends.of(FakeBackend.called("fake").launching(change))
                .only("fake")
                .open(Profile.builder(workspace).build());
    }

    private Result sh(String script) throws InterruptedException {
        return sandbox.run(Command.of("sh", "-c", script));
    }

    @Test
    @Tag("S16")
    void tellsHowItEndedWhatItPrintedAndWhatConfinedIt() throws Exception {
        Result result = sh("echo out; echo err >&2; exit 3");
        assertEquals(new Outcome.Exited(3), result.outcome());
        assertEquals(3, result.exitStatus());
        assertEquals("out\n", result.stdout().text());
        assertEquals("err\n", result.stderr().text());
        assertFalse(result.stdout().truncated());
        assertFalse(result.took().isZero());
        assertEquals("fake", result.backend());
        assertEquals(sandbox.capabilities(), result.capabilities());
        assertEquals(List.of(), result.notices());
        assertEquals(new Outcome.Signalled(9), sh("kill -9 $$").outcome());
    }

    @Test
    @Tag("S16")
    void keepsNoMoreThanAskedForOfAFlood() throws Exception {
        Runtime runtime = Runtime.getRuntime();
        runtime.gc();
        long before = runtime.totalMemory() - runtime.freeMemory();
        Result result = sandbox.run(Command.of("sh", "-c", "head -c 100000000 /dev/zero; echo end >&2")
                .captureBytes(10));
        runtime.gc();
        assertTrue(runtime.totalMemory() - runtime.freeMemory() - before < 20_000_000);
        assertEquals(10, result.stdout().bytes().length);
        assertTrue(result.stdout().truncated());
        assertEquals("end\n", result.stderr().text());
    }

    @Test
    void saysExactlyWhenSomethingIsMissing() throws Exception {
        Command five = Command.of("printf", "12345");
        for (int limit : new int[] {0, 4, 5, 6, Integer.MAX_VALUE}) {
            Result result = sandbox.run(five.captureBytes(limit));
            assertEquals(
                    "12345".substring(0, Math.min(limit, 5)), result.stdout().text());
            assertEquals(limit < 5, result.stdout().truncated());
        }
        Result dropped = sandbox.run(five.redirect(Redirect.PIPE, Redirect.DISCARD, Redirect.DISCARD));
        assertEquals("", dropped.stdout().text());
        assertFalse(dropped.stdout().truncated());
    }

    @Test
    void feedsMoreThanAPipeHolds() throws Exception {
        byte[] large = new byte[3_000_000];
        Arrays.fill(large, (byte) 'x');
        assertEquals(0, sandbox.run(Command.of("true").input(large)).exitStatus());
        assertEquals(0, sandbox.run(Command.of("sleep", "0.2").input(large)).exitStatus());
        Result echoed = sandbox.run(Command.of("cat").input(large).captureBytes(large.length));
        assertArrayEquals(large, echoed.stdout().bytes());
        // It prints more than a pipe holds before it reads a byte.
        Result flood = sandbox.run(Command.of("sh", "-c", "head -c 3000000 /dev/zero; cat >/dev/null; echo end >&2")
                .input(large)
                .captureBytes(10));
        assertEquals("end\n", flood.stderr().text());
        assertEquals("", sandbox.run(Command.of("cat")).stdout().text());
        assertEquals(
                "", sandbox.run(Command.of("cat").input(new byte[0])).stdout().text());
    }

    @Test
    void doesNotWaitForAProcessThatHoldsTheStreamsOpen() throws Exception {
        long from = System.nanoTime();
        Result result =
                sandbox.run(Command.of("sh", "-c", "sleep 20 & echo $!; exit 4").input(new byte[1_000_000]));
        assertEquals(4, result.exitStatus());
        assertTrue(Duration.ofNanos(System.nanoTime() - from).toSeconds() < 15);
        // Whether it counts as truncated depends on when the JDK noticed the exit: it then ends the stream.
        long left = Long.parseLong(result.stdout().text().strip());
        ProcessHandle.of(left).ifPresent(ProcessHandle::destroyForcibly);
    }

    @Test
    void endsItWhenItsTimeIsUp() throws Exception {
        Duration limit = Duration.ofMillis(300);
        Result polite =
                sandbox.run(Command.of("sh", "-c", "trap 'echo asked; exit 3' TERM; while :; do sleep 0.1; done")
                        .timeout(limit));
        assertEquals(new Outcome.TimedOut(limit), polite.outcome());
        assertEquals("asked\n", polite.stdout().text());
        Result deaf = sandbox.run(Command.of("sh", "-c", "trap '' TERM; while :; do sleep 0.1; done")
                .timeout(limit));
        assertEquals(124, deaf.exitStatus());
        Result early = sandbox.run(Command.of("true").timeout(Duration.ofSeconds(30)));
        assertEquals(new Outcome.Exited(0), early.outcome());
    }

    @Test
    void takesATimeLimitThatNeverComes() throws Exception {
        assertEquals(
                0,
                sandbox.run(Command.of("true").timeout(Duration.ofSeconds(Long.MAX_VALUE)))
                        .exitStatus());
    }

    @Test
    void startsAProcessLikeAnyOther() throws Exception {
        ConfinedProcess process = sandbox.start(Command.of("cat"));
        assertTrue(process.isAlive());
        assertThrows(IllegalThreadStateException.class, process::exitValue);
        try (OutputStream in = process.getOutputStream()) {
            in.write("hi".getBytes(UTF_8));
        }
        assertEquals("hi", new String(process.getInputStream().readAllBytes(), UTF_8));
        assertEquals(0, process.waitFor());
        assertSame(process, process.onExit().get());
        assertEquals(new Outcome.Exited(0), process.outcome());
        assertEquals(new Outcome.Exited(0), process.outcome());
        assertEquals(process.pid(), process.toHandle().pid());
    }

    @Test
    @Tag("M24")
    void startsInADirectoryInsideTheWorkspaceOnly() throws Exception {
        Path below = Files.createDirectory(workspace.resolve("below"));
        Files.createFile(workspace.resolve("file"));
        Files.createSymbolicLink(workspace.resolve("out"), Path.of("/usr"));
        Files.createSymbolicLink(workspace.resolve("in"), below);
        Command pwd = Command.of("pwd", "-P");
        for (Path inside : new Path[] {Path.of("below"), below, Path.of("in"), Path.of("below/../in/.")}) {
            assertEquals(
                    below + "\n", sandbox.run(pwd.directory(inside)).stdout().text());
        }
        assertEquals(workspace + "\n", sandbox.run(pwd).stdout().text());
        for (String wrong : new String[] {"/usr", "..", "out", "missing", "file", "below/../..", workspace + "x"}) {
            LaunchException failure =
                    assertThrows(LaunchException.class, () -> sandbox.run(pwd.directory(Path.of(wrong))), wrong);
            assertEquals(Phase.PREPARE, failure.phase());
            assertEquals(Fault.COMMAND, failure.fault());
        }
    }

    @Test
    @Tag("S14")
    void reportsAMissingProgramAsAPlainRunnerWould() {
        assertEquals(
                127,
                assertThrows(LaunchException.class, () -> sandbox.run(Command.of("no-such-program")))
                        .exitStatus());
        assertEquals(
                126,
                assertThrows(LaunchException.class, () -> sandbox.run(Command.of("/etc")))
                        .exitStatus());
    }

    @Test
    void saysThatTheArgumentsAreTooLong() {
        LaunchException failure =
                assertThrows(LaunchException.class, () -> sandbox.run(Command.of("true", "x".repeat(10_000_000))));
        assertEquals(Fault.COMMAND, failure.fault());
        assertTrue(failure.getMessage().contains("longer than this system allows"), failure.getMessage());
    }

    @Test
    void feedsDescriptorsAndReadsTheStatusChannel() throws Exception {
        byte[] large = new byte[1_000_000];
        Arrays.fill(large, (byte) 'x');
        UnaryOperator<Launch> feeding = launch -> launch.feed(3, "three".getBytes(UTF_8))
                .feed(9, large)
                .file("status", "a file".getBytes(UTF_8))
                .status(7, SandboxTest::lengthOf);
        ConfinedProcess late;
        LaunchException failure;
        try (Sandbox fed = opened(feeding)) {
            Result result = fed.run(Command.of("sh", "-c", "printf 1234 >&7; cat <&3; cat <&9 | wc -c"));
            assertEquals("three" + large.length, result.stdout().text().replaceAll("\\s", ""));
            assertEquals(4, result.exitStatus());
            late = fed.start(Command.of("sh", "-c", "echo never ran >&7"));
            failure = assertThrows(LaunchException.class, late::outcome);
        }
        assertSame(failure, assertThrows(LaunchException.class, late::outcome));
    }

    private static Optional<Outcome> lengthOf(int status, String channel) {
        return channel.contains("never ran") ? Optional.empty() : Optional.of(new Outcome.Exited(channel.length()));
    }

    @Test
    void keepsItsHeadWhenTheDecoderDoesNot() throws Exception {
        UnaryOperator<Launch> broken = launch -> launch.decodedBy((status, channel) -> {
            throw new IllegalStateException("what?");
        });
        try (Sandbox odd = opened(launch -> launch.argv().contains("odd") ? broken.apply(launch) : launch)) {
            LaunchException failure = assertThrows(LaunchException.class, () -> odd.run(Command.of("echo", "odd")));
            assertEquals(Fault.STOCKADE, failure.fault());
        }
    }

    @Test
    @Tag("S19")
    void givesATemporaryDirectoryThatGoesWithIt() throws Exception {
        Path tmp = sandbox.tmp().orElseThrow();
        assertTrue(Files.isDirectory(tmp));
        assertFalse(tmp.startsWith(workspace));
        sh("mkdir -p " + tmp + "/a/b; chmod 000 " + tmp + "/a");
        sandbox.close();
        assertFalse(Files.exists(tmp.getParent()));
    }

    @Test
    void endsWhatRunsWhenItsCallerIsInterruptedWheneverThatIs() throws Exception {
        for (int delay = 0; delay < 60; delay += 10) {
            String marker = "77." + delay + ProcessHandle.current().pid();
            Thread caller = new Thread(() -> {
                try {
                    sandbox.run(Command.of("sleep", marker));
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            caller.start();
            TimeUnit.MILLISECONDS.sleep(delay);
            caller.interrupt();
            caller.join();
            assertTrue(children(marker).findAny().isEmpty());
        }
    }

    private static Stream<ProcessHandle> children(String marker) {
        return ProcessHandle.current().children().filter(child -> {
            try {
                return Files.readString(Path.of("/proc/" + child.pid() + "/cmdline"))
                        .contains(marker);
            } catch (IOException e) {
                return false;
            }
        });
    }

    @Test
    @Tag("M13")
    void outlivesThePoolThreadThatStartedIt() throws Exception {
        List<ConfinedProcess> started = new ArrayList<>();
        Thread starter = new Thread(() -> started.add(sandbox.start(Command.of("sh", "-c", "sleep 0.5; exit 5"))));
        starter.start();
        starter.join();
        assertEquals(new Outcome.Exited(5), started.get(0).outcome());
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void runsFromVirtualThreads() throws Exception {
        ExecutorService virtual = (ExecutorService)
                Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        try {
            List<Future<Integer>> all = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                int status = i;
                all.add(virtual.submit(() -> sh("exit " + status).exitStatus()));
            }
            for (int i = 0; i < 20; i++) {
                assertEquals(i, all.get(i).get());
            }
        } finally {
            virtual.shutdown();
        }
    }

    @Test
    void endsWhatRunsAndStartsNothingMoreWhenItIsClosed() throws Exception {
        Path scratch = sandbox.tmp().orElseThrow().getParent();
        ConfinedProcess running = sandbox.start(Command.of("sleep", "60"));
        ExecutorService callers = Executors.newFixedThreadPool(8);
        try {
            List<Future<Boolean>> all = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                all.add(callers.submit(() -> {
                    try {
                        while (true) {
                            sandbox.start(Command.of("sleep", "60"));
                        }
                    } catch (IllegalStateException e) {
                        return true;
                    }
                }));
            }
            TimeUnit.MILLISECONDS.sleep(200);
            sandbox.close();
            for (Future<Boolean> each : all) {
                assertTrue(each.get());
            }
        } finally {
            callers.shutdown();
        }
        assertTrue(running.waitFor(5, TimeUnit.SECONDS));
        for (int attempt = 0;
                attempt < 100 && children("\0" + 60 + "\0").findAny().isPresent();
                attempt++) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
        assertTrue(children("\0" + 60 + "\0").findAny().isEmpty());
        assertFalse(Files.exists(scratch));
        sandbox.close();
        assertThrows(IllegalStateException.class, () -> sandbox.wrap(Command.of("true")));
    }

    @Test
    @Tag("S18")
    void wrapsOnlyWhatClearsTheEnvironmentAndNeedsNoSupervision() throws Exception {
        LaunchException failure = assertThrows(LaunchException.class, () -> sandbox.wrap(Command.of("true")));
        assertTrue(failure.getMessage().contains("environment"), failure.getMessage());
        UnaryOperator<Launch> clearing = launch -> {
            List<String> argv = new ArrayList<>(List.of("/usr/bin/env", "-i", "PATH=/usr/bin:/bin"));
            argv.addAll(launch.argv());
            return Launch.of(argv, launch.environment(), launch.directory())
                    .feed(3, "fed".getBytes(UTF_8))
                    .clearingEnvironment();
        };
        try (Sandbox own = opened(clearing)) {
            Invocation invocation = own.wrap(Command.of("cat", "/dev/fd/3"));
            for (int start = 0; start < 2; start++) {
                Process process = invocation.toProcessBuilder().start();
                assertEquals("fed", new String(process.getInputStream().readAllBytes(), UTF_8));
            }
            Command command = Command.of("true");
            assertThrows(LaunchException.class, () -> own.wrap(command.timeout(Duration.ofSeconds(1))));
            assertThrows(LaunchException.class, () -> own.wrap(command.input(new byte[1])));
        }
    }
}
