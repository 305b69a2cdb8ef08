package dev.stockade.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs read these: docs/json.md says which fields there are, and here is whether it is true. */
class JsonShapesTest {

    private static final Pattern ROW = Pattern.compile("\\| `([a-z_]+)` \\|(.*)");
    private static final Pattern FIELD = Pattern.compile("\"([a-z_]+)\": ");

    @TempDir
    Path workspace;

    @BeforeEach
    void needsBubblewrap() {
        MustRun.backend("bwrap");
    }

    private static void compare(String title, String json) throws Exception {
        Path page = Path.of("docs/json.md");
        String all = Files.readString(Files.exists(page) ? page : Path.of("..").resolve(page));
        int start = all.indexOf("## `" + title + "`\n");
        assertTrue(start >= 0, title);
        int end = all.indexOf("\n## ", start);
        Set<String> always = new TreeSet<>();
        Set<String> told = new TreeSet<>();
        Matcher row = ROW.matcher(all.substring(start, end < 0 ? all.length() : end));
        while (row.find()) {
            told.add(row.group(1));
            if (!row.group(2).contains("*sometimes*")) {
                always.add(row.group(1));
            }
        }
        Set<String> found = new TreeSet<>();
        Matcher field = FIELD.matcher(json);
        while (field.find()) {
            found.add(field.group(1));
        }
        Set<String> untold = new TreeSet<>(found);
        untold.removeAll(told);
        always.removeAll(found);
        assertEquals(Set.of(), untold, () -> title + " answers what the page does not tell: " + json);
        assertEquals(Set.of(), always, () -> title + " does not answer what the page tells: " + json);
    }

    private void compareAnswer(String title, String... argv) throws Exception {
        compare(title, Child.run(workspace, argv).out());
    }

    @Test
    void answersAreAsThePageTells() throws Exception {
        compareAnswer("explain --json", "explain", "--json", "--backend", "bwrap", "--", "true");
        compareAnswer("doctor --json", "doctor", "--json");
        compareAnswer("profiles --json", "profiles", "--json");
        compareAnswer("wrap --json", "wrap", "--json", "--", "true");
        compareAnswer("wrap --mechanism --json", "wrap", "--mechanism", "--json", "--backend", "bwrap", "--", "true");
    }

    @Test
    void evidenceIsAsThePageTells() throws Exception {
        compareAnswer("prove --json", "prove", "--json", "--backend", "bwrap");
    }

    @Test
    void aTraceIsAsThePageTells() throws Exception {
        MustRun.tool("strace");
        compareAnswer("trace --json", "trace", "--json", "--backend", "bwrap", "--", "cat", "/etc/shadow", "/root/x");
    }

    @Test
    void theStatusFileIsAsThePageTells() throws Exception {
        Path file = workspace.resolve("status.json");
        for (String command : new String[] {"true", "no-such-program"}) {
            Child.run(workspace, "run", "--backend", "bwrap", "--status-file", file.toString(), "--", command);
            compare("run --status-file", Files.readString(file));
        }
    }
}
