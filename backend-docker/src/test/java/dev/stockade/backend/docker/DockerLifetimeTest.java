package dev.stockade.backend.docker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stockade.api.Availability.Unavailable;
import dev.stockade.api.Backends;
import dev.stockade.api.Command;
import dev.stockade.api.LaunchException;
import dev.stockade.api.Profile;
import dev.stockade.api.Sandbox;
import dev.stockade.linux.filter.SeccompFilter;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is left of containers when their JVM ends, and what other hosts and users get to hear. */
@Tag("M15")
class DockerLifetimeTest {

    /** A program of its own: opens sandboxes, starts a command in each, says so, and ends as it is told. */
    static final class Child {

        private Child() {}

        public static void main(String[] args) throws Exception {
            Backends docker = Backends.of(new DockerBackend());
            if (docker.availability().get("docker") instanceof Unavailable here) {
                said(here.reason());
                return;
            }
            try {
                for (int i = 0; i < Integer.parseInt(args[1]); i++) {
                    Sandbox sandbox = docker.open(Profile.builder(Path.of(args[0]))
                            .set("docker.image", args[3])
                            .build());
                    said(sandbox.run(Command.of("sh", "-c", "id -u; touch made; echo ran"))
                            .stdout()
                            .text());
                    sandbox.start(Command.of("sleep", "600"));
                }
            } catch (LaunchException e) {
                said(e.getMessage());
            }
            if (args[2].equals("halt")) {
                Runtime.getRuntime().halt(0);
            }
        }

        private static void said(String line) {
            System.out.println(line);
        }
    }

    @TempDir
    Path workspace;

    private static String classPath() {
        return Stream.of(Backends.class, DockerBackend.class, SeccompFilter.class, DockerLifetimeTest.class)
                .map(type -> {
                    try {
                        return Path.of(type.getProtectionDomain()
                                        .getCodeSource()
                                        .getLocation()
                                        .toURI())
                                .toString();
                    } catch (URISyntaxException e) {
                        throw new IllegalStateException(e);
                    }
                })
                .collect(Collectors.joining(":", Path.of("target/test-classes").toAbsolutePath() + ":", ""));
    }

    private Process child(List<String> front, int sandboxes, String end, String image) throws IOException {
        List<String> argv = new ArrayList<>(front);
        argv.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classPath(),
                Child.class.getName(),
                workspace.toString(),
                Integer.toString(sandboxes),
                end,
                image));
        return new ProcessBuilder(argv)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static String output(Process child) throws IOException {
        return new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    private static List<String> left(Process child) {
        return MustRun.docker("ps", "-a", "--format", "{{.Names}}")
                .lines()
                .filter(name -> name.startsWith("stockade-" + child.pid() + "-"))
                .toList();
    }

    @Test
    void leavesNothingWhenSandboxesWereNotClosed() throws Exception {
        MustRun.docker();
        Process child = child(List.of(), 3, "exit", MustRun.IMAGE);
        assertEquals(3, output(child).split("ran").length - 1);
        child.waitFor();
        assertEquals(List.of(), left(child));
    }

    @Test
    @Tag("M13")
    void leavesNothingWhenTheJvmDiesWithoutAWord() throws Exception {
        MustRun.docker();
        Process child = child(List.of(), 1, "halt", MustRun.IMAGE);
        assertTrue(output(child).contains("ran"));
        child.waitFor();
        long until = System.nanoTime() + 20_000_000_000L;
        while (!left(child).isEmpty() && System.nanoTime() < until) {
            Thread.sleep(100);
        }
        assertEquals(List.of(), left(child));
    }

    @Test
    void sweepsWhatACrashedProcessLeftAndNothingElse() throws Exception {
        MustRun.docker();
        String owner = ContainerName.owner(RealHost.INSTANCE).orElseThrow();
        String dead = "stockade-4194999-1-0123456789abcdef";
        String others = "stockade-4194999-1-fedcba9876543210";
        MustRun.docker("create", "--name", dead, "--label", KeeperPlan.LABEL + "=" + owner, MustRun.IMAGE, "true");
        MustRun.docker("create", "--name", others, "--label", KeeperPlan.LABEL + "=else", MustRun.IMAGE, "true");
        try {
            Leftovers.sweep(Engine.of(RealHost.INSTANCE).orElseThrow().connect(), owner);
            String names = MustRun.docker("ps", "-a", "--format", "{{.Names}}");
            assertTrue(!names.contains(dead) && names.contains(others), names);
        } finally {
            MustRun.docker("rm", "-f", dead, others);
        }
    }

    @Test
    @Tag("M21")
    void refusesAnEngineThatDoesNotSeeThisMachinesFiles(@TempDir Path unseen) throws Exception {
        MustRun.docker();
        assumeRoot();
        // What is mounted in this namespace only, the engine does not see: as if it ran elsewhere.
        String script = "mount -t tmpfs none " + unseen + " && export XDG_RUNTIME_DIR=" + unseen + " && exec \"$@\"";
        Process child = child(List.of("unshare", "-m", "sh", "-c", script, "sh"), 1, "exit", MustRun.IMAGE);
        String said = output(child);
        assertTrue(said.contains("the engine does not see a directory of this host"), said);
    }

    @Test
    @Tag("M21")
    void namesTheImageThatIsMissingAndTheOneWithoutAShell() throws Exception {
        Backends docker = MustRun.docker();
        LaunchException missing = assertThrows(
                LaunchException.class,
                () -> docker.open(Profile.builder(workspace)
                        .set("docker.image", "nobody/nothing:1")
                        .build()));
        assertTrue(missing.getMessage().contains("`docker pull nobody/nothing:1`"), missing.getMessage());
        LaunchException bare = assertThrows(
                LaunchException.class,
                () -> docker.open(Profile.builder(workspace)
                        .set("docker.image", "stockade-test/empty:1")
                        .build()));
        assertTrue(bare.getMessage().contains("the image has no sh"), bare.getMessage());
        assertEquals(List.of(), MustRun.containers());
    }

    @Test
    @Tag("M21")
    void worksForWhoeverMayUseTheSocketAndTellsTheOthers() throws Exception {
        MustRun.docker();
        assumeRoot();
        assumeTrue(readableForAll(Path.of("target/test-classes").toAbsolutePath()));
        assertEquals(
                0,
                new ProcessBuilder("chown", "-R", "4242:4242", workspace.toString())
                        .start()
                        .waitFor());
        List<String> user = List.of("setpriv", "--reuid", "4242", "--regid", "4242");
        Process member = child(concat(user, "--groups", "docker"), 1, "exit", MustRun.IMAGE);
        String said = output(member);
        assertTrue(said.contains("ran"), said);
        assertEquals(
                Files.getAttribute(workspace, "unix:uid"), Files.getAttribute(workspace.resolve("made"), "unix:uid"));
        Process other = child(concat(user, "--clear-groups"), 1, "exit", MustRun.IMAGE);
        String denied = output(other);
        assertTrue(denied.contains("this user may not talk to the engine's socket"), denied);
    }

    private static void assumeRoot() throws IOException {
        assumeTrue(Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0));
    }

    private static boolean readableForAll(Path path) {
        for (Path at = path; at != null; at = at.getParent()) {
            try {
                if (((Integer) Files.getAttribute(at, "unix:mode") & 05) != 05) {
                    return false;
                }
            } catch (IOException e) {
                return false;
            }
        }
        return true;
    }

    private static List<String> concat(List<String> front, String... more) {
        List<String> all = new ArrayList<>(front);
        all.addAll(List.of(more));
        return all;
    }
}
