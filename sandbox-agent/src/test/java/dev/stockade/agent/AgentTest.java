package dev.stockade.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stockade.api.Backends;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A program that knows nothing of it is confined. */
@Timeout(120)
class AgentTest {

    @TempDir
    Path workspace;

    private Path outside =
            Path.of("/var/tmp/stockade-agent-test-" + ProcessHandle.current().pid());

    /** It does not know. */
    static final class Program {
        public static void main(String[] arguments) throws Exception {
            Files.writeString(Path.of(arguments[0], "inside"), "x");
            try {
                Files.writeString(Path.of(arguments[1]), "x");
                System.out.println("wrote outside");
                Files.delete(Path.of(arguments[1]));
            } catch (IOException e) {
                System.out.println("refused outside");
            }
        }
    }

    @BeforeEach
    void needsLandlock() {
        needs("landlock");
    }

    private static void needs(String backend) {
        boolean available = Objects.requireNonNull(
                        Backends.installed().availability().get(backend))
                .isAvailable();
        boolean must = System.getenv().getOrDefault("STOCKADE_MUST_RUN", "").contains(backend);
        assertTrue(available || !must, backend + " must run here");
        assumeTrue(available);
    }

    private record Ended(int status, String output) {}

    private Ended run(Map<String, String> environment, List<String> options, Class<?>... classes) throws Exception {
        List<String> argv = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                classPath()));
        argv.addAll(options);
        Stream.of(classes).map(Class::getName).forEach(argv::add);
        argv.addAll(List.of(workspace.toString(), outside.toString()));
        ProcessBuilder builder =
                new ProcessBuilder(argv).directory(workspace.toFile()).redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ended(process.waitFor(), output);
    }

    private static String classPath() throws URISyntaxException {
        List<String> all = new ArrayList<>();
        for (Class<?> type : List.of(AgentTest.class, Agent.class, Backends.class)) {
            all.add(home(type));
        }
        // The backends stand on the path that this JVM was started with, of either kind.
        for (String property : List.of("java.class.path", "jdk.module.path")) {
            all.addAll(List.of(System.getProperty(property, "").split(":", -1)));
        }
        return all.stream().filter(entry -> !entry.isEmpty()).distinct().collect(Collectors.joining(":"));
    }

    private static String home(Class<?> type) throws URISyntaxException {
        String file = type.getName().replace('.', '/') + ".class";
        String found = Objects.requireNonNull(type.getResource("/" + file)).toString();
        String place = found.replace("!/" + file, "").replace(file, "");
        return Path.of(new URI(place.startsWith("jar:") ? place.substring(4) : place))
                .toString();
    }

    private String agent(String options) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(new Attributes.Name("Premain-Class"), Agent.class.getName());
        Path jar = workspace.resolve("agent.jar");
        new JarOutputStream(Files.newOutputStream(jar), manifest).close();
        return "-javaagent:" + jar + options;
    }

    @Test
    @Tag("A07")
    void confinesAProgramThatWasNotChanged() throws Exception {
        Ended free = run(Map.of(), List.of(), Program.class);
        assertEquals("wrote outside", free.output().strip());
        Ended held = run(Map.of("JAVA_TOOL_OPTIONS", agent("")), List.of(), Program.class);
        assertTrue(held.output().contains("refused outside"), held.output());
        assertEquals(0, held.status());
        Ended off = run(Map.of("STOCKADE_SANDBOX", "off"), List.of(agent("")), Program.class);
        assertTrue(off.output().contains("wrote outside"), off.output());
        Ended flagged = run(Map.of("STOCKADE_SANDBOX", "off"), List.of(agent("=on")), Program.class);
        assertTrue(flagged.output().contains("refused outside"), flagged.output());
        Ended wider = run(Map.of("STOCKADE_FS_RW", "/var/tmp::"), List.of(agent("")), Program.class);
        assertTrue(wider.output().contains("wrote outside"), wider.output());
    }

    @Test
    @Tag("A02")
    void bubblewrapStandsInFrontOfTheJvmWhereAskedTo() throws Exception {
        needs("bwrap");
        // Elsewhere in /var/tmp a file could be written: there it is a directory of the JVM's own.
        outside = Path.of(System.getProperty("user.home"), outside.getFileName().toString());
        Ended held = run(Map.of(), List.of(agent("=backend=bwrap")), Program.class);
        assertTrue(held.output().contains("refused outside"), held.output());
        assertTrue(held.output().contains("notice: signals sent to the number"), held.output());
        assertEquals(0, held.status());
        Ended free = run(Map.of(), List.of(), Program.class);
        assertEquals("wrote outside", free.output().strip());
    }

    @Test
    void standsInFrontOfAMainClass() throws Exception {
        Ended held = run(Map.of(), List.of(), Main.class, Program.class);
        assertEquals("refused outside", held.output().strip());
        Ended none = run(Map.of(), List.of(Main.class.getName(), "no.such.Program"));
        assertEquals(127, none.status(), none.output());
    }

    @Test
    void whatStandsInTheWayEndsTheJvmInWords() throws Exception {
        Ended wrong = run(Map.of("STOCKADE_SANDBOX", "perhaps"), List.of(agent("")), Program.class);
        assertEquals(125, wrong.status());
        assertTrue(wrong.output().contains("stockade: STOCKADE_SANDBOX must be"), wrong.output());
        assertFalse(wrong.output().contains("\tat "), wrong.output());
        Ended unknown = run(Map.of(), List.of(agent("=profile=no-such")), Program.class);
        assertEquals(125, unknown.status());
        assertFalse(unknown.output().contains("\tat "), unknown.output());
    }
}
