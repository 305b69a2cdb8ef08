package dev.stockade.backend.landlock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A JVM confines itself, with all that it has been started with. */
@Timeout(180)
class ThisJvmTest {

    private static final List<String> ESCAPES = List.of(
            "write", "early", "pool", "virtual", "exec", "daemon", "delete", "move", "link", "foreign", "descriptor:5");

    @TempDir
    Path workspace;

    /** Not below /tmp, which write-guard shares. */
    private Path outside = Path.of("/var/tmp");

    @BeforeEach
    void makeOutside() throws IOException {
        Live.required();
        outside = Files.createTempDirectory(Path.of("/var/tmp"), "stockade-outside");
        Files.writeString(outside.resolve("kept"), "x");
    }

    @AfterEach
    void removeOutside() throws IOException {
        try (var files = Files.list(outside)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(outside);
    }

    private ProcessBuilder jvm(List<String> inFront, String how, List<String> attempts) {
        List<String> arguments = new ArrayList<>(List.of(how, workspace.toString(), outside.toString()));
        arguments.addAll(attempts);
        return OtherJvm.run(inFront, SelfConfined.class, arguments.toArray(String[]::new));
    }

    private static List<String> said(ProcessBuilder builder) throws IOException, InterruptedException {
        Process process = builder.redirectErrorStream(true).start();
        process.getOutputStream().close();
        return said(process);
    }

    private static List<String> said(Process process) throws IOException, InterruptedException {
        List<String> lines = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();
        assertTrue(process.waitFor(60, TimeUnit.SECONDS));
        return lines;
    }

    private List<String> said(String how, String... attempts) throws Exception {
        return said(jvm(List.of(), how, Arrays.asList(attempts)));
    }

    private static String answer(List<String> lines, String name) {
        return lines.stream()
                .filter(line -> line.startsWith(name + "="))
                .findFirst()
                .orElseThrow(() -> new AssertionError(name + " is missing in " + String.join("\n", lines)));
    }

    private static void assertYes(List<String> lines, String... names) {
        for (String name : names) {
            assertTrue(answer(lines, name).startsWith(name + "=yes"), String.join("\n", lines));
        }
    }

    private static void assertNo(List<String> lines, String... names) {
        for (String name : names) {
            assertTrue(answer(lines, name).startsWith(name + "=no"), String.join("\n", lines));
        }
    }

    private static long starts(List<String> lines) {
        return lines.stream().filter(line -> line.startsWith("start ")).count();
    }

    /** A shell in front, that opens a file outside for reading and names it in an argument. */
    private List<String> holdingAFileOutside() {
        return List.of("sh", "-c", "exec 5< '" + outside.resolve("kept") + "'; \"$@\" /dev/fd/5", "sh");
    }

    private List<String> escaping(String how) throws Exception {
        List<String> attempts = new ArrayList<>(List.of("inside"));
        attempts.addAll(ESCAPES);
        attempts.addAll(List.of("threads", "children"));
        return said(jvm(holdingAFileOutside(), how, attempts));
    }

    @Test
    @Tag("A02")
    @Tag("A01")
    void confinesThreadsAndChildrenThatWereAndThatCome() throws Exception {
        List<String> lines = escaping("guard+hook");
        assertEquals(2, starts(lines), lines.toString());
        assertEquals(lines.get(0), lines.get(1), "the pid stays");
        assertTrue(lines.contains("confined by landlock []"), lines.toString());
        assertYes(lines, "inside", "threads", "children");
        assertNo(lines, ESCAPES.toArray(String[]::new));
        assertNo(lines, "hook");
        try (var left = Files.list(outside)) {
            assertEquals(List.of(outside.resolve("kept")), left.toList());
        }
    }

    @Test
    void theSameAttemptsGetThroughWhereNothingIsConfined() throws Exception {
        List<String> lines = escaping("unconfined+hook");
        assertEquals(1, starts(lines), lines.toString());
        List<String> withoutOnesOwn = new ArrayList<>(ESCAPES);
        withoutOnesOwn.remove("move"); // between file systems, perhaps
        assertYes(lines, withoutOnesOwn.toArray(String[]::new));
        assertYes(lines, "hook");
        assertNo(lines, "threads", "children");
    }

    @Test
    @Tag("A01")
    void leavesAJvmWhatItNeeds() throws Exception {
        List<String> lines = said("guard", "tmp", "watch", "list", "tcp", "udp", "property:java.io.tmpdir", "ring");
        assertYes(lines, "tmp", "watch", "list", "tcp", "udp");
        assertTrue(lines.contains("property:java.io.tmpdir=yes /tmp"), lines.toString());
        assertTrue(answer(lines, "ring").endsWith("errno 1"), lines.toString());
    }

    @Test
    @Tag("A01")
    void canBeAttachedToAndRecorded() throws Exception {
        Path jcmd = Path.of(OtherJvm.java()).resolveSibling("jcmd");
        assumeTrue(Files.isExecutable(jcmd), "jcmd is needed");
        Process process = jvm(List.of(), "guard", List.of("inside", "stdin")).start();
        try {
            while (!Files.exists(workspace.resolve("written"))) {
                assertTrue(process.isAlive());
                Thread.sleep(50);
            }
            String pid = Long.toString(process.pid());
            Path recording = workspace.resolve("recording.jfr");
            List<String> lines =
                    said(new ProcessBuilder(jcmd.toString(), pid, "JFR.start", "name=test", "filename=" + recording));
            assertTrue(String.join("\n", lines).contains("Started recording"), lines.toString());
            lines = said(new ProcessBuilder(jcmd.toString(), pid, "JFR.stop", "name=test"));
            assertTrue(Files.size(recording) > 0, lines.toString());
            lines = said(new ProcessBuilder(
                    jcmd.toString(),
                    pid,
                    "GC.heap_dump",
                    outside.resolve("heap").toString()));
            assertFalse(Files.exists(outside.resolve("heap")), lines.toString());
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    @Tag("A03")
    @Tag("A04")
    void closesTheNetworkWhereAsked() throws Exception {
        List<String> lines = said("offline", "tcp", "udp", "ring", "inside");
        assertNo(lines, "tcp", "udp");
        assertTrue(answer(lines, "ring").endsWith("errno 1"), lines.toString());
        assertYes(lines, "inside");
    }

    @Test
    void reachesNoProcessOutside() throws Exception {
        Process victim = new ProcessBuilder("sleep", "60").start();
        try {
            String environ = "environ:" + victim.pid();
            String signal = "signal:" + victim.pid();
            assertYes(said("unconfined", environ, signal), environ, signal);
            List<String> lines = said("guard", environ, signal);
            assertNo(lines, environ);
            if (LandlockAbi.reported(new Kernel().version()).scopesSignals()) {
                assertNo(lines, signal);
            }
        } finally {
            victim.destroyForcibly();
        }
    }

    @Test
    void canOnlyBeMadeTighter() throws Exception {
        List<String> lines = said("twice", "tcp", "inside", "write");
        assertEquals(3, starts(lines), lines.toString());
        assertNo(lines, "tcp", "write");
        assertYes(lines, "inside");
        List<String> widened = said("widening", "tcp");
        assertTrue(
                widened.stream()
                        .anyMatch(line ->
                                line.startsWith("refused") && line.contains("would widen network from off to on")),
                widened.toString());
    }

    @Test
    void neverStartsWithoutEnd() throws Exception {
        List<String> lines = said("unlike");
        assertEquals(2, starts(lines), lines.toString());
        assertTrue(lines.get(2).contains("asks for another profile than before"), lines.toString());
    }

    @Test
    void refusesWhatASecondStartWouldMissOrLeaveOutside() throws Exception {
        Process late =
                jvm(List.of(), "late", List.of()).redirectErrorStream(true).start();
        Thread.sleep(300);
        late.getOutputStream().write("hello".getBytes(StandardCharsets.UTF_8));
        late.getOutputStream().close();
        List<String> lines = said(late);
        assertTrue(lines.get(2).startsWith("refused") && lines.get(2).contains("was read already"), lines.toString());
        assertEquals(3, late.exitValue());
        Path input = Files.writeString(workspace.resolve("input"), "hello");
        lines = said(jvm(List.of(), "late", List.of())
                .redirectErrorStream(true)
                .redirectInput(input.toFile())
                .start());
        assertTrue(lines.get(2).contains("a file, was read already up to byte 5"), lines.toString());
        lines = said("parent");
        assertTrue(lines.get(1).contains("has started processes already"), lines.toString());
    }

    @Test
    void keepsArgumentsAndInputAsTheyCameInAnyLocale() throws Exception {
        List<String> odd = List.of("two words", "new\nline", "grün", "");
        List<String> attempts = new ArrayList<>(List.of("stdin", "open:5", "cmdline"));
        attempts.addAll(odd);
        for (String locale : List.of("C", "C.UTF-8")) {
            ProcessBuilder builder = jvm(holdingAFileOutside(), "guard", attempts);
            builder.environment().put("LC_ALL", locale);
            // The test's own locale decides how it is encoded on the way there.
            Process process = builder.redirectErrorStream(true).start();
            process.getOutputStream().write("from a pipe".getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().close();
            String all = String.join("\n", said(process));
            assertTrue(all.contains("stdin=yes from a pipe"), all);
            assertTrue(all.contains("open:5=yes " + outside.resolve("kept")), all);
            byte[] typed = "two words\0new\nline\0grün\0\0/dev/fd/5\0".getBytes(encoding());
            assertTrue(all.contains(HexFormat.of().formatHex(typed) + "\n"), all);
        }
    }

    private static Charset encoding() {
        return Charset.forName(System.getProperty("sun.jnu.encoding"));
    }

    @Test
    void holdsAStricterProfile() throws Exception {
        Path classes = copyOfClasses();
        List<String> argv = new ArrayList<>(List.of(
                OtherJvm.java(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                classes.toString(),
                SelfConfined.class.getName(),
                "strict",
                workspace.toString(),
                outside.toString()));
        argv.addAll(List.of("inside", "tmp", "write", "tcp", "threads", "list"));
        List<String> lines = said(new ProcessBuilder(argv));
        assumeTrue(!lines.get(1).contains("this JVM needs " + System.getProperty("java.home")), "a JDK in a home");
        assertYes(lines, "inside", "tmp", "threads");
        assertNo(lines, "write", "tcp", "list");
        List<String> refused = said("strict");
        assertTrue(
                refused.get(1).contains("refused") || refused.contains("confined by landlock []"), refused.toString());
    }

    /** In the workspace, which is readable. */
    private Path copyOfClasses() throws IOException {
        Path classes = Files.createDirectory(workspace.resolve("classes"));
        for (String from : OtherJvm.classPath().split(":", -1)) {
            copy(Path.of(from), classes);
        }
        return classes;
    }

    private static void copy(Path from, Path to) throws IOException {
        if (Files.isRegularFile(from)) {
            assertEquals(0, tool("jar", "-x", "-f", from.toString(), "--dir", to.toString()));
            return;
        }
        try (var files = Files.walk(from)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path target = to.resolve(from.relativize(file).toString());
                Files.createDirectories(target.getParent());
                Files.copy(file, target, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    private static int tool(String name, String... arguments) {
        return ToolProvider.findFirst(name).orElseThrow().run(System.out, System.err, arguments);
    }

    @Test
    void startsAgainHoweverItWasStarted() throws Exception {
        String classPath = OtherJvm.classPath();
        Path jar = workspace.resolve("self confined.jar");
        Path manifest = Files.writeString(
                workspace.resolve("manifest"),
                "Main-Class: " + SelfConfined.class.getName() + "\nEnable-Native-Access: ALL-UNNAMED\n");
        Path classes = copyOfClasses();
        assertEquals(
                0, tool("jar", "-c", "-f", jar.toString(), "-m", manifest.toString(), "-C", classes.toString(), "."));
        List<String> rest = List.of("guard", workspace.toString(), outside.toString(), "inside", "write", "threads");

        assertHeld(command(List.of(OtherJvm.java(), "-jar", jar.toString()), rest), "-jar");

        String quoted = rest.stream().map(word -> "\"" + word + "\"").reduce("", (a, b) -> a + "\n" + b);
        Path file = Files.writeString(
                workspace.resolve("arguments"), "-cp\n\"" + classPath + "\"\n" + SelfConfined.class.getName() + quoted);
        ProcessBuilder byFile = new ProcessBuilder(OtherJvm.java(), "--enable-native-access=ALL-UNNAMED", "@arguments")
                .directory(workspace.toFile());
        assertHeld(byFile, "@" + file);

        ProcessBuilder byVariable = command(
                List.of("bash", "-c", "exec -a 'my service' \"$@\"", "bash", OtherJvm.java()),
                List.of(SelfConfined.class.getName()),
                rest);
        byVariable
                .environment()
                .put("JDK_JAVA_OPTIONS", "--enable-native-access=ALL-UNNAMED -cp \"" + classPath + "\"");
        assertHeld(byVariable, "JDK_JAVA_OPTIONS, renamed");
    }

    @Test
    void startsAgainFromModulesAndFromAnImage() throws Exception {
        Path sources = Files.createDirectories(workspace.resolve("sources/dev.example.self"));
        Files.writeString(
                sources.resolve("module-info.java"),
                "module dev.example.self { requires dev.stockade.backend.landlock; requires dev.stockade.api; }");
        Files.writeString(sources.resolve("Main.java"), """
                package dev.example.self;
                import dev.stockade.api.*;
                import java.nio.file.*;
                class Main {
                    public static void main(String[] a) throws Exception {
                        System.out.println("start " + ProcessHandle.current().pid());
                        var held = Sandbox.confineThisJvm(Profile.named("write-guard", Path.of(a[0])));
                        System.out.println("confined by " + held.backend() + " " + held.notices());
                        Files.writeString(Path.of(a[0], "written"), "x");
                        System.out.println("inside=yes");
                        try {
                            Files.writeString(Path.of(a[1], "write"), "x");
                            System.out.println("write=yes");
                        } catch (java.io.IOException e) {
                            System.out.println("write=no " + e);
                        }
                    }
                }
                """);
        String path = String.join(":", OtherJvm.modules());
        Path module = workspace.resolve("modules/dev.example.self");
        assertEquals(
                0,
                tool(
                        "javac",
                        "-p",
                        path,
                        "-d",
                        module.toString(),
                        sources.resolve("module-info.java").toString(),
                        sources.resolve("Main.java").toString()));
        String all = path + ":" + module;
        String native_ = "--enable-native-access=dev.stockade.posix";
        String main = "dev.example.self/dev.example.self.Main";
        List<String> rest = List.of(workspace.toString(), outside.toString());
        List<String> lines = said(command(List.of(OtherJvm.java(), native_, "-p", all, "-m", main), rest));
        assertRestarted(lines, "-m");

        Path image = workspace.resolve("image");
        // A process of its own: inside a JVM whose modules are patched, as in tests, it refuses to work.
        Path jlink = Path.of(OtherJvm.java()).resolveSibling("jlink");
        assumeTrue(Files.isExecutable(jlink), "jlink is needed");
        List<String> linked = said(command(
                List.of(jlink.toString(), "-p", all, "--output", image.toString(), "--add-modules"),
                List.of("dev.example.self,dev.stockade.posix")));
        assertTrue(Files.isDirectory(image), linked.toString());
        lines = said(command(List.of(image.resolve("bin/java").toString(), native_, "-m", main), rest));
        assertRestarted(lines, "jlink");
    }

    private static ProcessBuilder command(List<String> first, List<String> then) {
        return command(first, then, List.of());
    }

    private static ProcessBuilder command(List<String> first, List<String> then, List<String> last) {
        List<String> argv = new ArrayList<>(first);
        argv.addAll(then);
        argv.addAll(last);
        return new ProcessBuilder(argv);
    }

    private static void assertHeld(ProcessBuilder builder, String how) throws Exception {
        List<String> lines = said(builder);
        assertRestarted(lines, how);
        assertYes(lines, "threads");
    }

    private static void assertRestarted(List<String> lines, String how) {
        List<String> starts =
                lines.stream().filter(line -> line.startsWith("start ")).toList();
        assertEquals(2, starts.size(), how + ": " + lines);
        assertEquals(starts.get(0), starts.get(1), how);
        assertYes(lines, "inside");
        assertNo(lines, "write");
    }

    @Test
    void keepsTheTerminal() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/script")), "script is needed");
        Path start = Files.writeString(
                workspace.resolve("start"),
                "#!/bin/sh\nexec "
                        + String.join(
                                " ",
                                quoted(jvm(List.of(), "guard", List.of("terminal"))
                                        .command())));
        Files.setPosixFilePermissions(start, PosixFilePermissions.fromString("rwx------"));
        String all = String.join("\n", said(new ProcessBuilder("script", "-qec", start.toString(), "/dev/null")));
        assertTrue(all.contains("terminal=yes"), all);
    }

    private static List<String> quoted(List<String> argv) {
        return argv.stream().map(word -> "'" + word + "'").toList();
    }

    @Test
    void isConfinedOnceMoreInsideABoundary() throws Exception {
        List<String> outer = jvm(List.of(), "guard", List.of()).command();
        assertFalse(outer.isEmpty());
        // As an agent in JAVA_TOOL_OPTIONS would be: a child of the confined JVM confines itself, too.
        ProcessBuilder nested = OtherJvm.run(List.of(), Nested.class, outer.toArray(String[]::new));
        nested.command().add(1, "-Dworkspace=" + workspace);
        List<String> lines = said(nested);
        assertTrue(
                lines.stream().anyMatch(line -> line.startsWith("confined by landlock [not proven")), lines.toString());
    }

    /** Confines itself, then runs what its arguments say. */
    static final class Nested {
        public static void main(String[] arguments) throws Exception {
            dev.stockade.api.Sandbox.confineThisJvm(
                    dev.stockade.api.Profile.named("write-guard", Path.of(System.getProperty("workspace"))));
            System.exit(new ProcessBuilder(arguments).inheritIO().start().waitFor());
        }
    }

    @Test
    @Tag("A05")
    void anOldKernelIsRefusedUnlessThatIsAccepted() throws Exception {
        String older = OlderKernel.into(workspace);
        List<String> refused = said(jvm(List.of(older, "2"), "guard", List.of()));
        assertTrue(String.join("\n", refused).contains("landlock refuses landlock.partial"), refused.toString());
        List<String> lines = said(jvm(List.of(older, "2"), "partial", List.of("inside", "write")));
        assertEquals(2, starts(lines), lines.toString());
        assertYes(lines, "inside");
        assertNo(lines, "write");
        List<String> none = said(jvm(List.of(older, "0"), "guard", List.of()));
        assertTrue(String.join("\n", none).contains("this kernel has no Landlock"), none.toString());
    }

    @Test
    @Tag("A05")
    void aKernelThatDoesNotKeepItsWordIsAnError() throws Exception {
        assumeFalse(Live.isRoot(), "root starts again, whatever the kernel can");
        assumeTrue(new Kernel().version() < 8, "this one knows thread sync");
        List<String> lines = said(jvm(List.of(OlderKernel.into(workspace), "8"), "guard", List.of("write")));
        assertEquals(1, starts(lines), lines.toString());
        assertTrue(lines.get(1).contains("landlock_restrict_self failed with error 22"), lines.toString());
        assertTrue(lines.get(1).contains("may be confined in part: end it"), lines.toString());
    }
}
