package dev.stockade.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code run} loads of the command line, where nobody supervises the command: nothing that it does not need. */
class HotPathTest {

    private static final Set<String> NEEDED = Set.of(
            "Action",
            "Arguments",
            "Console",
            "HeadStart",
            "Main",
            "Option",
            "Parser",
            "Request",
            "Run",
            "StandardInput",
            "StatusFile",
            "UsageException",
            "Verb");

    private static final Pattern LOADED = Pattern.compile("dev\\.stockade\\.cli\\.([A-Za-z.]+)");

    @TempDir
    Path workspace;

    @Test
    void runLoadsNothingThatItDoesNotNeed() throws Exception {
        MustRun.backend("bwrap");
        Path log = workspace.resolve("classes");
        ProcessBuilder command = Child.command(workspace, "run", "--backend", "bwrap", "--", "true");
        command.command().addAll(1, List.of("-Xlog:class+load:file=" + log));
        Child child = Child.run(command, "");
        assertEquals(0, child.status(), child.err());
        Set<String> loaded = new TreeSet<>();
        Matcher name = LOADED.matcher(Files.readString(log));
        while (name.find()) {
            loaded.add(name.group(1));
        }
        assertTrue(loaded.contains("Run"), loaded::toString);
        loaded.removeAll(NEEDED);
        assertEquals(Set.of(), loaded);
    }
}
