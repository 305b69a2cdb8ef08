package dev.stockade.posix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.stockade.api.Command;
import dev.stockade.api.LaunchException;
import dev.stockade.api.spi.Launch;
import dev.stockade.api.spi.Launch.Keeper;
import dev.stockade.api.spi.Launch.Step;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ConfinedStartTest {

    private static final PosixSpawnerProvider SPAWNER = new PosixSpawnerProvider();

    private final Launch launch = Launch.of(
            List.of("/bin/grep", "NoNewPrivs", "/proc/self/status"), Map.of("PATH", "/usr/bin:/bin"), Path.of("/"));

    /** Sets no_new_privs, which can be seen and belongs to a thread. */
    private static class Restricts implements Step {
        private final Linux linux = new ForeignLinux(Arena.ofAuto());

        @Override
        public int confine() {
            return (int) linux.prctl(Linux.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
        }

        @Override
        public String explain(int code) {
            return "code " + code;
        }
    }

    private static String run(Launch launch) throws Exception {
        Process process = SPAWNER.spawn(launch, Command.of("x")).process();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        process.waitFor();
        return said;
    }

    @Test
    void theCommandInheritsWhatTheStepDidAndNoThreadIsLeftWithIt() throws Exception {
        assertEquals("NoNewPrivs:\t0", run(launch));
        assertEquals("NoNewPrivs:\t1", run(launch.onThread(new Restricts())));
        assertTrue(restrictedThreads().isEmpty(), restrictedThreads().toString());
    }

    @Test
    void aStepThatFailsStartsNothingAndSaysWhy() {
        Step fails = new Restricts() {
            @Override
            public int confine() {
                return 42;
            }
        };
        LaunchException e = assertThrows(LaunchException.class, () -> run(launch.onThread(fails)));
        assertEquals("code 42", e.getMessage());
        assertEquals(LaunchException.Phase.CONFINE, e.phase());
    }

    @Test
    void aStepThatThrowsStartsNothing() {
        Step breaks = new Restricts() {
            @Override
            public int confine() {
                throw new IllegalStateException("broken");
            }
        };
        assertThrows(LaunchException.class, () -> run(launch.onThread(breaks)));
    }

    @Test
    void theKeeperEndsAfterTheCommandAndBeforeAnybodyHearsOfIt() throws Exception {
        AtomicInteger ended = new AtomicInteger();
        Keeper keeper = new Keeper() {
            @Override
            public int enclose() {
                return 0;
            }

            @Override
            public int end() {
                ended.incrementAndGet();
                return 0;
            }
        };
        Step kept = new Restricts() {
            @Override
            public Optional<Keeper> keeper() {
                return Optional.of(keeper);
            }
        };
        Launch slow =
                Launch.of(List.of("/bin/sleep", "0.2"), Map.of(), Path.of("/")).onThread(kept);
        Process process = SPAWNER.spawn(slow, Command.of("x")).process();
        assertEquals(0, ended.get());
        process.waitFor();
        assertEquals(1, ended.get());
        assertTrue(restrictedThreads().isEmpty());
    }

    @Test
    void whereTheKeeperFailsNothingIsConfinedOrStartedAndTheStepGivesBackWhatItHolds() {
        AtomicInteger discarded = new AtomicInteger();
        Step unkept = new Restricts() {
            @Override
            public int confine() {
                throw new AssertionError("not asked");
            }

            @Override
            public void discard() {
                discarded.incrementAndGet();
            }

            @Override
            public Optional<Keeper> keeper() {
                return Optional.of(new Keeper() {
                    @Override
                    public int enclose() {
                        return 7;
                    }

                    @Override
                    public int end() {
                        throw new AssertionError("not asked");
                    }
                });
            }
        };
        LaunchException e = assertThrows(LaunchException.class, () -> run(launch.onThread(unkept)));
        assertEquals("code 7", e.getMessage());
        assertEquals(1, discarded.get());
    }

    @Test
    void aStreamThatCannotBeConnectedEndsTheThreadThatHasConfinedItselfMeanwhile() throws Exception {
        Command nowhere = Command.of("x")
                .redirect(
                        ProcessBuilder.Redirect.PIPE,
                        ProcessBuilder.Redirect.to(new java.io.File("/nowhere/at/all")),
                        ProcessBuilder.Redirect.PIPE);
        run(launch.onThread(new Restricts()));
        long before = descriptors();
        for (int i = 0; i < 20; i++) {
            LaunchException e =
                    assertThrows(LaunchException.class, () -> SPAWNER.spawn(launch.onThread(new Restricts()), nowhere));
            assertTrue(e.getMessage().contains("/nowhere/at/all"), e.getMessage());
        }
        assertTrue(restrictedThreads().isEmpty(), restrictedThreads().toString());
        assertEquals(before, descriptors());
        assertEquals(1, LinuxSpawner.calls().prctl(Linux.PR_GET_DUMPABLE, 0, 0, 0, 0));
    }

    private static long descriptors() throws IOException {
        try (var open = Files.list(Path.of("/proc/self/fd"))) {
            return open.count();
        }
    }

    @Test
    void thisProcessIsTraceableAgainAfterwards() throws Exception {
        run(launch.onThread(new Restricts()));
        assertEquals(1, LinuxSpawner.calls().prctl(Linux.PR_GET_DUMPABLE, 0, 0, 0, 0));
    }

    @Test
    void thisProcessIsNotTraceableWhileTheConfinedThreadIsThere() throws Exception {
        AtomicInteger dumpable = new AtomicInteger(-1);
        Step looks = new Restricts() {
            private final Linux linux = new ForeignLinux(Arena.ofAuto());

            @Override
            public int confine() {
                dumpable.set((int) linux.prctl(Linux.PR_GET_DUMPABLE, 0, 0, 0, 0));
                return super.confine();
            }
        };
        assertFalse(run(launch.onThread(looks)).isEmpty());
        assertEquals(0, dumpable.get());
    }

    private static List<String> restrictedThreads() throws IOException {
        try (var tasks = Files.list(Path.of("/proc/self/task"))) {
            return tasks.filter(task -> {
                        try {
                            return Files.readString(task.resolve("status")).contains("NoNewPrivs:\t1");
                        } catch (IOException e) {
                            return false;
                        }
                    })
                    .map(Path::toString)
                    .toList();
        }
    }
}
