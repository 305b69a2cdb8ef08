package dev.stockade.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.stockade.api.Backends;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each file of the table is refused with exactly these words. */
@Tag("M02")
class BadFilesTest {

    @TempDir
    Path directory;

    record Case(String name, String file, String expected) {

        @Override
        public String toString() {
            return name;
        }
    }

    static List<Case> cases() throws IOException {
        List<Case> cases = new ArrayList<>();
        try (InputStream table = Objects.requireNonNull(BadFilesTest.class.getResourceAsStream("bad-files.txt"))) {
            String text = new String(table.readAllBytes(), StandardCharsets.UTF_8);
            for (String section : text.split("(?m)^=== ", -1)) {
                if (!section.isBlank()) {
                    int name = section.indexOf('\n');
                    int expected = section.indexOf("\n---\n", name - 1);
                    cases.add(new Case(
                            section.substring(0, name),
                            section.substring(name + 1, expected + 1),
                            section.substring(expected + 5).strip()));
                }
            }
        }
        return cases;
    }

    @ParameterizedTest
    @MethodSource("cases")
    void isRefusedInTheseWords(Case bad) throws IOException {
        Given given = new Given(directory.toRealPath());
        Path file = given.ownFile(bad.file());
        Configuration asked = given.configuration().backends(Backends.of(new FakeBackend("docker", "image")));
        ConfigurationException refused = assertThrows(ConfigurationException.class, asked::load);
        String message = refused.problems().stream()
                .map(problem -> problem.toString().replace(file.toString(), "FILE"))
                .reduce((a, b) -> a + "\n" + b)
                .orElseThrow();
        assertEquals(bad.expected(), message.replace(given.home().toString(), "HOME"));
    }

    @Test
    void whatNoEditorShowsIsTold() throws IOException {
        assertTrue(refusal("\uFEFF[sandbox]\n").contains("1:1: a byte order mark stands here"));
        String deep = refusal("[sandbox]\nenv = " + "[".repeat(50_000) + "]".repeat(50_000) + "\n");
        assertTrue(deep.contains("is nested too deeply"), deep);
    }

    private String refusal(String text) throws IOException {
        Given given = new Given(directory.toRealPath());
        given.ownFile(text);
        return String.valueOf(assertThrows(
                        ConfigurationException.class,
                        () -> given.configuration().load())
                .getMessage());
    }

    @Test
    void theTableIsLong() throws IOException {
        assertTrue(cases().size() >= 40, "a short table");
        assertEquals(cases().size(), cases().stream().map(Case::name).distinct().count());
    }

    @Test
    void theTwinsAreAccepted() throws IOException {
        Given given = new Given(directory.toRealPath());
        given.ownFile("""
                [sandbox]
                mode = "auto"
                network = "loopback"
                network_allow = [["npm", "ci"]]
                network_allow_prefix = [["git", "fetch"]]
                reads = "host"
                readable = ["/usr", "~/x"]
                env = ["LANG"]
                tmp = "shared"
                timeout = "30s"
                profile = "ci"
                [sandbox.limits]
                memory = "2GiB"
                cpus = 0.5
                processes = 10
                [sandbox.docker]
                image = "debian"
                [profiles.ci]
                extends = "read-only"
                """);
        Loaded loaded = given.configuration()
                .backends(Backends.of(new FakeBackend("docker", "image")))
                .load();
        assertEquals("debian", loaded.profile().settings().get("docker.image"));
        assertEquals(2L << 30, loaded.profile().limits().memoryBytes().orElseThrow());
        assertTrue(Files.exists(given.ownFile()));
    }
}
