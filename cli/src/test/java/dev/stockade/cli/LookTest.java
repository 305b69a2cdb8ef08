package dev.stockade.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Colour, width and progress: for people, and only where one is looking. */
class LookTest {

    @TempDir
    Path workspace;

    /** script(1) gives it a terminal. */
    private Child onATerminal(Map<String, String> environment, String... argv) throws Exception {
        MustRun.tool("script");
        List<String> quoted = new ArrayList<>();
        Child.command(workspace, argv).command().forEach(word -> quoted.add(ShellWords.quoted(word)));
        ProcessBuilder script = new ProcessBuilder("script", "-qec", String.join(" ", quoted), "/dev/null");
        script.directory(workspace.toFile()).environment().put("TERM", "xterm");
        script.environment().putAll(environment);
        return Child.run(script, "");
    }

    @Test
    void showsColourOnATerminalAlone() throws Exception {
        assertTrue(onATerminal(Map.of(), "doctor").out().contains("\033[32mworks\033[0m: "));
        assertFalse(onATerminal(Map.of("NO_COLOR", "1"), "doctor").out().contains("\033["));
        assertFalse(onATerminal(Map.of("TERM", "dumb"), "doctor").out().contains("\033["));
        assertFalse(onATerminal(Map.of(), "doctor", "--json").out().contains("\033["));
        assertFalse(Child.run(workspace, "doctor").out().contains("\033["));
    }

    @Test
    void colourMovesNoColumn() {
        String text = "Asked for\n  read   all\n\nbwrap\n  held   a claim\n  FELL   another\n\n--- a\n+++ b\n-x\n+y\n";
        String painted = Paint.of(text);
        assertEquals(text, painted.replaceAll("\033\\[[0-9]+m", ""));
        assertTrue(painted.contains("\033[1mAsked for\033[0m"), painted);
        assertTrue(painted.contains("  \033[31mFELL\033[0m   another"), painted);
        assertTrue(painted.contains("\033[32m+y\033[0m"), painted);
    }

    @ParameterizedTest
    @CsvSource({"explain", "explain --profile build", "doctor", "profiles", "help trace"})
    void answersFitEightyColumns(String line) throws Exception {
        Child child = Child.run(workspace, line.split(" ", -1));
        // One word may be longer than a line, a path say: it gets one of its own.
        child.out()
                .lines()
                .filter(each -> each.strip().contains(" "))
                .forEach(each -> assertTrue(each.length() <= 80, each));
    }

    @Test
    void saysWhatTakesLongAndTakesItBack() throws Exception {
        Told quick = Told.by(console -> Progress.shown(console, "trying", () -> 0));
        assertEquals("", quick.err());
        Told slow = Told.by(console -> Progress.shown(console, "trying", () -> {
            Thread.sleep(2500);
            return 0;
        }));
        assertEquals("\r\033[Kstockade: trying... 2 s\r\033[K", slow.err());
    }

    /** The output of a command that fails is not seen, so the hint is given where a person may take it up. */
    @Test
    void pointsToTraceOnATerminalAlone() throws Exception {
        MustRun.backend("bwrap");
        String[] argv = {"run", "--backend", "bwrap", "--timeout", "20s", "--", "false"};
        Child seen = onATerminal(Map.of(), argv);
        assertEquals(
                1,
                seen.out()
                        .lines()
                        .filter(line -> line.contains("stockade trace"))
                        .count(),
                seen.out());
        assertEquals("", Child.run(workspace, argv).err());
        argv[6] = "true";
        assertFalse(onATerminal(Map.of(), argv).out().contains("stockade trace"));
    }
}
