package dev.stockade.backend.bwrap;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.stockade.api.Command;
import dev.stockade.api.ConfinedProcess;
import dev.stockade.api.Invocation;
import dev.stockade.api.LaunchException;
import dev.stockade.api.LaunchException.Fault;
import dev.stockade.api.LaunchException.Phase;
import dev.stockade.api.Outcome;
import dev.stockade.api.Profile;
import dev.stockade.api.Result;
import dev.stockade.api.Sandbox;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How commands run: what they are given, how they end, what is left. */
class BwrapRunTest {

    @TempDir
    Path workspace;

    private Sandbox sandbox;

    @BeforeEach
    void open() {
        sandbox = MustRun.bwrap().open(Profile.builder(workspace).build());
    }

    @AfterEach
    void close() {
        sandbox.close();
    }

    private Result run(String... argv) throws InterruptedException {
        return sandbox.run(Command.of(argv));
    }

    @Test
    @Tag("S16")
    void passesEveryStatusThrough() throws Exception {
        for (int status : new int[] {0, 1, 2, 7, 125, 126, 127, 255}) {
            Result result = run("sh", "-c", "exit " + status);
            assertEquals(new Outcome.Exited(status), result.outcome());
        }
        assertEquals(new Outcome.Signalled(9), run("sh", "-c", "kill -9 $$").outcome());
        assertEquals(137, run("sh", "-c", "kill -9 $$").exitStatus());
        Result result = run("sh", "-c", "echo out; echo err >&2");
        assertEquals("out\n", result.stdout().text());
        assertEquals("err\n", result.stderr().text());
        assertFalse(result.took().isZero());
        assertEquals("bwrap", result.backend());
    }

    @Test
    @Tag("M12")
    void keepsArgumentsAsTheyAre() throws Exception {
        String[] odd = {"printf", "%s|", "a b", "", "'\"$HOME`", "line\nbreak", "ünï", "--", "-x"};
        assertEquals("a b||'\"$HOME`|line\nbreak|ünï|--|-x|", run(odd).stdout().text());
        List<String> many = new ArrayList<>(List.of("sh", "-c", "echo $#", "sh"));
        for (int i = 0; i < 5000; i++) {
            many.add("argument-" + i);
        }
        assertEquals("5000\n", sandbox.run(Command.of(many)).stdout().text());
    }

    @Test
    @Tag("M11")
    void runsAShellLine() throws Exception {
        assertEquals(
                "bash 3\n",
                sandbox.run(Command.shell("[[ -n $BASH ]] && echo bash $((1+2))"))
                        .stdout()
                        .text());
    }

    @Test
    @Tag("S14")
    @Tag("S15")
    void reportsAMissingProgramAsAPlainRunnerWould() throws Exception {
        Path data = Files.writeString(workspace.resolve("data"), "x");
        Path script = Files.writeString(workspace.resolve("script"), "#!/no/such/interpreter\n");
        assertTrue(script.toFile().setExecutable(true));
        for (Map.Entry<String, Integer> each : Map.of(
                        "no-such-program",
                        127,
                        "/no/such/program",
                        127,
                        workspace.toString(),
                        126,
                        data.toString(),
                        126,
                        script.toString(),
                        126)
                .entrySet()) {
            LaunchException failure = assertThrows(LaunchException.class, () -> run(each.getKey()));
            assertEquals(each.getValue(), failure.exitStatus(), failure.getMessage());
            assertEquals(Phase.EXECUTE, failure.phase());
            assertEquals(Fault.COMMAND, failure.fault());
            assertTrue(failure.getMessage().startsWith(each.getKey()), failure.getMessage());
        }
    }

    @Test
    @Tag("S15")
    void saysWhenAProgramExistsButIsNotShown() throws Exception {
        Path elsewhere = Files.createTempDirectory(Path.of(System.getProperty("user.home")), "stockade-test");
        Path tool = Files.writeString(elsewhere.resolve("tool"), "#!/bin/sh\necho made it\n");
        assertTrue(tool.toFile().setExecutable(true));
        try {
            LaunchException failure = assertThrows(LaunchException.class, () -> run(tool.toString()));
            assertEquals(127, failure.exitStatus());
            assertTrue(failure.getMessage().contains("does not show"), failure.getMessage());
            try (Sandbox wider = MustRun.bwrap()
                    .open(sandbox.profile().toBuilder().readable(elsewhere).build())) {
                assertEquals(
                        "made it\n",
                        wider.run(Command.of(tool.toString())).stdout().text());
            }
        } finally {
            Files.delete(tool);
            Files.delete(elsewhere);
        }
    }

    @Test
    void runsAProgramThatAnEarlierCommandMade() throws Exception {
        Path place = Files.createTempDirectory(Path.of("/var/tmp"), "stockade-test");
        try (Sandbox own = MustRun.bwrap().open(Profile.builder(place).build())) {
            Command make = Command.of("sh", "-c", "printf '#!/bin/sh\\necho made\\n' >/tmp/made; chmod +x /tmp/made");
            assertEquals(0, own.run(make).exitStatus());
            assertEquals("made\n", own.run(Command.of("/tmp/made")).stdout().text());
            LaunchException failure = assertThrows(LaunchException.class, () -> own.run(Command.of("/tmp/none")));
            assertEquals(126, failure.exitStatus());
        } finally {
            Files.delete(place);
        }
    }

    @Test
    @Tag("M24")
    void startsInsideTheWorkspaceOnly() throws Exception {
        Files.createDirectories(workspace.resolve("below"));
        Files.createSymbolicLink(workspace.resolve("out"), Path.of("/usr"));
        Command pwd = Command.of("pwd", "-P");
        assertEquals(
                workspace.toRealPath().resolve("below") + "\n",
                sandbox.run(pwd.directory(Path.of("below"))).stdout().text());
        for (String outside : new String[] {"/usr", "..", "out", "missing"}) {
            LaunchException failure =
                    assertThrows(LaunchException.class, () -> sandbox.run(pwd.directory(Path.of(outside))));
            assertEquals(Phase.PREPARE, failure.phase());
            assertEquals(125, failure.exitStatus());
        }
    }

    @Test
    void capturesNoMoreThanAskedFor() throws Exception {
        Result result = sandbox.run(Command.of("sh", "-c", "head -c 100000000 /dev/zero; echo >&2 done")
                .captureBytes(1000));
        assertEquals(1000, result.stdout().bytes().length);
        assertTrue(result.stdout().truncated());
        assertEquals("done\n", result.stderr().text());
        assertFalse(result.stderr().truncated());
    }

    @Test
    void feedsBinaryInput() throws Exception {
        byte[] bytes = new byte[3_000_000];
        new Random(1).nextBytes(bytes);
        Result result = sandbox.run(Command.of("cat").input(bytes).captureBytes(4_000_000));
        assertArrayEquals(bytes, result.stdout().bytes());
        assertEquals("", run("cat").stdout().text());
        assertEquals(0, sandbox.run(Command.of("true").input(bytes)).exitStatus());
    }

    @Test
    void endsTheWholeTreeWhenTimeIsUp() throws Exception {
        Duration limit = Duration.ofMillis(700);
        String marker = "86399." + ProcessHandle.current().pid();
        Result result = sandbox.run(Command.of(
                        "sh",
                        "-c",
                        "setsid sh -c 'sleep " + marker + " & sleep " + marker + "' & trap '' TERM; sleep " + marker
                                + "; sleep " + marker)
                .timeout(limit));
        assertEquals(new Outcome.TimedOut(limit), result.outcome());
        assertEquals(124, result.exitStatus());
        assertTrue(result.took().compareTo(Duration.ofSeconds(15)) < 0, result::toString);
        assertGone(marker);
    }

    @Test
    void endsADaemonWhenTheCommandEnds() throws Exception {
        String marker = "86398." + ProcessHandle.current().pid();
        assertEquals(
                0,
                run("sh", "-c", "setsid sleep " + marker + " >/dev/null 2>&1 & echo started")
                        .exitStatus());
        assertGone(marker);
    }

    private static void assertGone(String marker) throws InterruptedException {
        for (int attempt = 0; attempt < 50; attempt++) {
            if (ProcessHandle.allProcesses().noneMatch(process -> isMarked(process, marker))) {
                return;
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
        throw new AssertionError("a process is left");
    }

    private static boolean isMarked(ProcessHandle process, String marker) {
        try {
            return Files.readString(Path.of("/proc/" + process.pid() + "/cmdline"))
                    .contains("\0" + marker + "\0");
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void asksPolitelyBeforeItKills() throws Exception {
        Result result =
                sandbox.run(Command.of("sh", "-c", "trap 'echo asked; exit 3' TERM; while :; do sleep 0.1; done")
                        .timeout(Duration.ofMillis(700)));
        assertEquals("asked\n", result.stdout().text());
        assertEquals(124, result.exitStatus());
    }

    @Test
    void endsWhatRunsWhenTheThreadIsInterrupted() throws Exception {
        String marker = "86397." + ProcessHandle.current().pid();
        Thread caller = new Thread(() -> assertThrows(InterruptedException.class, () -> run("sleep", marker)));
        caller.start();
        TimeUnit.MILLISECONDS.sleep(500);
        caller.interrupt();
        caller.join(10_000);
        assertFalse(caller.isAlive());
        assertGone(marker);
    }

    @Test
    @Tag("M13")
    void outlivesTheThreadThatStartedIt() throws Exception {
        List<ConfinedProcess> started = new ArrayList<>();
        Thread starter = new Thread(() -> started.add(sandbox.start(Command.of("sh", "-c", "sleep 1; exit 5"))));
        starter.start();
        starter.join();
        assertEquals(new Outcome.Exited(5), started.get(0).outcome());
    }

    @Test
    @Tag("M13")
    void endsWithItsSandbox() throws Exception {
        Sandbox own = MustRun.bwrap().open(Profile.builder(workspace).build());
        ConfinedProcess process = own.start(Command.of("sleep", "60"));
        own.close();
        own.close();
        assertTrue(process.waitFor(5, TimeUnit.SECONDS));
        assertThrows(IllegalStateException.class, () -> own.run(Command.of("true")));
    }

    @Test
    @Tag("S18")
    @Tag("M23")
    void wrapsForStartersThatAddAnEnvironmentOfTheirOwn() throws Exception {
        Invocation invocation = sandbox.wrap(Command.of("env").environment(Map.of("TOKEN", "s3cret")));
        assertFalse(invocation.toString().contains("s3cret"));
        ProcessBuilder builder = new ProcessBuilder(invocation.argv())
                .directory(invocation.directory().toFile());
        builder.environment().putAll(invocation.environment());
        builder.environment().put("INHERITED", "leak");
        for (int start = 0; start < 2; start++) {
            Process process = builder.start();
            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertEquals(0, process.waitFor(), printed);
            assertTrue(printed.contains("TOKEN=s3cret"));
            assertFalse(printed.contains("INHERITED"));
        }
        Process stays = new ProcessBuilder(
                        sandbox.wrap(Command.of("sh", "-c", "sleep 1; exit 5")).argv())
                .start();
        assertEquals(5, stays.waitFor());
    }

    @Test
    @Tag("S18")
    void refusesToWrapWhatItsStarterWouldNotKeep() {
        Command command = Command.of("true");
        assertThrows(LaunchException.class, () -> sandbox.wrap(command.timeout(Duration.ofSeconds(1))));
        assertThrows(LaunchException.class, () -> sandbox.wrap(command.input(new byte[1])));
    }

    @Test
    void runsFiftyAtOnce() throws Exception {
        ExecutorService callers = Executors.newFixedThreadPool(50);
        try {
            List<Future<Result>> results = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                int number = i;
                results.add(
                        callers.submit(() -> run("sh", "-c", "echo " + number + " >f" + number + "; exit " + number)));
            }
            for (int i = 0; i < 50; i++) {
                assertEquals(i, results.get(i).get().exitStatus());
            }
        } finally {
            callers.shutdown();
        }
    }

    @Test
    void passesNoOpenDescriptor() throws Exception {
        try (var open = Files.newByteChannel(Path.of("/etc/passwd"))) {
            assertTrue(open.isOpen());
            assertEquals(
                    "0 1 2 3\n",
                    run("sh", "-c", "echo $(ls /proc/self/fd)").stdout().text());
        }
    }

    @Test
    void leavesNothingBehind() throws Exception {
        List<String> before = leftovers();
        run("true");
        sandbox.run(Command.of("sleep", "5").timeout(Duration.ofMillis(100)));
        try (Sandbox own = MustRun.bwrap().open(Profile.builder(workspace).build())) {
            own.run(Command.of("true"));
        }
        assertEquals(before, leftovers());
        assertEquals(0, workspace.toFile().list().length);
    }

    /** What the sandboxes of this process keep on disk, but for starts that are being cleaned up. */
    private static List<String> leftovers() throws IOException {
        String own = "stockade-" + ProcessHandle.current().pid() + "-";
        List<String> found = new ArrayList<>();
        for (String place : new String[] {System.getenv().getOrDefault("XDG_RUNTIME_DIR", "/tmp"), "/run", "/tmp"}) {
            try (var list = Files.list(Path.of(place))) {
                list.map(Path::toString).filter(name -> name.contains(own)).forEach(found::add);
            }
        }
        return found;
    }

    @Test
    void takesAWorkspaceWithAnyName() throws Exception {
        for (String name : new String[] {"with space", "quote'\"", "new\nline", "ünï", ",:=", "-dash", "$HOME"}) {
            Path odd = Files.createDirectory(workspace.resolve(name));
            try (Sandbox own = MustRun.bwrap().open(Profile.builder(odd).build())) {
                assertEquals(0, own.run(Command.of("sh", "-c", "pwd >out")).exitStatus());
            }
            assertEquals(odd.toRealPath() + "\n", Files.readString(odd.resolve("out")));
        }
    }

    @Test
    void takesAWorkspaceThatIsALink() throws Exception {
        Path real = Files.createDirectory(workspace.resolve("real"));
        Path link = Files.createSymbolicLink(workspace.resolve("link"), real);
        try (Sandbox own = MustRun.bwrap().open(Profile.builder(link).build())) {
            assertEquals(0, own.run(Command.of("sh", "-c", "echo hi >out")).exitStatus());
        }
        assertEquals("hi\n", Files.readString(real.resolve("out")));
    }
}
