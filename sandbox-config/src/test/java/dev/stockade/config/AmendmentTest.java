package dev.stockade.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.stockade.api.Network;
import dev.stockade.api.Profile;
import dev.stockade.api.Profile.Access;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A proposed change keeps what stands in a file, and means what was asked for. */
class AmendmentTest {

    @TempDir
    Path directory;

    private Given given;
    private Path tool;

    AmendmentTest() {
        given = new Given(Path.of("target"), Path.of("target"), java.util.Map.of());
        tool = Path.of("tool");
    }

    @BeforeEach
    void lay() throws IOException {
        given = new Given(directory.toRealPath());
        tool = Given.directory(directory.toRealPath().resolve("a \"tool\" # of [mine]"));
    }

    private Profile meant(Amendment change) {
        return given.configuration().instead(change).load().profile();
    }

    /** However lists and tables are laid out. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "# nothing yet",
                "[sandbox]\n",
                "[sandbox]",
                "[sandbox] # mine\nnetwork = \"loopback\"\n\n[profiles.ci]\nnetwork = \"off\"\n",
                "[sandbox]\nreadable = [] # none\n",
                "[sandbox]\nreadable = [ # some\n]\n",
                "[sandbox]\nreadable = [\"/usr\", \"/etc\"]\r\nnetwork = 'off' # closed\r\n",
                "[sandbox]\n  readable   =   [\n    # one\n    \"/usr\",\n\n    \"/etc\" # two\n  ]\n",
                "[sandbox]\n# What may be read.\n# readable = [\"~/.sdkman\"]\n\n# tmp = \"private\"\n",
                "[sandbox.limits]\nmemory = \"2GiB\"\n",
                "sandbox.readable = [\"/usr\"]\n",
                "sandbox.tmp = \"private\"\n",
                "[profiles.ci]\nreadable = [\"/usr\"]\n[sandbox]\nprofile = \"ci\"\n"
            })
    void addsToAFileHoweverItIsWritten(String text) {
        Path own = given.ownFile(text);
        Amendment change = Amendment.of(own)
                .add("readable", tool.toString())
                .word("network", "on")
                .networkFor(List.of("npm", "ci", "a\\b"));
        Profile profile = meant(change);
        assertEquals(Optional.of(Access.READ), profile.accessTo(tool), change::text);
        assertEquals(Network.ON, profile.network(), change::text);
        for (String line : text.lines().filter(line -> line.contains("#")).toList()) {
            String comment = line.substring(line.indexOf('#'));
            assertTrue(change.text().contains(comment), change::text);
        }
        assertTrue(meant(Amendment.of(own)).accessTo(tool).isEmpty(), "the file itself is as it was");
    }

    @Test
    void putsALineWhereTheFileShowsTheKey() {
        Path own = given.ownFile(Configuration.example(dev.stockade.api.Backends.of()));
        String text = Amendment.of(own).add("writable", "~/out").text();
        assertTrue(text.contains("# writable = [\"~/.m2/repository\"]\nwritable = [\"~/out\"]\n"), text);
    }

    @Test
    void doesNotTouchAnInlineTable() {
        Amendment inline = Amendment.of(given.ownFile("sandbox = { network = \"off\" }\n"));
        assertThrows(IllegalStateException.class, () -> inline.add("readable", "/usr"));
    }

    @Test
    void proposesAFileWhereThereIsNone() {
        Amendment change = Amendment.of(given.ownFile()).add("readable", tool.toString());
        assertTrue(
                change.diff().startsWith("--- /dev/null\n+++ " + given.ownFile() + "\n@@ -0,0 +1,2 @@\n+[sandbox]\n"));
        assertEquals(Optional.of(Access.READ), meant(change).accessTo(tool));
        assertFalse(Files.exists(given.ownFile()));
    }

    @Test
    void knowsWhichFileMayWiden() throws IOException {
        Path outside = Given.file(directory.toRealPath().resolve("other.toml"), "");
        Path inside = given.projectFile("");
        assertEquals(given.ownFile(), given.configuration().widening());
        assertEquals(outside, given.configuration().file(outside).widening());
        assertEquals(given.ownFile(), given.configuration().file(inside).widening());
    }

    /** {@code patch} has to agree about what a difference says. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "|a\n",
                "a|a\n",
                "a\nb|a\nb\nc",
                "1\n2\n3\n4\n5\n6\n7\n8\n9\n|1\nx\n2\n3\n4\n5\n6\n7\n8\ny\n9\n",
                "1\n2\n3\n4\n5\n6\n7\n8\n9\n0\n|0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n0\n0\n",
                "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n|2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12",
                "a\nb\nc\n|c\nb\na\n"
            })
    void saysADifferenceAsPatchReadsIt(String both) throws Exception {
        String[] texts = both.split("\\|", -1);
        Path file = Files.writeString(directory.resolve("file"), texts[0]);
        Path diff = Files.writeString(directory.resolve("diff"), UnifiedDiff.of("file", texts[0], "file", texts[1]));
        Process patch = new ProcessBuilder("git", "apply", "-p0", "--unidiff-zero", diff.toString())
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(patch.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        assertEquals(0, patch.waitFor(), () -> said + UnifiedDiff.of("file", texts[0], "file", texts[1]));
        assertEquals(texts[1], Files.readString(file));
        assertEquals("", UnifiedDiff.of("file", texts[0], "file", texts[0]));
    }
}
