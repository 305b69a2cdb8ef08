package dev.stockade.backend.bwrap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stockade.api.Command;
import dev.stockade.api.Profile;
import dev.stockade.api.ProfileNotSupportedException;
import dev.stockade.api.Reach;
import dev.stockade.api.Result;
import dev.stockade.api.Sandbox;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real work inside, with the network off. */
class BwrapWorkTest {

    @TempDir
    Path host;

    private Path workspace() throws IOException {
        return Files.createDirectories(host.resolve("workspace"));
    }

    private void works(String script) throws Exception {
        works(Profile.builder(workspace()).build(), script);
    }

    private static void works(Profile profile, String script) throws Exception {
        try (Sandbox sandbox = MustRun.bwrap().open(profile)) {
            Result result = sandbox.run(Command.of("bash", "-euc", script).timeout(Duration.ofMinutes(2)));
            assertEquals(0, result.exitStatus(), () -> script + "\n" + result.stdout() + result.stderr());
        }
    }

    /** A tool that a host may lack; all of them are there wherever bubblewrap must run. */
    private static void needs(String tool) {
        boolean there =
                Files.isExecutable(Path.of("/usr/bin", tool)) || Files.isExecutable(Path.of("/usr/local/bin", tool));
        if (System.getenv().getOrDefault("STOCKADE_MUST_RUN", "").contains("bwrap")) {
            assertTrue(there, tool + " must be installed for the tests");
        }
        assumeTrue(there, tool + " is not installed");
    }

    @Test
    void commitsWithGit() throws Exception {
        needs("git");
        works("""
                git init -q -b main .
                git config user.name Somebody
                git config user.email somebody@example.org
                echo hi >file
                git add file
                git commit -qm first
                git status --short | (! grep .)
                git log --oneline | grep first
                """);
    }

    @Test
    void readsTheRepositoryOfAWorktreeButNotAForgedOne() throws Exception {
        needs("git");
        Path repository = host.resolve("repository");
        Path worktree = host.resolve("worktree");
        Process made = new ProcessBuilder("bash", "-euc", """
                git init -q -b main "$1" && cd "$1"
                git -c user.name=S -c user.email=s@example.org commit -q --allow-empty -m first
                git worktree add -q "$2"
                """, "bash", repository.toString(), worktree.toString())
                .inheritIO()
                .start();
        assertEquals(0, made.waitFor());
        Profile profile = Profile.builder(worktree).build();
        works(profile, "git status && git log --oneline | grep first");
        try (Sandbox sandbox = MustRun.bwrap().open(profile)) {
            assertTrue(sandbox.capabilities().can(Reach.READ_BEYOND));
            assertTrue(sandbox.notices().toString().contains("git worktree"));
            String write = "echo >" + repository + "/.git/x";
            assertNotEquals(0, sandbox.run(Command.of("sh", "-c", write)).exitStatus());
        }
        Path secrets = Files.createDirectories(host.resolve("secrets"));
        Files.writeString(secrets.resolve("key"), "key\n");
        Files.writeString(workspace().resolve(".git"), "gitdir: " + secrets + "\n");
        try (Sandbox sandbox = MustRun.bwrap().open(Profile.builder(workspace()).build())) {
            assertNotEquals(0, sandbox.run(Command.of("cat", secrets + "/key")).exitStatus());
        }
    }

    @Test
    void installsAnNpmPackageFromATarball() throws Exception {
        needs("npm");
        works("""
                mkdir package && echo '{"name":"small","version":"1.0.0","main":"i.js"}' >package/package.json
                echo 'module.exports = 42' >package/i.js
                tar czf small.tgz package
                echo '{"name":"app","version":"1.0.0"}' >package.json
                npm install --offline --no-audit --no-fund ./small.tgz
                test "$(node -p 'require("small")')" = 42
                """);
    }

    @Test
    void compilesAndRunsJava() throws Exception {
        needs("java");
        works("""
                cat >Hello.java <<'END'
                import java.nio.file.*;
                public class Hello {
                    public static void main(String[] args) throws Exception {
                        Files.delete(Files.createTempFile("a", "b"));
                        System.out.println("hello " + args[0]);
                    }
                }
                END
                javac Hello.java
                test "$(java Hello there)" = 'hello there'
                """);
    }

    @Test
    void makesAPythonEnvironmentAndRunsAPool() throws Exception {
        needs("python3");
        works("""
                /usr/bin/python3 -m venv --without-pip env
                env/bin/python -c 'import sys; assert sys.prefix.endswith("env")'
                cat >pool.py <<'END'
                import multiprocessing
                def square(n): return n * n
                if __name__ == "__main__":
                    with multiprocessing.get_context("fork").Pool(2) as pool:
                        assert sum(pool.map(square, range(10))) == 285
                END
                env/bin/python pool.py
                """);
    }

    @Test
    void compilesC() throws Exception {
        needs("gcc");
        works("""
                printf '#include <stdio.h>\\nint main(void) { puts("hi"); return 0; }\\n' >a.c
                gcc -O1 -o a a.c
                test "$(./a)" = hi
                """);
    }

    @Test
    void hasWhatShellsExpect() throws Exception {
        works("""
                cat <<END | sort >sorted
                b
                a
                END
                test "$(head -1 sorted)" = a
                test "$(cat <(echo in) <(echo out) | tail -1)" = out
                mktemp
                echo to-stderr >/dev/stderr
                echo x | tee /dev/null
                """);
    }

    @Test
    void writesTheWorkspaceOfAnotherUserAsThatUser() throws Exception {
        assumeTrue(Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0), "this test is for root");
        Path theirs = Files.createTempDirectory(Path.of("/var/tmp"), "stockade-test");
        try {
            Files.setAttribute(theirs, "unix:uid", 1234);
            Files.setAttribute(theirs, "unix:gid", 1234);
            works(Profile.builder(theirs).build(), "echo hi >file; test $(id -u) = 1234; (! cat /etc/shadow)");
            assertEquals(1234, Files.getAttribute(theirs.resolve("file"), "unix:uid", LinkOption.NOFOLLOW_LINKS));
        } finally {
            Files.deleteIfExists(theirs.resolve("file"));
            Files.delete(theirs);
        }
    }

    @Test
    void holdsAProfileWithManyPathsOrRefusesItInWords() throws Exception {
        Path many = Files.createDirectory(host.resolve("many"));
        Profile.Builder profile = Profile.builder(workspace());
        for (int i = 0; i < 300; i++) {
            profile.readable(Files.writeString(many.resolve("f" + i), i + "\n"));
        }
        works(profile.build(), "test \"$(cat " + many + "/f299)\" = 299");
        for (int i = 300; i < 3200; i++) {
            profile.readable(Files.createFile(many.resolve("f" + i)));
        }
        var refused = assertThrows(
                ProfileNotSupportedException.class, () -> MustRun.bwrap().open(profile.build()));
        assertTrue(refused.getMessage().contains("at most"), refused.getMessage());
    }
}
