package dev.stockade.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code stockade shell} at a terminal, used as people use a shell. */
class ShellTest {

    private static final String OUTSIDE = "outside$";

    @TempDir
    Path directory;

    private Path workspace;

    @BeforeEach
    void makeAWorkspace() throws IOException {
        workspace = Files.createDirectory(directory.resolve("work")).toRealPath();
    }

    private Terminal terminal(String backend) throws Exception {
        MustRun.backendOfAChild(backend, workspace);
        return Terminal.in(workspace, directory);
    }

    /** Starts it, and waits for its prompt. */
    private void shell(Terminal terminal, String backend) throws Exception {
        List<String> argv =
                Child.command(workspace, "shell", "--backend", backend).command();
        Path start = Files.writeString(directory.resolve("start"), ShellWords.line(argv) + "\n");
        terminal.line("clear; . " + start);
        terminal.await(ShellTest::isAtAPrompt);
    }

    private static boolean isAtAPrompt(String screen) {
        return lastLine(screen).matches("\\(stockade\\) .*[$#]");
    }

    private static String lastLine(String screen) {
        return screen.substring(screen.lastIndexOf('\n') + 1);
    }

    /** Types a line and waits for a line of the screen to be this, and for the prompt after it. */
    private static void answers(Terminal terminal, String line, String expected) throws Exception {
        terminal.clear();
        terminal.await(screen -> !screen.contains("\n"));
        terminal.line(line);
        terminal.await(screen -> isAtAPrompt(screen) && screen.lines().anyMatch(expected::equals));
    }

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    void endsWithItsStatusAndLeavesTerminalAndWorkspaceAsTheyWere(String backend) throws Exception {
        try (Terminal terminal = terminal(backend)) {
            terminal.line("stty -a > ../before");
            shell(terminal, backend);
            answers(terminal, "echo written > file; cat file", "written");
            answers(terminal, "head -c0 ../before || echo refused", "refused");
            terminal.line("outer=yes; bash --norc");
            answers(terminal, "echo ${outer-nested}", "nested");
            terminal.line("exit");
            terminal.line("exit 7");
            terminal.await(screen -> screen.endsWith(OUTSIDE));
            terminal.line("echo status=$?; stty -a > ../after");
            terminal.await(screen -> screen.contains("\nstatus=7\n" + OUTSIDE));
        }
        assertEquals(Files.readString(directory.resolve("before")), Files.readString(directory.resolve("after")));
        try (Stream<Path> left = Files.list(workspace)) {
            assertEquals(List.of(workspace.resolve("file")), left.toList());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    void interruptsStopsAndResumesItsJobs(String backend) throws Exception {
        String job = "sh -c 'echo going; exec sleep 100'";
        try (Terminal terminal = terminal(backend)) {
            shell(terminal, backend);
            terminal.line(job);
            terminal.await(screen -> screen.endsWith("\ngoing"));
            terminal.key("C-c");
            terminal.await(ShellTest::isAtAPrompt);
            answers(terminal, "echo lives $?", "lives 130");

            terminal.line(job);
            terminal.await(screen -> screen.endsWith("\ngoing"));
            terminal.key("C-z");
            terminal.await(screen -> screen.contains("Stopped") && isAtAPrompt(screen));
            answers(terminal, "bg", "[1]+ " + job + " &");
            answers(terminal, "jobs -r | wc -l", "1");
            terminal.line("fg");
            terminal.await(screen -> screen.endsWith("\n" + job));
            terminal.key("C-c");
            terminal.await(ShellTest::isAtAPrompt);
            answers(terminal, "jobs | wc -l", "0");

            terminal.key("C-d");
            terminal.await(screen -> screen.endsWith(OUTSIDE));
        }
    }

    /** The terminal tells a little later. */
    private static void resize(Terminal terminal, int columns, int lines) throws Exception {
        terminal.resize(columns, lines);
        String size = lines + " " + columns;
        answers(
                terminal,
                "until [ \"$(stty size)\" = '" + size + "' ]; do sleep 0.1; done; echo $LINES $COLUMNS",
                size);
    }

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    void seesTheSizeOfTheWindowAndFillsIt(String backend) throws Exception {
        try (Terminal terminal = terminal(backend)) {
            Files.writeString(workspace.resolve("long"), "first\n" + "line\n".repeat(200) + "last\n");
            shell(terminal, backend);
            answers(terminal, "stty size", "30 100");
            resize(terminal, 80, 20);

            terminal.line("less long");
            terminal.await(screen -> screen.startsWith("first\n") && screen.endsWith("\nlong"));
            terminal.resize(70, 25);
            terminal.await(screen -> screen.lines().count() == 25);
            terminal.key("G");
            terminal.await(screen -> screen.contains("\nlast\n"));
            terminal.key("q");
            terminal.await(ShellTest::isAtAPrompt);
            resize(terminal, 90, 22);
        }
        assertFalse(Files.exists(workspace.resolve(".lesshst")));
    }

    /** Without its EPERM the kernel types the character, or says EIO where dev.tty.legacy_tiocsti forbids it to all. */
    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    void cannotTypeIntoItsTerminal(String backend) throws Exception {
        String type = "python3 -c 'import fcntl; fcntl.ioctl(0, 0x5412, b\"#\")' 2>&1 | tail -n1; echo done";
        try (Terminal terminal = terminal(backend)) {
            terminal.line(type);
            String outside = terminal.await(screen -> screen.contains("done\n" + OUTSIDE));
            assertFalse(outside.contains("PermissionError"), outside);
            terminal.key("C-c");
            shell(terminal, backend);
            answers(terminal, type, "PermissionError: [Errno 1] Operation not permitted");
        }
    }

    @Test
    void doesNotLookConfinedWhereNothingConfines() throws Exception {
        try (Terminal terminal = terminal("none")) {
            List<String> argv =
                    Child.command(workspace, "shell", "--backend", "none").command();
            Path start = Files.writeString(directory.resolve("start"), ShellWords.line(argv) + "\n");
            terminal.line("clear; . " + start);
            String screen = terminal.await(shown -> !shown.endsWith(OUTSIDE) && shown.matches("(?s)[^\\n]*[$#]"));
            assertFalse(screen.contains("(stockade)"), screen);
            terminal.line("exit 3");
            terminal.await(shown -> shown.endsWith(OUTSIDE));
            terminal.line("echo status=$?");
            assertTrue(terminal.await(shown -> shown.contains("status=3")).contains("status=3"));
        }
    }
}
