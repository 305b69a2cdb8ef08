package dev.stockade.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The status that a caller sees, and the text that goes with it. */
class ExitContractTest {

    @TempDir
    Path workspace;

    private Child run(String backend, String... rest) throws Exception {
        MustRun.backend(backend);
        List<String> argv = new ArrayList<>(List.of("run", "--backend", backend));
        argv.addAll(List.of(rest));
        return Child.run(workspace, argv.toArray(String[]::new));
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "bwrap"})
    void passesTheCommandsOwnStatusOnAndPrintsNothing(String backend) throws Exception {
        Child child = run(backend, "--", "sh", "-c", "exit 7");
        assertEquals(7, child.status());
        assertEquals("", child.out() + child.err());
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "bwrap"})
    void tellsASignalAs128AndItsNumber(String backend) throws Exception {
        assertEquals(137, run(backend, "--", "sh", "-c", "kill -9 $$").status());
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "bwrap"})
    @Tag("S14")
    void tellsAMissingProgramAs127(String backend) throws Exception {
        Child child = run(backend, "--", "no-such-program");
        assertEquals(127, child.status());
        assertTrue(child.err().startsWith("stockade: no-such-program: not found: "), child.err());
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "bwrap"})
    void tellsWhatCannotBeExecutedAs126(String backend) throws Exception {
        Child directory = run(backend, "--", workspace.toRealPath().toString());
        assertEquals(126, directory.status());
        assertTrue(directory.err().contains("it is a directory"), directory.err());
        Files.writeString(workspace.resolve("text"), "no program");
        assertEquals(126, run(backend, "--", "./text").status());
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "bwrap"})
    void endsACommandAndAllItStartedWhenItsTimeIsUp(String backend) throws Exception {
        String unique = "61." + System.nanoTime();
        Child child = run(backend, "--timeout", "1s", "--", "sh", "-c", "sleep " + unique + " & sleep " + unique);
        assertEquals(124, child.status());
        assertEquals("stockade: its time was up after 1s, so it was ended\n", child.err());
        assertTrue(child.took().compareTo(Duration.ofSeconds(20)) < 0, child.took()::toString);
        assertTrue(Child.isGone(unique));
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "bwrap"})
    void connectsTheStandardStreams(String backend) throws Exception {
        MustRun.backend(backend);
        String input = "line\nno end of line: é";
        Child child = Child.run(
                Child.command(workspace, "run", "--backend", backend, "--", "sh", "-c", "cat; echo no >&2"), input);
        assertEquals(input, child.out());
        assertEquals("no\n", child.err());
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "bwrap"})
    void endsTheTreeWhenItIsAskedToEnd(String backend) throws Exception {
        MustRun.backend(backend);
        for (String signal : List.of("INT", "TERM")) {
            String unique = "62." + System.nanoTime();
            Path status = workspace.resolve("status.json");
            Process process = Child.command(
                            workspace,
                            "run",
                            "--backend",
                            backend,
                            "--status-file",
                            status.toString(),
                            "--",
                            "sh",
                            "-c",
                            "sleep " + unique + " & echo started; sleep " + unique)
                    .start();
            assertEquals('s', process.getInputStream().read());
            assertTrue(Child.isRunning(unique));
            new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                    .start()
                    .waitFor();
            assertTrue(process.waitFor(20, TimeUnit.SECONDS));
            assertEquals(signal.equals("INT") ? 130 : 143, process.exitValue());
            assertTrue(Child.isGone(unique));
            assertTrue(Files.readString(status).contains("\"outcome\": \"interrupted\""), Files.readString(status));
        }
    }

    @Test
    void refusesWith125AndSaysWhatToDo() throws Exception {
        refuses("there is no option --netwrk (did you mean --network?)", "--netwrk", "off", "ls");
        refuses("there is no backend \"bwarp\" (did you mean bwrap?). Installed are ", "--backend", "bwarp", "ls");
        refuses("does not exist; --workspace names the directory to work in", "--workspace", "/no/such", "ls");
        refuses("lies outside the workspace", "--backend", "none", "--cwd", "/", "ls");
        refuses("does not exist: create it, or start elsewhere", "--backend", "none", "--cwd", "no/such", "ls");
        refuses(
                "network must be \"off\", \"loopback\" or \"on\", not \"of\"; did you mean \"off\"?",
                "--network",
                "of",
                "ls");
        refuses("strit", "--profile", "strit", "ls");
        refuses("no-such.toml: does not exist", "--profile", "./no-such.toml", "ls");
        refuses("names another user's home", "--hide", "~nobody/x", "ls");
        refuses("is of use to the backend docker only", "--image", "x", "--backend", "none", "ls");
        refuses("has no name before the equals sign", "--env", "=x", "ls");
        refuses("--env A B has a space in the name", "--env", "A B", "ls");
        refuses("timeout must be a time such as", "--backend", "none", "--timeout", "30", "ls");
    }

    /** In this JVM: nothing is started. */
    private static void refuses(String expected, String... options) {
        List<String> argv = new ArrayList<>(List.of("run"));
        argv.addAll(List.of(options));
        Told told = Told.by(argv.toArray(String[]::new));
        assertEquals(125, told.status(), told.err());
        assertTrue(told.err().startsWith("stockade: ") && told.err().contains(expected), told.err());
        assertEquals(1, told.err().lines().count(), told.err());
        assertEquals("", told.out());
    }

    @Test
    void showsAStackTraceOnlyIfAskedTo() {
        assertFalse(Told.by("run", "--zzz").err().contains("\tat "));
        assertTrue(Told.by("run", "--zzz", "--debug").err().contains("\tat dev.stockade.cli"));
    }

    @Test
    void ownsUpToABug() {
        Failure failure = Failure.of(new StackOverflowError());
        assertEquals(125, failure.status());
        assertEquals(
                "this is a bug in Stockade; please report it: java.lang.StackOverflowError (--debug shows where)",
                failure.message());
    }
}
