package dev.stockade.architecture;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a user gets: jars, on either path, on the oldest and the newest Java, beside jars of others that are broken. */
class PackagedJarsTest {

    private static final String API = "dev.stockade.api";

    /** What backends need beside it. */
    private static final Set<String> LIBRARIES = Set.of("dev.stockade.linux.filter", "dev.stockade.posix");
    /** Of its bytes; whoever raises it says what for: 230_000 for a JVM that confines itself. */
    private static final int LARGEST_API = 236_000;

    /** The user's program: prints what there is. */
    private static final String PROGRAM = """
            package user;

            public final class Main {
                public static void main(String[] arguments) throws Exception {
                    if (arguments.length > 0) {
                        Thread.currentThread().setContextClassLoader(null);
                    }
                    var backends = dev.stockade.api.Backends.installed();
                    System.out.println("names " + backends.names());
                    backends.availability().forEach((name, found) -> System.out.println(name + ": " + found));
                    try {
                        backends.only("nowhere");
                    } catch (dev.stockade.api.NoBackendException e) {
                        System.out.println(e.getMessage());
                    }
                    var workspace = java.nio.file.Files.createTempDirectory("stockade-test");
                    try (var sandbox = backends.only("sound").open(dev.stockade.api.Profile.builder(workspace).build())) {
                        System.out.print(sandbox.run(dev.stockade.api.Command.of("echo", "ran")).stdout());
                    }
                    java.nio.file.Files.delete(workspace);
                }
            }
            """;

    /** A third party's backend: NAME is its name, BREAKS stands in its constructor. */
    private static final String BACKEND = """
            package PACKAGE;

            import dev.stockade.api.*;
            import dev.stockade.api.spi.*;

            public final class Third implements Planner {
                public Third() {
                    BREAKS
                }

                public String name() {
                    return "NAME";
                }

                public Availability availability(Host host) {
                    return new Availability.Available("third party");
                }

                public Assessment assess(Profile profile, Host host) {
                    return Assessment.holds(Capabilities.EVERYTHING);
                }

                public Plan prepare(Profile profile, Host host) {
                    return (command, start) -> Launch.of(
                            command.argv(), java.util.Map.of("PATH", "/usr/bin:/bin"), command.directory().orElseThrow());
                }
            }
            """;

    @TempDir
    static Path temporary;

    private static final List<Path> JARS = new ArrayList<>();

    @BeforeAll
    static void pack() throws IOException {
        Comparator<StockadeModule> apiFirst =
                Comparator.comparing(module -> !module.name().equals(API));
        for (StockadeModule module :
                StockadeModule.all().stream().sorted(apiFirst).toList()) {
            if (module.name().equals(API) || LIBRARIES.contains(module.name()) || module.isBackend()) {
                Map<String, byte[]> files = new TreeMap<>();
                module.files().forEach(file -> files.put(file, module.read(file).array()));
                JARS.add(jar(module.name(), files));
            }
        }
        third("sound", "sound", "", 17);
        third("throwing", "throwing", "if (true) throw new IllegalStateException(\"ouch\");", 17);
        third("unlinked", "unlinked", "new PACKAGE.Gone();", 17);
        third("newer", "newer", "", 25);
        third("twin.one", "twin", "", 17);
        third("twin.two", "twin", "", 17);
        Map<String, byte[]> nowhere = new TreeMap<>();
        nowhere.put("META-INF/services/dev.stockade.api.spi.Backend", "third.nowhere.Third".getBytes(UTF_8));
        JARS.add(jar("third.nowhere", nowhere));
        JARS.add(jar(
                "user",
                compiled(
                        Map.of(
                                "user/Main.java",
                                PROGRAM,
                                "module-info.java",
                                "module user { requires dev.stockade.api; }"),
                        17)));
    }

    private static void third(String module, String name, String breaks, int release) throws IOException {
        String type = "third." + module;
        Map<String, String> sources = new TreeMap<>();
        sources.put(
                type.replace('.', '/') + "/Third.java",
                BACKEND.replace("BREAKS", breaks).replace("PACKAGE", type).replace("NAME", name));
        sources.put(
                "module-info.java",
                "module " + type + " { requires dev.stockade.api; provides dev.stockade.api.spi.Backend with " + type
                        + ".Third; }");
        if (breaks.contains("Gone")) {
            sources.put(type.replace('.', '/') + "/Gone.java", "package " + type + "; class Gone {}");
        }
        Map<String, byte[]> files = compiled(sources, release);
        files.remove(type.replace('.', '/') + "/Gone.class");
        if (release > 17) {
            // A descriptor of a later version keeps an older JVM from starting at all: only the class is newer.
            files.put("module-info.class", compiled(sources, 17).get("module-info.class"));
        }
        files.put("META-INF/services/dev.stockade.api.spi.Backend", (type + ".Third").getBytes(UTF_8));
        JARS.add(jar(type, files));
    }

    private static Map<String, byte[]> compiled(Map<String, String> sources, int release) throws IOException {
        Path from = Files.createTempDirectory(temporary, "sources");
        Path to = Files.createTempDirectory(temporary, "classes");
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<String> arguments = new ArrayList<>(List.of(
                "--release",
                "" + release,
                "-proc:none",
                "-d",
                "" + to,
                "--module-path",
                "" + JARS.get(0).getParent()));
        for (Map.Entry<String, String> source : sources.entrySet()) {
            Path file = from.resolve(source.getKey());
            Files.createDirectories(file.getParent());
            arguments.add(Files.writeString(file, source.getValue()).toString());
        }
        assertEquals(0, compiler.run(null, null, null, arguments.toArray(String[]::new)));
        Map<String, byte[]> files = new TreeMap<>();
        try (Stream<Path> made = Files.walk(to)) {
            for (Path file : made.filter(Files::isRegularFile).toList()) {
                files.put(to.relativize(file).toString(), Files.readAllBytes(file));
            }
        }
        return files;
    }

    private static Path jar(String name, Map<String, byte[]> files) throws IOException {
        Path jar = Files.createDirectories(temporary.resolve("jars")).resolve(name + ".jar");
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream packing = new JarOutputStream(out)) {
            for (Map.Entry<String, byte[]> file : files.entrySet()) {
                packing.putNextEntry(new JarEntry(file.getKey()));
                packing.write(file.getValue());
            }
        }
        return jar;
    }

    private static Optional<Path> jdk(int version) {
        List<Path> homes = new ArrayList<>();
        homes.add(Path.of(System.getProperty("java.home")));
        Stream.of(System.getProperty("jdk" + version + ".home"), System.getenv("JAVA" + version + "_HOME"))
                .filter(home -> home != null && !home.isBlank())
                .map(Path::of)
                .forEach(homes::add);
        List.of(Path.of("/usr/lib/jvm"), Path.of(System.getProperty("user.home"), ".sdkman/candidates/java"))
                .forEach(place -> homes.addAll(List.of(list(place))));
        return homes.stream()
                .filter(home -> Files.isExecutable(home.resolve("bin/java")) && isVersion(home, version))
                .findFirst();
    }

    private static Path[] list(Path place) {
        try (Stream<Path> found = Files.list(place)) {
            return found.sorted().toArray(Path[]::new);
        } catch (IOException e) {
            return new Path[0]; // There is no such folder here.
        }
    }

    private static boolean isVersion(Path home, int version) {
        try {
            return Files.readString(home.resolve("release")).contains("JAVA_VERSION=\"" + version + ".")
                    || Files.readString(home.resolve("release")).contains("JAVA_VERSION=\"" + version + "\"");
        } catch (IOException e) {
            return false;
        }
    }

    private static String run(int version, boolean modules, String... arguments) throws Exception {
        Optional<Path> home = jdk(version);
        boolean must = System.getenv("CI") != null;
        assumeTrue(home.isPresent() || must, "there is no JDK " + version + " here");
        Path java =
                home.orElseThrow(() -> new AssertionError("no JDK " + version)).resolve("bin/java");
        List<String> argv = new ArrayList<>(List.of(java.toString(), "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        if (modules) {
            // A jar that names no module and no class of its own has nothing to offer on this path.
            List<String> path = JARS.stream()
                    .map(Path::toString)
                    .filter(jar -> !jar.endsWith("third.nowhere.jar"))
                    .toList();
            argv.addAll(List.of("-p", String.join(File.pathSeparator, path), "-m", "user/user.Main"));
        } else {
            String path = String.join(
                    File.pathSeparator, JARS.stream().map(Path::toString).toList());
            argv.addAll(List.of("-cp", path, "user.Main"));
        }
        argv.addAll(List.of(arguments));
        Process process = new ProcessBuilder(argv).redirectErrorStream(true).start();
        String printed = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertEquals(0, process.waitFor(), printed);
        return printed;
    }

    @ParameterizedTest
    @CsvSource({"17, false", "17, true", "25, false", "25, true"})
    @Tag("M01")
    void findsEveryBackendThatCanBeLoadedAndSaysWhatIsWrongWithTheOthers(int version, boolean modules)
            throws Exception {
        String printed = run(version, modules);
        String newer = version < 25 ? "" : "newer, ";
        String own = String.join(
                ", ",
                StockadeModule.all().stream()
                        .filter(StockadeModule::isBackend)
                        .map(module -> module.name().replaceFirst(".*\\.", ""))
                        .toList());
        for (String name : own.split(", ", -1)) {
            assertTrue(printed.lines().anyMatch(line -> line.startsWith(name + ": ")), printed);
        }
        assertTrue(printed.contains(newer + "none, "), printed);
        assertEquals(version < 25, printed.contains("needs Java 25") || printed.contains("Java 25 or newer"), printed);
        assertTrue(printed.contains("there is no backend \"nowhere\"; installed are bwrap, "), printed);
        assertTrue(printed.contains("third.throwing.Third"), printed);
        assertTrue(printed.contains("ouch"), printed);
        assertTrue(printed.contains("third.unlinked.Third"), printed);
        assertEquals(
                version < 25,
                printed.contains("third/newer/Third has been compiled by a more recent version"),
                printed);
        assertTrue(printed.contains("third.twin.one.Third") && printed.contains("third.twin.two.Third"), printed);
        assertTrue(printed.contains("twin: Unavailable"), printed);
        assertEquals(!modules, printed.contains("third.nowhere.Third not found"), printed);
        assertTrue(printed.endsWith("ran\n"), printed);
    }

    @ParameterizedTest
    @CsvSource({"17, false", "25, true"})
    @Tag("M01")
    void findsThemFromAThreadWithoutAClassLoader(int version, boolean modules) throws Exception {
        assertEquals(run(version, modules), run(version, modules, "no context class loader"));
    }

    @Test
    void theApiDoesNotGrowUnseen() throws IOException {
        assertTrue(JARS.get(0).endsWith(API + ".jar"));
        long size = Files.size(JARS.get(0));
        assertTrue(size <= LARGEST_API, () -> "the API's jar has " + size + " bytes");
    }
}
