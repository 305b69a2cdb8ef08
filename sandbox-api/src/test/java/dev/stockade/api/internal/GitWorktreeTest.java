package dev.stockade.api.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stockade.api.Profile;
import dev.stockade.api.Profile.Access;
import dev.stockade.api.Profile.Grant;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A worktree's repository can be read; a forged one opens nothing. */
class GitWorktreeTest {

    @TempDir
    Path temporary;

    private Path home;

    @BeforeEach
    void findHome() throws IOException {
        home = temporary.toRealPath();
        Files.createDirectories(home.resolve(".ssh"));
        Files.writeString(home.resolve(".ssh/id_rsa"), "secret");
    }

    private static Optional<Path> common(Path workspace) {
        return assertTimeoutPreemptively(
                Duration.ofSeconds(10), () -> GitWorktree.commonDirectory(workspace, Set.of(workspace)));
    }

    private static void run(Path directory, String... argv) throws Exception {
        Process process = new ProcessBuilder(argv)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), () -> Arrays.toString(argv) + ": " + said);
    }

    private Path repository() throws Exception {
        assumeTrue(LocalHost.INSTANCE.find("git").isPresent(), "git is not installed");
        Path repository = Files.createDirectory(home.resolve("repository"));
        run(repository, "git", "init", "-q");
        run(repository, "git", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "x");
        return repository;
    }

    /** What {@code git worktree add} writes, without git. */
    private static Path forge(Path workspace, Path own, Path common) throws IOException {
        Files.createDirectories(workspace);
        Files.createDirectories(own);
        Files.writeString(workspace.resolve(".git"), "gitdir: " + own + "\n");
        Files.writeString(own.resolve("gitdir"), workspace.resolve(".git") + "\n");
        Files.writeString(own.resolve("commondir"), common + "\n");
        return workspace;
    }

    @Test
    void findsTheRepositoryOfAWorktree() throws Exception {
        Path repository = repository();
        run(repository, "git", "worktree", "add", "-q", "--detach", "../worktrees/one");
        Path workspace = home.resolve("worktrees/one");
        assertEquals(Optional.of(repository.resolve(".git")), common(workspace));
        Resolution resolution = Resolution.of(Profile.builder(workspace).build());
        assertEquals(
                List.of(new Grant(repository.resolve(".git"), Access.READ)),
                resolution.profile().grants());
        assertEquals(1, resolution.notices().size());
        assertEquals(
                List.of(new Grant(repository.resolve(".git"), Access.HIDE)),
                Resolution.of(Profile.builder(workspace)
                                .hidden(repository.resolve(".git"))
                                .build())
                        .profile()
                        .grants());
        assertEquals(
                List.of(new Grant(home, Access.READ)),
                Resolution.of(Profile.builder(workspace).readable(home).build())
                        .profile()
                        .grants());
    }

    @Test
    void findsNoneForARepositoryOrAPlainDirectory() throws Exception {
        assertEquals(Optional.empty(), common(repository()));
        assertEquals(Optional.empty(), common(home));
    }

    @Test
    void believesNoPointerToWhatDoesNotPointBack() throws IOException {
        Path workspace = Files.createDirectories(home.resolve("workspace"));
        Path fake = Files.createDirectories(home.resolve(".ssh/worktrees/x"));
        for (String pointer : new String[] {
            "gitdir: " + home.resolve(".ssh"),
            "gitdir: " + fake,
            "gitdir: ../.ssh/worktrees/x",
            "gitdir: /",
            "gitdir: ",
            "gitdir: worktrees",
            "",
            "x".repeat(100_000),
            "gitdir: \0",
            "gitdir: " + "../".repeat(3000),
            "\u00ff\ud800"
        }) {
            Files.writeString(workspace.resolve(".git"), pointer.replace('\ud800', '?'));
            assertEquals(Optional.empty(), common(workspace), pointer);
        }
        // The twin: were it a worktree's, it would be believed.
        assertEquals(Optional.of(home.resolve(".ssh")), common(forge(workspace, fake, home.resolve(".ssh"))));
    }

    @Test
    void believesNothingThatTheCommandItselfCouldHaveWritten() throws IOException {
        Path inside = home.resolve("workspace");
        assertEquals(
                Optional.empty(), common(forge(inside, inside.resolve("fake/worktrees/x"), inside.resolve("fake"))));
        // The workspace stands in a directory that is called as the evidence would be.
        Path standing = home.resolve("worktrees/project");
        assertEquals(Optional.empty(), common(forge(standing, standing, home)));
        Path called = home.resolve("b/worktrees");
        assertEquals(Optional.empty(), common(forge(called, called.resolve("x"), home.resolve("b"))));
        // So does a tree that is granted.
        Path granted = home.resolve("c/worktrees");
        Path workspace = forge(home.resolve("d"), granted.resolve("x"), home.resolve("c"));
        assertEquals(Optional.of(home.resolve("c")), common(workspace));
        Profile profile = Profile.builder(workspace).writable(granted).build();
        assertEquals(
                List.of(new Grant(granted, Access.WRITE)),
                Resolution.of(profile).profile().grants());
    }

    @Test
    void believesNoLink() throws IOException {
        Path fake = Files.createDirectories(home.resolve(".ssh/worktrees/x"));
        Path workspace = forge(home.resolve("workspace"), fake, home.resolve(".ssh"));
        Files.move(workspace.resolve(".git"), workspace.resolve("git"));
        Files.createSymbolicLink(workspace.resolve(".git"), Path.of("git"));
        assertEquals(Optional.empty(), common(workspace));
        Path around = home.resolve("around");
        forge(around, around.resolve("worktrees/x"), home.resolve(".ssh"));
        Files.createSymbolicLink(around.resolve("ssh"), home.resolve(".ssh"));
        Files.writeString(around.resolve(".git"), "gitdir: ssh/worktrees/x");
        Files.writeString(fake.resolve("gitdir"), "nowhere");
        assertEquals(Optional.empty(), common(around));
    }

    @Test
    void waitsForNoFifoAndReadsNoDevice() throws Exception {
        Path workspace = home.resolve("workspace");
        Path own = home.resolve("x/worktrees/y");
        forge(workspace, own, home.resolve("x"));
        assertEquals(Optional.of(home.resolve("x")), common(workspace));
        for (Path file : List.of(own.resolve("commondir"), own.resolve("gitdir"), workspace.resolve(".git"))) {
            String text = Files.readString(file);
            Files.delete(file);
            run(home, "mkfifo", file.toString());
            assertEquals(Optional.empty(), common(workspace));
            Files.delete(file);
            Files.createSymbolicLink(file, Path.of("/dev/zero"));
            assertEquals(Optional.empty(), common(workspace));
            Files.delete(file);
            Files.createDirectory(file);
            assertEquals(Optional.empty(), common(workspace));
            Files.delete(file);
            Files.writeString(file, text);
        }
        assertEquals(Optional.of(home.resolve("x")), common(workspace));
    }
}
