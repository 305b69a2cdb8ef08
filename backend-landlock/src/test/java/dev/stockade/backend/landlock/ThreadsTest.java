package dev.stockade.backend.landlock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.stockade.api.Command;
import dev.stockade.api.Profile;
import dev.stockade.api.Sandbox;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Confinement stays where it belongs. */
@Timeout(120)
class ThreadsTest {

    @TempDir
    Path workspace;

    @BeforeEach
    void needsLandlock() {
        Live.required();
    }

    static boolean anyConfined() throws InterruptedException {
        // A keeper hears of the end of its command before anybody else, and has then still to end itself.
        for (int i = 0; i < 100; i++) {
            if (confinedThreads() == 0) {
                return false;
            }
            Thread.sleep(10);
        }
        return true;
    }

    private static long confinedThreads() {
        try (var tasks = Files.list(Path.of("/proc/self/task"))) {
            return tasks.filter(task -> {
                        try {
                            String status = Files.readString(task.resolve("status"));
                            return status.contains("NoNewPrivs:\t1") || status.contains("Seccomp:\t2");
                        } catch (IOException e) {
                            return false;
                        }
                    })
                    .count();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
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
                        return Files.readString(Path.of("/proc", Long.toString(child.pid()), "stat"))
                                .contains(") Z ");
                    } catch (IOException e) {
                        return false;
                    }
                })
                .count();
    }

    @Test
    void aThousandRunsLeaveNothingBehind() throws Exception {
        try (Sandbox sandbox = Live.LANDLOCK.open(Profile.builder(workspace).build())) {
            for (int i = 0; i < 50; i++) {
                sandbox.run(Command.of("true"));
            }
            long descriptors = descriptors();
            int threads = Thread.activeCount();
            for (int i = 0; i < 1000; i++) {
                assertEquals(0, sandbox.run(Command.of("true")).exitStatus());
            }
            assertFalse(anyConfined());
            assertEquals(0, zombies());
            assertTrue(descriptors() <= descriptors + 3, descriptors + " became " + descriptors());
            assertTrue(Thread.activeCount() <= threads + 3, threads + " became " + Thread.activeCount());
        }
    }

    /** Each refused start is followed by another: had one kept a descriptor, there would be none that succeeds. */
    @Test
    void whereDescriptorsAreUsedUpItIsSaidAndNoStartKeepsOne() throws Exception {
        Process process = OtherJvm.run(
                        List.of("sh", "-c", "ulimit -n 120; exec \"$@\"", "sh"),
                        List.of("-XX:-MaxFDLimit"),
                        FewDescriptors.class,
                        workspace.toString())
                .start();
        List<String> said = process.inputReader().lines().toList();
        assertEquals(0, process.waitFor(), said.toString());
        assertTrue(said.get(said.size() - 1).matches("5 of 5 with \\d+"), said.toString());
        List<String> refusals = said.subList(0, said.size() - 1);
        assertTrue(
                refusals.stream().allMatch(line -> line.toLowerCase(Locale.ROOT).contains("too many open files")),
                refusals.toString());
    }

    @Test
    void fiftyAtOnceFromVirtualThreadsConfineNoCarrier() throws Exception {
        try (Sandbox sandbox = Live.LANDLOCK.open(Profile.builder(workspace).build());
                var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int round = 0; round < 4; round++) {
                var runs = IntStream.range(0, 50)
                        .mapToObj(i -> callers.submit(() ->
                                sandbox.run(Command.of("sh", "-c", "exit " + i)).exitStatus()))
                        .toList();
                for (int i = 0; i < 50; i++) {
                    assertEquals(i, runs.get(i).get());
                }
            }
            assertFalse(anyConfined());
        }
    }
}
