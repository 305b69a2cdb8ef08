package dev.stockade.backend.docker;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.stockade.api.Command;
import dev.stockade.api.ConfinedProcess;
import dev.stockade.api.Invocation;
import dev.stockade.api.LaunchException;
import dev.stockade.api.Outcome;
import dev.stockade.api.Result;
import dev.stockade.api.Sandbox;
import java.io.File;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How commands run in kept containers: what they are given, how they end. */
class DockerRunTest {

    @TempDir
    static Path workspace;

    private static Sandbox sandbox;

    @BeforeAll
    static void open() {
        sandbox = MustRun.docker().open(MustRun.profile(workspace).build());
    }

    @AfterAll
    static void close() {
        if (sandbox != null) {
            sandbox.close();
            assertEquals(List.of(), MustRun.containers());
        }
    }

    private static Result run(String... argv) throws InterruptedException {
        return sandbox.run(Command.of(argv));
    }

    @Test
    @Tag("S16")
    void passesEveryStatusThrough() throws Exception {
        for (int status : new int[] {0, 1, 125, 126, 127, 255}) {
            assertEquals(
                    new Outcome.Exited(status),
                    run("sh", "-c", "exit " + status).outcome());
        }
        Result result = run("sh", "-c", "echo out; echo err >&2; kill -9 $$");
        assertEquals(new Outcome.Signalled(9), result.outcome());
        assertEquals("out\n", result.stdout().text());
        assertEquals("err\n", result.stderr().text());
        assertEquals("docker", result.backend());
    }

    @Test
    @Tag("M12")
    void keepsArgumentsAsTheyAre() throws Exception {
        String[] odd = {"printf", "%s|", "a b", "", "'\"$HOME`\\", "line\nbreak\ttab", "ünï🙂", "--", "-x"};
        assertEquals(
                "a b||'\"$HOME`\\|line\nbreak\ttab|ünï🙂|--|-x|",
                run(odd).stdout().text());
        String[] many = new String[5001];
        many[0] = "true";
        java.util.Arrays.fill(many, 1, many.length, "argument");
        assertEquals(0, run(many).exitStatus());
    }

    @Test
    @Tag("S14")
    void tellsAMissingProgramFromACommandThatFails() throws Exception {
        LaunchException missing = assertThrows(LaunchException.class, () -> run("nope"));
        assertEquals(127, missing.exitStatus());
        assertEquals(
                127, assertThrows(LaunchException.class, () -> run("./nope")).exitStatus());
        Files.writeString(workspace.resolve("plain"), "data");
        assertEquals(
                126, assertThrows(LaunchException.class, () -> run("./plain")).exitStatus());
        assertEquals(126, assertThrows(LaunchException.class, () -> run("/etc")).exitStatus());
        assertEquals(new Outcome.Exited(127), run("sh", "-c", "nope").outcome());
    }

    @Test
    @Tag("S14")
    void tellsTheSameOfACommandThatIsConnectedToFiles() throws Exception {
        File log = workspace.resolve("log").toFile();
        Command command = Command.of("nope").redirect(Redirect.PIPE, Redirect.to(log), Redirect.to(log));
        assertEquals(
                127,
                assertThrows(LaunchException.class, () -> sandbox.run(command)).exitStatus());
        Command found = Command.of("sh", "-c", "echo $V; exit 127")
                .environment(Map.of("V", "two\nlines"))
                .redirect(Redirect.PIPE, Redirect.to(log), Redirect.to(log));
        assertEquals(new Outcome.Exited(127), sandbox.run(found).outcome());
        assertEquals("two lines\n", Files.readString(log.toPath()));
    }

    @Test
    void streamsBinaryInputAndMuchOutput() throws Exception {
        byte[] bytes = new byte[3_000_000];
        new Random(1).nextBytes(bytes);
        Result cat = sandbox.run(Command.of("cat").input(bytes).captureBytes(4_000_000));
        assertArrayEquals(bytes, cat.stdout().bytes());
        Result much = run("sh", "-c", "head -c 30000000 /dev/zero; head -c 300000 /dev/zero >&2");
        assertEquals(0, much.exitStatus());
        assertTrue(much.stdout().truncated());
        assertEquals(300_000, much.stderr().bytes().length);
    }

    @Test
    void talksWithACommandThatGoesOn() throws Exception {
        ConfinedProcess process = sandbox.start(Command.of("sh", "-c", "while read -r x; do echo \"<$x>\"; done"));
        try (var out = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line : List.of("one", "two")) {
                process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
                process.getOutputStream().flush();
                assertEquals("<" + line + ">", out.readLine());
            }
            assertTrue(process.isAlive());
            process.getOutputStream().close();
            assertEquals(0, process.waitFor());
        }
    }

    @Test
    @Tag("M15")
    void startsInTheDirectoryWithVariablesOfItsOwn() throws Exception {
        Path below = Files.createDirectories(workspace.resolve("a/b, c"));
        Result result = sandbox.run(Command.of("sh", "-c", "pwd; echo $A; echo $HOME; echo $TMPDIR")
                .directory(below)
                .environment(Map.of("A", "x=\"y\", z")));
        String home = workspace.toRealPath().toString();
        assertEquals(
                home + "/a/b, c\nx=\"y\", z\n" + home + "\n/tmp\n",
                result.stdout().text());
    }

    @Test
    @Tag("M05")
    void showsNoValueInAnyArgumentListNorToTheNextCommand() throws Exception {
        File log = workspace.resolve("values").toFile();
        Command piped =
                Command.of("sh", "-c", "echo ready; read line").environment(Map.of("TOKEN", "t0p-s3cret-v4lue"));
        for (Command command : List.of(piped, piped.redirect(Redirect.PIPE, Redirect.PIPE, Redirect.to(log)))) {
            ConfinedProcess process = sandbox.start(command);
            assertEquals('r', process.getInputStream().read());
            StringBuilder lists = new StringBuilder();
            ProcessHandle.allProcesses().forEach(each -> {
                try {
                    lists.append(Files.readString(Path.of("/proc/" + each.pid() + "/cmdline")));
                } catch (java.io.IOException e) {
                    // It ended in between.
                }
            });
            assertTrue(lists.toString().contains("read line"));
            assertFalse(lists.toString().contains("t0p-s3cret-v4lue"));
            process.getOutputStream().close();
            process.waitFor();
        }
        assertFalse(run("sh", "-c", "env; cat /proc/1/environ").stdout().text().contains("v4lue"));
    }

    @Test
    void runsInOneContainerAfterTheOtherButNeverInOneAtOnce() throws Exception {
        String first = run("hostname").stdout().text();
        assertEquals(first, run("hostname").stdout().text());
        ConfinedProcess busy = sandbox.start(Command.of("sh", "-c", "hostname; read x"));
        try (var out = busy.inputReader(StandardCharsets.UTF_8)) {
            assertFalse(out.readLine().equals(run("hostname").stdout().text().strip()));
            busy.getOutputStream().close();
            assertEquals(1, busy.waitFor());
        }
    }

    @Test
    void findsAnEmptyTmpWhateverTheCommandBeforeHasLeft() throws Exception {
        String mess =
                "cd /tmp && mkdir -p a/b && touch a/b/c .hidden && ln -s / root && mkfifo pipe && chmod 000 a/b a";
        assertEquals(0, run("sh", "-c", mess + "; touch 'new\nline'").exitStatus());
        String mountPoint = Path.of("/tmp").equals(workspace.getParent()) ? workspace.getFileName() + "\n" : "";
        assertEquals(mountPoint, run("ls", "-A", "/tmp").stdout().text());
        assertEquals(
                0,
                run("sh", "-c", "echo '#!/bin/sh' >/tmp/x && chmod +x /tmp/x && /tmp/x")
                        .exitStatus());
    }

    @Test
    @Tag("M15")
    void replacesAContainerInWhichSomethingWentOn() throws Exception {
        String first = run("hostname").stdout().text();
        Result left = run("sh", "-c", "(sleep 600 >/dev/null 2>&1 &) ; hostname");
        assertEquals(first, left.stdout().text());
        Result next = run("sh", "-c", "hostname; ps");
        assertFalse(next.stdout().text().contains(first.strip()));
        assertFalse(next.stdout().text().contains("sleep"));
        assertGone(first);
    }

    @Test
    @Tag("M15")
    void removesTheContainerOfACommandThatRanOutOfTime() throws Exception {
        Result result = sandbox.run(Command.of("sh", "-c", "trap '' TERM; hostname; sleep 600 & sleep 600; sleep 600")
                .timeout(Duration.ofSeconds(1)));
        assertEquals(new Outcome.TimedOut(Duration.ofSeconds(1)), result.outcome());
        assertGone(result.stdout().text());
        Result polite = sandbox.run(Command.of("sh", "-c", "trap 'echo bye; exit 3' TERM; while :; do sleep 0.1; done")
                .timeout(Duration.ofSeconds(1)));
        assertEquals("bye\n", polite.stdout().text());
        assertEquals(0, run("true").exitStatus());
    }

    @Test
    @Tag("M15")
    void endsTheContainerOfACancelledCommand() throws Exception {
        Path started = workspace.resolve("started");
        Thread running = new Thread(() -> {
            try {
                run("sh", "-c", "hostname >started; sleep 600");
            } catch (InterruptedException e) {
                // As it should be.
            }
        });
        running.start();
        while (!Files.exists(started) || Files.size(started) == 0) {
            Thread.sleep(50);
        }
        running.interrupt();
        running.join();
        assertGone(Files.readString(started));
        assertEquals(0, run("true").exitStatus());
    }

    /** A container's host name is the beginning of its id. */
    private static void assertGone(String hostname) {
        assertFalse(hostname.isBlank());
        assertFalse(MustRun.docker("ps", "-a", "--format", "{{.ID}}").contains(hostname.strip()));
    }

    @Test
    void outlivesAKeeperThatWasKilled() throws Exception {
        run("true");
        MustRun.containers().forEach(name -> MustRun.docker("rm", "-f", name));
        assertEquals("here\n", run("echo", "here").stdout().text());
    }

    @Test
    void runsSeveralAtOnce() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(3);
        try {
            List<Future<Result>> results = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                String number = Integer.toString(i);
                results.add(threads.submit(() -> run("sh", "-c", "sleep 0.1; echo " + number)));
            }
            for (int i = 0; i < 6; i++) {
                assertEquals(i + "\n", results.get(i).get().stdout().text());
            }
        } finally {
            threads.shutdown();
        }
    }

    @Test
    @Tag("S18")
    void wrapsForOtherStarters() throws Exception {
        Invocation invocation = sandbox.wrap(Command.of("sh", "-c", "read x; echo \"$x $A ${LEAK-none}\"; pwd")
                .environment(Map.of("A", "v4lue")));
        assertFalse(invocation.argv().toString().contains("v4lue"));
        ProcessBuilder builder = new ProcessBuilder(invocation.argv())
                .directory(invocation.directory().toFile());
        builder.environment().putAll(invocation.environment());
        builder.environment().put("LEAK", "leaked");
        Process process = builder.start();
        try (var in = process.outputWriter(StandardCharsets.UTF_8)) {
            in.write("hello\n");
        }
        assertEquals(
                "hello v4lue none\n" + workspace.toRealPath() + "\n",
                new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
        assertEquals(0, process.waitFor());
    }

    @Test
    void givesATerminalInsideWhereThereIsOneOutside() throws Exception {
        Invocation invocation =
                sandbox.wrap(Command.of("sh", "-c", "tty; for i in $(seq 30); do stty size 2>&1; sleep 0.1; done"));
        List<String> argv = new ArrayList<>();
        argv.add("stty rows 33 cols 99;");
        invocation.argv().forEach(each -> argv.add("'" + each.replace("'", "'\\''") + "'"));
        Process script = new ProcessBuilder("script", "-qec", String.join(" ", argv), "/dev/null")
                .redirectErrorStream(true)
                .start();
        String said = new String(script.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(said.contains("/dev/pts/0"), said);
        assertTrue(said.contains("33 99"), said);
    }

    @Test
    @Tag("M15")
    void makesFilesThatBelongToTheCaller() throws Exception {
        assertEquals(0, run("touch", "mine").exitStatus());
        assertEquals(
                Files.getAttribute(workspace, "unix:uid"), Files.getAttribute(workspace.resolve("mine"), "unix:uid"));
        assertEquals(
                PosixFilePermissions.fromString("rw-r--r--"), Files.getPosixFilePermissions(workspace.resolve("mine")));
    }
}
