package dev.stockade.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stockade.api.Availability.Unavailable;
import dev.stockade.api.Backends;
import dev.stockade.api.Command;
import dev.stockade.api.Result;
import dev.stockade.api.Sandbox;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** The profile {@code build}, held for real: builds work without the network, and credentials are not seen. */
@Tag("S05")
@Tag("S06")
@ParameterizedClass
@ValueSource(strings = {"bwrap", "landlock"})
class RealBuildsTest {

    private static final List<String> CREDENTIALS = List.of(
            ".ssh/id_ed25519",
            ".aws/credentials",
            ".azure/token",
            ".gnupg/key",
            ".netrc",
            ".docker/config.json",
            ".kube/config",
            ".npmrc",
            ".pypirc",
            ".git-credentials",
            ".password-store/p.gpg",
            ".config/gh/hosts.yml",
            ".config/gcloud/c.db",
            ".config/hub",
            ".cargo/credentials",
            ".cargo/credentials.toml",
            ".local/share/keyrings/login.keyring",
            "Library/Keychains/login.keychain");

    @Parameter
    private String backend = "";

    private Path directory = Path.of("target");
    private Given given = new Given(directory, directory, Map.of());
    private Backends backends = Backends.of();

    @BeforeEach
    void plant() throws IOException {
        backends = working();
        // Not in /tmp, where a private one is seen instead; not even where this checkout lies there.
        Path target = Path.of("target").toRealPath();
        Path parent = target.startsWith("/tmp") ? Path.of(System.getProperty("user.home")) : target;
        directory = Files.createTempDirectory(parent, "stockade-builds").toRealPath();
        given = new Given(directory);
        given.environment().put("PATH", System.getenv("PATH"));
        CREDENTIALS.forEach(place -> Given.file(given.home().resolve(place), "planted"));
        Given.file(given.home().resolve(".gitconfig"), "readable");
        for (String cache : List.of(".npm", ".cache/pip", ".cargo/registry", "go/pkg/mod", ".m2/repository")) {
            Given.directory(given.home().resolve(cache));
        }
    }

    /** Skips where the backend cannot work, unless STOCKADE_MUST_RUN names it. */
    private Backends working() {
        Backends installed = Backends.installed();
        if (installed.availability().get(backend) instanceof Unavailable here) {
            String must = System.getenv().getOrDefault("STOCKADE_MUST_RUN", "");
            assertFalse(List.of(must.split(",", -1)).contains(backend), here::reason);
            assumeTrue(false, here.reason());
        }
        return installed.only(backend);
    }

    @AfterEach
    void remove() throws IOException {
        if (directory.isAbsolute()) {
            try (Stream<Path> files = Files.walk(directory)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    private static String tool(String name) {
        Optional<Path> found = Stream.of(System.getenv("PATH").split(":", -1))
                .filter(entry -> entry.startsWith("/"))
                .map(entry -> Path.of(entry, name))
                .filter(Files::isExecutable)
                .findFirst();
        assumeTrue(found.isPresent(), name + " is not installed");
        return found.orElseThrow().toString();
    }

    private Result run(Map<String, String> variables, String... argv) throws InterruptedException {
        Map<String, String> all = new HashMap<>(variables);
        all.put("HOME", given.home().toString());
        all.put("PATH", System.getenv("PATH"));
        Loaded loaded = given.configuration().profile("build").load();
        try (Sandbox sandbox = loaded.open(backends)) {
            List<String> seen =
                    new ArrayList<>(List.of("sh", "-c", "for f; do cat \"$f\" && echo \"seen: $f\"; done", "sh"));
            CREDENTIALS.forEach(place -> seen.add(given.home().resolve(place).toString()));
            Result probe = sandbox.run(Command.of(seen).environment(all));
            assertEquals("", probe.stdout().text(), "credentials");
            String settings = given.home().resolve(".gitconfig").toString();
            assertEquals(
                    "readable",
                    sandbox.run(Command.of("cat", settings)).stdout().text(),
                    "not hidden");
            Result result = sandbox.run(Command.of(argv).environment(all).timeout(Duration.ofMinutes(2)));
            assertEquals(
                    0,
                    result.exitStatus(),
                    () -> result.stdout().text() + result.stderr().text());
            assertFalse(result.capabilities().can(dev.stockade.api.Reach.SEND_OFF_MACHINE));
            return result;
        }
    }

    private void write(String file, String text) {
        Given.file(given.workspace().resolve(file), text);
    }

    @Test
    void mavenCompiles() throws Exception {
        String repository = System.getProperty("localRepository", System.getProperty("user.home") + "/.m2/repository");
        String version = "3.16.0";
        assumeTrue(Files.exists(Path.of(repository, "org/apache/maven/plugins/maven-compiler-plugin", version)));
        write("src/main/java/A.java", "public class A {}\n");
        write("pom.xml", """
                <project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
                <groupId>g</groupId><artifactId>a</artifactId><version>1</version>
                <properties><maven.compiler.release>17</maven.compiler.release>
                <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties></project>
                """);
        run(
                Map.of(),
                tool("mvn"),
                "-q",
                "-o",
                "-B",
                "-Dmaven.repo.local=" + repository,
                "org.apache.maven.plugins:maven-compiler-plugin:" + version + ":compile");
        assertTrue(Files.exists(given.workspace().resolve("target/classes/A.class")));
    }

    @Test
    void npmInstallsALocalPackage() throws Exception {
        write("dep/package.json", "{\"name\": \"dep\", \"version\": \"1.0.0\", \"main\": \"index.js\"}");
        write("dep/index.js", "module.exports = 42;\n");
        write("package.json", "{\"name\": \"app\", \"version\": \"1.0.0\"}");
        String npm = tool("npm");
        Result result = run(
                Map.of(),
                "sh",
                "-ec",
                "\"$0\" pack ./dep --silent >&2; \"$0\" install --offline --no-audit"
                        + " --no-fund ./dep-1.0.0.tgz >&2; node -p 'require(\"dep\")'",
                npm);
        assertEquals("42", result.stdout().text().strip());
        assertTrue(Files.isDirectory(given.home().resolve(".npm/_cacache")), "its cache is written");
    }

    @Test
    void cargoBuilds() throws Exception {
        write("Cargo.toml", "[package]\nname = \"a\"\nversion = \"0.1.0\"\nedition = \"2021\"\n");
        write("src/main.rs", "fn main() { println!(\"built\"); }\n");
        Map<String, String> toolchain = Map.of(
                "RUSTUP_HOME",
                System.getenv().getOrDefault("RUSTUP_HOME", System.getProperty("user.home") + "/.rustup"));
        String cargo = tool("cargo");
        Result result = run(toolchain, cargo, "run", "--offline", "--quiet");
        assertEquals("built", result.stdout().text().strip());
    }

    @Test
    void pipInstallsALocalWheelIntoAVirtualEnvironment() throws Exception {
        Path wheel = given.workspace().resolve("own-1.0-py3-none-any.whl");
        try (OutputStream file = Files.newOutputStream(wheel);
                ZipOutputStream zip = new ZipOutputStream(file)) {
            entry(zip, "own.py", "answer = 42\n");
            entry(zip, "own-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: own\nVersion: 1.0\n");
            entry(
                    zip,
                    "own-1.0.dist-info/WHEEL",
                    "Wheel-Version: 1.0\nGenerator: t\nRoot-Is-Purelib: true\nTag: py3-none-any\n");
            entry(
                    zip,
                    "own-1.0.dist-info/RECORD",
                    "own.py,,\nown-1.0.dist-info/METADATA,,\nown-1.0.dist-info/WHEEL,,\nown-1.0.dist-info/RECORD,,\n");
        }
        String python = tool("python3");
        Result result = run(
                Map.of(),
                "sh",
                "-ec",
                "\"$0\" -m venv v >&2; v/bin/pip install --no-index ./" + wheel.getFileName()
                        + " >&2; v/bin/python -c 'import own; print(own.answer)'",
                python);
        assertEquals("42", result.stdout().text().strip());
    }

    private static void entry(ZipOutputStream zip, String name, String text) throws IOException {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(text.getBytes(StandardCharsets.UTF_8));
        zip.closeEntry();
    }

    @Test
    void goBuilds() throws Exception {
        write("go.mod", "module a\n\ngo 1.19\n");
        write("main.go", "package main\n\nfunc main() { println(\"built\") }\n");
        String go = tool("go");
        assertEquals(
                "built",
                run(Map.of("GOFLAGS", "-mod=mod"), go, "run", ".")
                        .stderr()
                        .text()
                        .strip());
    }

    @Test
    void aLocalServerWorksAndNothingOutsideIsReached() throws Exception {
        assumeTrue(
                backend.equals("bwrap") || given.uid() == 0,
                "without root landlock cannot tell local servers from the host's, and refuses IP");
        String python = tool("python3");
        Result result = run(Map.of(), python, "-c", """
                import socket
                s = socket.create_server(("127.0.0.1", 0))
                c = socket.create_connection(s.getsockname())
                print("local")
                try:
                    socket.create_connection(("192.0.2.1", 80), 2)
                    print("outside")
                except OSError as e:
                    print("closed")
                """);
        assertEquals("local\nclosed", result.stdout().text().strip());
    }

    @Test
    void aBuildCannotReplaceAProgramNorItsOwnHooks() throws Exception {
        Path tool = Given.file(given.home().resolve(".cargo/bin/cargo"), "original");
        Path hook = Given.file(given.workspace().resolve(".git/hooks/pre-commit"), "original");
        Path cached = given.home().resolve(".npm/entry");
        run(
                Map.of(),
                "sh",
                "-c",
                "for f; do echo planted 2>/dev/null > \"$f\"; done; true",
                "sh",
                tool.toString(),
                hook.toString(),
                cached.toString());
        assertEquals("original", Files.readString(tool));
        assertEquals("original", Files.readString(hook));
        assertEquals("planted\n", Files.readString(cached), "a cache can be written");
    }
}
