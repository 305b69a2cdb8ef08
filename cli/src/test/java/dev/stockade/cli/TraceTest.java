package dev.stockade.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Real programs fail for want of something; trace names it, and what it proposes, applied by {@code patch}, makes each
 * of them pass.
 */
class TraceTest {

    private Path place = Path.of("target");
    private Path home = place;
    private Path workspace = place;

    @BeforeEach
    void lay() throws IOException {
        MustRun.tool("strace");
        MustRun.tool("patch");
        // Not in /tmp, where a private one is seen instead.
        place = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "trace")
                .toRealPath();
        home = Files.createDirectory(place.resolve("home"));
        workspace = Files.createDirectory(place.resolve("workspace"));
    }

    @AfterEach
    void remove() throws IOException {
        if (place.isAbsolute()) {
            try (Stream<Path> files = Files.walk(place)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    private Path write(String file, String text) throws IOException {
        Path path = place.resolve(file);
        Files.createDirectories(path.resolveSibling("."));
        return Files.writeString(path, text);
    }

    private Child stockade(String verb, String backend, List<String> options, String... argv) throws Exception {
        List<String> all = new ArrayList<>(List.of(verb, "--backend", backend));
        all.addAll(options);
        all.add("--");
        all.addAll(List.of(argv));
        ProcessBuilder command = Child.command(workspace, all.toArray(String[]::new));
        command.environment().put("HOME", home.toString());
        command.environment().remove("XDG_CONFIG_HOME");
        return Child.run(command, "");
    }

    private Child trace(String backend, String... argv) throws Exception {
        return stockade("trace", backend, List.of(), argv);
    }

    private void outside(Path directory, String... argv) throws Exception {
        Process process = new ProcessBuilder(argv)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(60, TimeUnit.SECONDS), said);
        assertEquals(0, process.exitValue(), () -> Arrays.toString(argv) + ": " + said);
    }

    /** Fails confined, is traced, is allowed what the diff says, and works; what was not asked for stays closed. */
    private Child mends(String backend, String named, String line, String... argv) throws Exception {
        Child refused = stockade("run", backend, List.of(), argv);
        assertNotEquals(0, refused.status(), "it should need what it is not given");
        Child traced = trace(backend, argv);
        assertEquals(refused.status(), traced.status(), traced.err());
        assertTrue(traced.out().contains(named), traced.out() + traced.err());
        assertTrue(traced.out().contains("\n+" + line + "\n"), traced.out());
        Path own = home.resolve(".config/stockade/stockade.toml");
        Files.createDirectories(own.resolveSibling("."));
        Path diff = write("answer", traced.out());
        outside(place, "patch", "-s", "-i", diff.toString(), own.toString());
        Child allowed = stockade("run", backend, List.of(), argv);
        assertEquals(0, allowed.status(), () -> allowed.out() + allowed.err() + traced.out());
        return allowed;
    }

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    void gitClonesARepositoryOutside(String backend) throws Exception {
        MustRun.backendOfAChild(backend, workspace);
        MustRun.tool("git");
        Path other = write("other/file", "text\n").resolveSibling(".").normalize();
        outside(other, "git", "init", "-q");
        outside(other, "git", "add", "file");
        outside(other, "git", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x");
        // Landlock lets the directory itself be looked up.
        String needed = backend.equals("bwrap") ? other.toString() : other + "/.git";
        mends(backend, other.toString(), "readable = [\"" + needed + "\"]", "git", "clone", "-q", "../other", "here");
        assertEquals("text\n", Files.readString(workspace.resolve("here/file")));
    }

    @Test
    void npmInstallsFromALocalRegistry() throws Exception {
        MustRun.backend("bwrap");
        MustRun.tool("npm");
        write("dep/package.json", "{\"name\": \"dep\", \"version\": \"1.0.0\"}");
        outside(place, "npm", "pack", "./dep", "--silent");
        try (ServerSocket registry = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            String address = "127.0.0.1:" + registry.getLocalPort();
            serve(registry, Files.readAllBytes(place.resolve("dep-1.0.0.tgz")));
            write("workspace/package.json", "{\"name\": \"app\", \"version\": \"1.0.0\"}");
            write(
                    "workspace/.npmrc",
                    "registry=http://" + address + "/\nfetch-retries=0\naudit=false\nupdate-notifier=false\n");
            mends("bwrap", address, "network_allow = [[\"npm\", \"install\", \"dep\"]]", "npm", "install", "dep");
            assertTrue(Files.exists(workspace.resolve("node_modules/dep/package.json")));
            assertNotEquals(
                    0, stockade("run", "bwrap", List.of(), "npm", "ping").status(), "another command has no network");
        }
    }

    /** What npm asks a registry for: a package's description, and its archive. */
    private static void serve(ServerSocket registry, byte[] archive) throws Exception {
        String hash = Base64.getEncoder()
                .encodeToString(MessageDigest.getInstance("SHA-512").digest(archive));
        String at = "http://127.0.0.1:" + registry.getLocalPort();
        byte[] description = ("{\"name\": \"dep\", \"dist-tags\": {\"latest\": \"1.0.0\"}, \"versions\": {\"1.0.0\":"
                        + " {\"name\": \"dep\", \"version\": \"1.0.0\", \"dist\": {\"tarball\": \"" + at
                        + "/dep-1.0.0.tgz\", \"integrity\": \"sha512-" + hash + "\"}}}}")
                .getBytes(StandardCharsets.UTF_8);
        Thread serving = new Thread(() -> {
            while (true) {
                try (Socket client = registry.accept()) {
                    var in = new BufferedReader(
                            new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII));
                    String request = String.valueOf(in.readLine());
                    for (String line = in.readLine(); line != null && !line.isEmpty(); ) {
                        line = in.readLine();
                    }
                    byte[] body = request.contains(".tgz") ? archive : description;
                    var out = client.getOutputStream();
                    out.write(
                            ("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: "
                                            + body.length + "\r\n\r\n")
                                    .getBytes(StandardCharsets.US_ASCII));
                    out.write(body);
                } catch (IOException e) {
                    if (registry.isClosed()) {
                        return;
                    }
                }
            }
        });
        serving.setDaemon(true);
        serving.start();
    }

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    void pythonImportsAModuleOutside(String backend) throws Exception {
        MustRun.backendOfAChild(backend, workspace);
        MustRun.tool("python3");
        write("lib/helpers/__init__.py", "answer = 42\n");
        Path library = place.resolve("lib");
        write(
                "workspace/main.py",
                "import sys\nsys.path.insert(0, '" + library + "')\nimport helpers\n" + "print(helpers.answer)\n");
        Child allowed = mends(backend, library.toString(), "readable = [\"" + library + "\"]", "python3", "main.py");
        assertEquals("42\n", allowed.out());
    }

    @Test
    void pythonWritesAFileOutside() throws Exception {
        MustRun.backend("bwrap");
        MustRun.tool("python3");
        Path results = Files.createDirectory(place.resolve("results"));
        mends(
                "bwrap",
                results + "/new.txt",
                "writable = [\"" + results + "\"]",
                "python3",
                "-c",
                "open('" + results + "/new.txt', 'w').write('made')");
        assertEquals("made", Files.readString(results.resolve("new.txt")));
    }

    @Test
    void javaReadsAJarInTheHomeDirectory() throws Exception {
        MustRun.backend("bwrap");
        MustRun.tool("javac");
        MustRun.tool("java");
        Path source = write(
                "home/tools/A.java",
                "class A { public static void main(String[] a) {" + " System.out.println(6 * 7); } }");
        outside(place.resolve("home/tools"), "javac", "-d", ".", source.toString());
        write("home/tools/manifest", "Main-Class: A\n");
        outside(place.resolve("home/tools"), "jar", "cfm", "a.jar", "manifest", "A.class");
        Path jar = source.resolveSibling("a.jar");
        Child allowed =
                mends("bwrap", jar.toString(), "readable = [\"~/tools/a.jar\"]", "java", "-jar", jar.toString());
        assertEquals("42\n", allowed.out());
    }

    @Test
    void makeIncludesAFileOutside() throws Exception {
        MustRun.backend("bwrap");
        MustRun.tool("make");
        Path common = write("common/rules.mk", "X = included\n");
        write("workspace/Makefile", "include ../common/rules.mk\nall:\n\t@echo $(X)\n");
        Child allowed = mends("bwrap", common.toString(), "readable = [\"" + common.getParent() + "\"]", "make");
        assertEquals("included\n", allowed.out());
    }

    /** What is there and yet not shown: not started at all, so nothing is traced, and still there is an answer. */
    @Test
    void aProgramOfTheUsersOwnIsFound() throws Exception {
        MustRun.backend("bwrap");
        Path tool = write("home/tools/own", "#!/bin/sh\necho own\n");
        assertTrue(tool.toFile().setExecutable(true));
        Child allowed = mends("bwrap", tool.toString(), "readable = [\"~/tools/own\"]", tool.toString());
        assertEquals("own\n", allowed.out());
    }

    @ParameterizedTest
    @Tag("S05")
    @ValueSource(strings = {"bwrap", "landlock"})
    void credentialsAreNamedAndNeverProposed(String backend) throws Exception {
        MustRun.backendOfAChild(backend, workspace);
        Path key = write("home/.ssh/id_ed25519", "planted");
        Files.createSymbolicLink(workspace.resolve("innocent"), key.getParent());
        Path hidden = write("elsewhere/hidden", "planted");
        for (String file : List.of(key.toString(), "innocent/id_ed25519", hidden.toString(), "/etc/shadow")) {
            Child traced = stockade("trace", backend, List.of("--hide", hidden.toString()), "cat", file);
            boolean readable = !file.equals("/etc/shadow") || Files.isReadable(Path.of(file));
            assertEquals(1, traced.status());
            assertFalse(traced.out().contains("+++"), traced.out());
            assertEquals(readable, traced.out().contains("not to be proposed"), file + ": " + traced.out());
            assertFalse((traced.out() + traced.err()).contains("planted"));
        }
        Child twin = trace(backend, "cat", write("elsewhere/open", "text").toString());
        assertTrue(twin.out().contains("+readable = "), twin.out());
    }

    /** Granting it would let the command decide what it may do, or run as the user later. */
    @Test
    void whatIsRunOutsideIsNeverMadeWritable() throws Exception {
        MustRun.backend("bwrap");
        for (String file :
                List.of(".config/stockade/stockade.toml", ".bashrc", ".local/bin/tool", "repo/.git/hooks/x")) {
            Path path = write("home/" + file, "");
            Child traced = trace("bwrap", "sh", "-c", "echo evil >> " + path);
            assertFalse(traced.out().contains("+writable"), traced.out());
            assertTrue(traced.out().contains("not to be proposed"), traced.out());
        }
        Path log = write("home/results/log", "");
        assertTrue(trace("bwrap", "sh", "-c", "echo fine >> " + log).out().contains("+writable = [\"~/results/log\"]"));
    }

    @Test
    void aNameThatWasNeverSentIsTakenFromWhatTheCommandSays() throws Exception {
        MustRun.backend("bwrap");
        MustRun.tool("git");
        Child traced = trace("bwrap", "git", "ls-remote", "https://host.invalid/x.git");
        assertTrue(traced.out().contains("could not reach: host.invalid"), traced.out() + traced.err());
    }

    @Test
    void aCommandThatSucceedsNeedsNothing() throws Exception {
        MustRun.backend("bwrap");
        Path file = write("elsewhere/file", "text");
        Child traced = trace("bwrap", "sh", "-c", "cat " + file + " 2>/dev/null || echo without");
        assertEquals("without\n", traced.err());
        assertTrue(traced.out().contains("the command succeeded all the same"), traced.out());
        assertFalse(traced.out().contains("+++"), traced.out());
    }

    @Test
    void aFileOfTheWorkspaceThatKeepsItClosedIsNotTalkedAround() throws Exception {
        MustRun.backend("bwrap");
        Path file = write("elsewhere/file", "text");
        write("workspace/stockade.toml", "[sandbox]\nhidden = [\"" + file + "\"]\n");
        Child traced = trace("bwrap", "cat", file.toString());
        assertFalse(traced.out().contains("+++"), traced.out());
        assertTrue(traced.out().contains("hidden on purpose"), traced.out());
    }

    @Test
    void answersPrograms() throws Exception {
        MustRun.backend("bwrap");
        Path file = write("elsewhere/file", "text");
        Child traced = stockade("trace", "bwrap", List.of("--json"), "cat", file.toString());
        Path own = home.resolve(".config/stockade/stockade.toml");
        assertEquals("""
                {
                  "command": [
                    "cat",
                    "FILE"
                  ],
                  "started": true,
                  "exit_status": 1,
                  "backend": "bwrap",
                  "refused": [
                    {
                      "operation": "read",
                      "target": "FILE",
                      "error": "ENOENT",
                      "times": 1,
                      "programs": [
                        "cat"
                      ],
                      "standing": "likely",
                      "why": ""
                    }
                  ],
                  "names": [],
                  "file": "OWN",
                  "diff": "--- /dev/null\\n+++ OWN\\n@@ -0,0 +1,2 @@\\n+[sandbox]\\n+readable = [\\"FILE\\"]\\n",
                  "notes": []
                }
                """.replace("FILE", file.toString()).replace("OWN", own.toString()), traced.out());
    }
}
