package dev.stockade.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code init} writes makes the build that it found work, offline. */
@Tag("S06")
class InitTest {

    @TempDir
    Path place;

    private Path workspace = Path.of("target");
    private Path file = workspace;
    private Path home = workspace;

    @BeforeEach
    void lay() throws Exception {
        workspace = Files.createDirectory(place.toRealPath().resolve("app"));
        home = Files.createDirectory(place.toRealPath().resolve("home"));
        file = place.toRealPath().resolve("config/stockade/app.toml");
    }

    private Child stockade(String... argv) throws Exception {
        ProcessBuilder command = Child.command(workspace, argv);
        command.environment()
                .put("XDG_CONFIG_HOME", place.toRealPath().resolve("config").toString());
        command.environment().put("HOME", home.toString());
        command.environment().put("GRADLE_USER_HOME", home.resolve(".gradle").toString()); // It does not look at HOME.
        command.environment().remove("JAVA_HOME"); // The tests' own: older tools may not know it.
        return Child.run(command, "");
    }

    private Child build(String... argv) throws Exception {
        return buildBy("bwrap", argv);
    }

    private Child buildBy(String backend, String... argv) throws Exception {
        List<String> all = new ArrayList<>(List.of("run", "--backend", backend, "--profile", file.toString(), "--"));
        all.addAll(List.of(argv));
        return stockade(all.toArray(String[]::new));
    }

    private void write(String name, String text) throws Exception {
        Path path = workspace.resolve(name);
        Files.createDirectories(path.resolveSibling("."));
        Files.writeString(path, text);
    }

    @ParameterizedTest
    @CsvSource({
        "pom.xml, Maven, mvn -o verify, .m2/repository",
        "build.gradle.kts, Gradle, gradle --offline build, .gradle/daemon",
        "package.json, npm, npm test, .npm",
        "Cargo.toml, Cargo, cargo test --offline, .cargo/registry",
        "go.mod, Go, go test ./..., .cache/go-build",
        "pyproject.toml, Python, python3 -m unittest, ''"
    })
    void recognisesABuild(String marker, String title, String line, String cache) throws Exception {
        write(marker, "");
        write(".env", "SECRET=planted");
        Child child = stockade("init");
        assertEquals(0, child.status(), child.err());
        String said =
                "wrote " + file + ", for " + title + ". Then:\n  stockade run --profile " + file + " -- " + line + "\n";
        assertTrue(child.out().endsWith(said), child.out());
        if (!cache.isEmpty()) {
            Path made = home.resolve(cache);
            assertTrue(child.out().contains("made " + made + ", where a build"), child.out());
            assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(made)));
        }
        String text = Files.readString(file);
        assertTrue(text.contains("\nprofile = \"build\"\n"), text);
        Child explained = stockade("explain", "--json", "--profile", file.toString());
        assertTrue(explained.out().contains("\"from\": \"profile build\""), explained.out() + explained.err());
        assertTrue(explained.out().contains("\"hidden " + workspace.resolve(".env") + "\""), explained.out());
        assertEquals(
                "stockade: " + file + " exists already and was left as it is\n",
                stockade("init").err());
    }

    /** Uncommented, the line that it offers is valid, too. */
    @Test
    void offersTheNetworkToTheCommandThatFetches() throws Exception {
        write("pom.xml", "");
        write("package.json", "");
        stockade("init");
        String line = "network_allow = [[\"mvn\", \"dependency:go-offline\"], [\"npm\", \"ci\"]]\n";
        String text = Files.readString(file);
        assertTrue(text.contains("# " + line), text);
        Files.writeString(file, text.replace("# " + line, line));
        Child explained = stockade("explain", "--profile", file.toString());
        assertTrue(explained.out().contains("network on for npm ci"), explained.out() + explained.err());
    }

    @Test
    void writesEveryKeyAsACommentWhereThereIsNoBuild() throws Exception {
        Child child = stockade("init");
        assertEquals(0, child.status(), child.err());
        assertTrue(Files.readString(workspace.resolve("stockade.toml")).contains("# network = "));
        assertEquals(0, stockade("explain").status());
    }

    @Test
    void npmTestsOffline() throws Exception {
        MustRun.backend("bwrap");
        MustRun.tool("npm");
        write("package.json", "{\"name\": \"app\", \"version\": \"1.0.0\", \"scripts\": {\"test\": \"node test.js\"}}");
        write("test.js", "require('fs').writeFileSync('ran', 'yes');");
        stockade("init");
        Child child = build("npm", "test");
        assertEquals(0, child.status(), child.err());
        assertEquals("yes", Files.readString(workspace.resolve("ran")));
    }

    @Test
    void pythonTestsOffline() throws Exception {
        MustRun.backend("bwrap");
        MustRun.tool("python3");
        write("pyproject.toml", "[project]\nname = \"app\"\nversion = \"1\"\n");
        write("test_app.py", "import unittest\nclass T(unittest.TestCase):\n    def test(self): pass\n");
        stockade("init");
        Child child = build("python3", "-m", "unittest");
        assertEquals(0, child.status(), child.err());
        assertTrue(child.err().contains("Ran 1 test"), child.err());
    }

    /** In a home where no build has been yet. */
    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    void goTestsOffline(String backend) throws Exception {
        MustRun.backendOfAChild(backend, workspace);
        MustRun.tool("go");
        write("go.mod", "module example.com/app\n\ngo 1.18\n");
        write("app_test.go", "package app\n\nimport \"testing\"\n\nfunc TestRuns(t *testing.T) {}\n");
        stockade("init");
        Child child = buildBy(backend, "go", "test", "./...");
        assertEquals(0, child.status(), child.out() + child.err());
        assertTrue(child.out().startsWith("ok"), child.out());
    }

    /** Its daemon is started inside, and asked through the loopback that is inside. */
    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    void gradleBuildsOffline(String backend) throws Exception {
        MustRun.backendOfAChild(backend, workspace);
        MustRun.tool("gradle");
        write("build.gradle", "apply plugin: 'java'\n");
        write("src/main/java/A.java", "public class A {}\n");
        ProcessBuilder unconfined = new ProcessBuilder("gradle", "--offline", "--no-daemon", "build");
        unconfined.directory(workspace.toFile()).environment().remove("JAVA_HOME");
        unconfined
                .environment()
                .put("GRADLE_USER_HOME", home.resolve("unconfined").toString());
        assumeTrue(Child.run(unconfined, "").status() == 0, "this Gradle does not work with this Java");
        Files.delete(workspace.resolve("build/libs/app.jar"));
        stockade("init");
        Child child = buildBy(backend, "gradle", "--offline", "build");
        assertEquals(0, child.status(), child.out() + child.err());
        assertTrue(Files.exists(workspace.resolve("build/libs/app.jar")), child.out());
    }

    @Test
    void mavenCompilesOffline() throws Exception {
        MustRun.backend("bwrap");
        MustRun.tool("mvn");
        home = Path.of(System.getProperty("user.home"));
        String version = "3.16.0";
        Path repository = Path.of(System.getProperty("user.home"), ".m2/repository");
        String plugin = "org.apache.maven.plugins:maven-compiler-plugin:" + version + ":compile";
        assumeTrue(Files.exists(repository.resolve("org/apache/maven/plugins/maven-compiler-plugin/" + version)));
        write("src/main/java/A.java", "public class A {}\n");
        write("pom.xml", """
                <project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
                <groupId>g</groupId><artifactId>a</artifactId><version>1</version>
                <properties><maven.compiler.release>17</maven.compiler.release>
                <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties></project>
                """);
        stockade("init");
        assertNotEquals(
                0,
                stockade("run", "--backend", "bwrap", "--", "mvn", "-q", "-o", "-B", plugin)
                        .status());
        Child child = build("mvn", "-q", "-o", "-B", plugin);
        assertEquals(0, child.status(), child.out() + child.err());
        assertTrue(Files.exists(workspace.resolve("target/classes/A.class")));
    }
}
