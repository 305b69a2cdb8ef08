package dev.stockade.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.stockade.api.Backends;
import dev.stockade.api.Profile;
import dev.stockade.config.ConfigurationException.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** Whatever a file holds, it is read or refused, with a place in it. */
@net.jqwik.api.Tag("M02")
class AnyFileTest {

    private static Path directory = Path.of("build");

    @BeforeContainer
    static void makeDirectory() throws IOException {
        directory = Files.createTempDirectory("any-file").toRealPath();
    }

    @AfterContainer
    static void removeDirectory() throws IOException {
        try (var files = Files.walk(directory)) {
            for (Path path : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    /** Pieces of such a file, right and wrong. */
    @Provide
    Arbitrary<String> files() {
        Arbitrary<String> pieces = Arbitraries.of(
                "[sandbox]",
                "[profiles.a]",
                "[profiles.b]",
                "[sandbox.limits]",
                "[sandbox.docker]",
                "[[sandbox]]",
                "[",
                "]",
                "\n",
                "\n",
                "\n",
                "=",
                " = ",
                ".",
                ",",
                "{",
                "}",
                "\"",
                "'",
                "\"\"\"",
                "\'\'\'",
                "#",
                "\\",
                "\r\n",
                "\t",
                "network",
                "reads",
                "readable",
                "hidden",
                "read_only",
                "writable",
                "extends",
                "profile",
                "mode",
                "env",
                "image",
                "memory",
                "cpus",
                "timeout",
                "network_allow",
                "backend",
                "tmp",
                "\"off\"",
                "\"a\"",
                "\"b\"",
                "\"build\"",
                "\"~\"",
                "\"/\"",
                "\"..\"",
                "\"\"",
                "[\"/usr\"]",
                "[\"~/x\", \"~\"]",
                "[[\"a\", \"b\"]]",
                "1",
                "-1",
                "1e9",
                "0x1F",
                "nan",
                "inf",
                "true",
                "1979-05-27T07:32:00Z",
                "\u00e9",
                "\ud83d\ude00",
                "\u0000",
                "\"\\u0000\"",
                "\"\\uD800\"");
        Arbitrary<String> line = Combinators.combine(
                        Arbitraries.of(
                                "network",
                                "reads",
                                "readable",
                                "hidden",
                                "env",
                                "extends",
                                "limits",
                                "x",
                                "sandbox.mode"),
                        Arbitraries.of(
                                "\"off\"",
                                "\"host\"",
                                "[]",
                                "[\"~\"]",
                                "[\"/\", 3]",
                                "{}",
                                "{ memory = 1 }",
                                "[[]]",
                                "7"))
                .as((key, value) -> key + " = " + value + "\n");
        Arbitrary<String> soup = pieces.list().ofMaxSize(40).map(list -> String.join("", list));
        Arbitrary<String> lines = line.list().ofMaxSize(8).map(list -> "[sandbox]\n" + String.join("", list));
        return Arbitraries.oneOf(
                soup,
                lines,
                Combinators.combine(lines, soup).as((a, b) -> a + b),
                Arbitraries.strings().ofMaxLength(200));
    }

    @Property(tries = 1000)
    void isReadOrRefusedWithAPlace(@ForAll("files") String text) throws IOException {
        Given given = new Given(directory);
        Files.deleteIfExists(given.workspace().resolve("stockade.toml"));
        given.ownFile(encodable(text));
        check(given, text);
    }

    @Property(tries = 400)
    void neverWidensFromInsideTheWorkspace(@ForAll("files") String text) throws IOException {
        Given given = new Given(directory);
        Files.deleteIfExists(given.ownFile());
        given.projectFile(encodable(text));
        check(given, text);
        try {
            Loaded loaded = given.configuration().load();
            assertTrue(
                    loaded.profile().isAtMost(Profile.builder(given.workspace()).build()));
            assertEquals(Mode.REQUIRED, loaded.mode());
            assertEquals(
                    List.of(),
                    loaded.rules().stream()
                            .filter(rule -> rule.rule().startsWith("network on"))
                            .toList());
        } catch (ConfigurationException e) {
            assertFalse(e.problems().isEmpty());
        }
    }

    @Property(tries = 100)
    void bytesThatAreNoTextAreRefused(@ForAll byte[] bytes) throws IOException {
        Given given = new Given(directory);
        Given.directory(given.home().resolve(".config/stockade"));
        Files.write(given.ownFile(), bytes);
        check(given, "");
    }

    private static String encodable(String text) {
        return text.codePoints().anyMatch(c -> c >= 0xD800 && c <= 0xDFFF) ? "" : text;
    }

    private static void check(Given given, String text) {
        try {
            given.configuration()
                    .backends(Backends.of(new FakeBackend("docker", "image")))
                    .load()
                    .rules();
        } catch (ConfigurationException e) {
            long lines = text.lines().count() + 1;
            for (Problem problem : e.problems()) {
                boolean isText = !problem.message().startsWith("is not UTF-8");
                assertEquals(isText, problem.line() >= 1 && problem.column() >= 1, problem::toString);
                assertTrue(problem.line() <= lines || text.isEmpty(), problem::toString);
                assertFalse(problem.message().isEmpty());
                assertFalse(problem.message().contains("Exception"), problem::message);
            }
            assertFalse(e.problems().isEmpty());
        }
    }
}
