package dev.stockade.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole way: a command confined by bubblewrap, from the command line. */
class ConfinedTest {

    @TempDir
    Path workspace;

    @TempDir
    Path elsewhere;

    @BeforeEach
    void needsBubblewrap() {
        MustRun.backend("bwrap");
    }

    private Child run(String... argv) throws Exception {
        return Child.run(workspace, argv);
    }

    @Test
    @Tag("M20")
    void letsACommandWriteInItsWorkspace() throws Exception {
        Child child = run("run", "--", "sh", "-c", "echo hi > out.txt; exit 3");
        assertEquals(3, child.status(), child.err());
        assertEquals("hi\n", Files.readString(workspace.resolve("out.txt")));
    }

    @Test
    @Tag("M20")
    void showsASecretOnlyIfItIsNamed() throws Exception {
        Path secret =
                Files.writeString(elsewhere.resolve("secret"), "hunter2\n").toRealPath();
        Child refused = run("run", "--", "cat", secret.toString());
        assertEquals(1, refused.status());
        assertEquals("", refused.out());
        Child allowed = run("run", "--ro", secret.toString(), "--", "cat", secret.toString());
        assertEquals("hunter2\n", allowed.out(), allowed.err());
    }

    @Test
    @Tag("M03")
    void connectsOnlyWithTheNetworkOn() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            String connect = "exec 3<>/dev/tcp/127.0.0.1/" + server.getLocalPort();
            assertEquals(1, run("run", "--", "bash", "-c", connect).status());
            Child allowed = run("run", "--network", "on", "--", "bash", "-c", connect);
            assertEquals(0, allowed.status(), allowed.err());
        }
    }

    @Test
    @Tag("M05")
    void letsOnlyNamedVariablesCross() throws Exception {
        String print = "echo ${PRIVATE-unset} ${GIVEN-unset} ${LINE-unset}";
        ProcessBuilder command =
                Child.command(workspace, "run", "--env", "GIVEN", "--env", "LINE=a b", "--", "sh", "-c", print);
        command.environment().put("PRIVATE", "p");
        command.environment().put("GIVEN", "g");
        assertEquals("unset g a b\n", Child.run(command, "").out());
    }

    @Test
    @Tag("S08")
    void keepsPathsReadOnlyAndHidden() throws Exception {
        Files.writeString(workspace.resolve("kept"), "kept\n");
        Files.createDirectory(workspace.resolve("hidden"));
        Files.writeString(workspace.resolve("hidden/file"), "seen\n");
        Child child = run(
                "run",
                "--ro",
                "kept",
                "--hide",
                "hidden",
                "--",
                "sh",
                "-c",
                "cat kept; echo x >> kept; cat hidden/file");
        assertEquals("kept\n", child.out());
        assertEquals("kept\n", Files.readString(workspace.resolve("kept")));
        assertTrue(run("run", "--read-only", "--", "touch", "new").status() != 0);
        assertEquals(0, run("run", "--", "touch", "new").status());
    }

    @Test
    @Tag("M24")
    void startsWhereTheCallerIsIfThatLiesInTheWorkspace() throws Exception {
        Path inside = Files.createDirectory(workspace.resolve("inside")).toRealPath();
        String root = workspace.toRealPath().toString();
        assertEquals(
                inside + "\n",
                Child.run(inside, "run", "--workspace", root, "--", "pwd").out());
        assertEquals(
                root + "\n",
                Child.run(elsewhere, "run", "--workspace", root, "--", "pwd").out());
        assertEquals(
                inside + "\n",
                Child.run(elsewhere, "run", "--workspace", root, "--cwd", "inside", "--", "pwd")
                        .out());
    }

    @Test
    void opensAShellThatReadsItsInput() throws Exception {
        ProcessBuilder command = Child.command(workspace, "shell");
        command.environment().put("TERM", "dumb");
        Child child = Child.run(command, "echo $((6 * 7)) $TERM; exit 5\n");
        assertEquals("42 dumb\n", child.out());
        assertEquals(5, child.status());
    }

    @Test
    void warnsThatAPathThatWasNamedDoesNotExist() throws Exception {
        Child child = run("run", "--ro", "/no/such", "--", "true");
        assertEquals(0, child.status());
        assertEquals("stockade: --ro: readable /no/such does not exist and is skipped\n", child.err());
    }

    @Test
    void warnsThatTheHomeDirectoryIsNoWorkspace() throws Exception {
        ProcessBuilder command = Child.command(workspace, "run", "--", "true");
        command.environment().put("HOME", workspace.toRealPath().toString());
        Child child = Child.run(command, "");
        assertTrue(child.err().contains("holds your home directory"), child.err());
        assertEquals("", run("run", "--", "true").err());
    }

    @Test
    @Tag("M23")
    void explainsWithoutStartingAnything() throws Exception {
        Child child = run("explain", "--", "touch", "started");
        assertEquals(0, child.status(), child.err());
        assertTrue(child.out().startsWith("The command would be confined by "), child.out());
        assertTrue(Files.notExists(workspace.resolve("started")));
    }
}
