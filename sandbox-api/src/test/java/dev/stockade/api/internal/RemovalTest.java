package dev.stockade.api.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A tree that a hostile command made goes, and nothing else. */
class RemovalTest {

    @TempDir
    Path temporary;

    private Path tree;
    private Path outside;

    @BeforeEach
    void makeTrees() throws IOException {
        tree = Files.createDirectory(temporary.resolve("tree"));
        outside = Files.createDirectory(temporary.resolve("outside"));
        Files.writeString(outside.resolve("precious"), "keep");
        Files.setPosixFilePermissions(outside, PosixFilePermissions.fromString("r-x------"));
    }

    private void hostile(String script) throws Exception {
        Process process = new ProcessBuilder("sh", "-c", script)
                .directory(tree.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), said);
    }

    private void isGone() throws IOException {
        Removal.of(tree);
        assertFalse(Files.exists(tree, LinkOption.NOFOLLOW_LINKS));
        assertEquals("keep", Files.readString(outside.resolve("precious")));
        assertEquals("r-x------", PosixFilePermissions.toString(Files.getPosixFilePermissions(outside)));
    }

    @Test
    void removesWhatMayNotBeReadEnteredOrWritten() throws Exception {
        hostile("""
                for mode in 000 100 200 300 400 500 600; do
                  mkdir -p d$mode/e$mode; echo x >d$mode/e$mode/f; echo x >d$mode/f; chmod 000 d$mode/f
                  chmod $mode d$mode/e$mode d$mode
                done""");
        isGone();
    }

    @Test
    void removesOddNames() throws Exception {
        hostile("""
                touch 'a
                b' ' ' -rf '*' "$(printf '\\\\377\\\\376')" "$(printf '\\033[2J')" .hidden; mkdir ... '..
                '; mkfifo fifo""");
        isGone();
    }

    @Test
    void followsNoLink() throws Exception {
        hostile("ln -s ../outside up; ln -s / root; ln -s . self; mkdir d; ln -s ../../outside d/up; ln -s loop loop;"
                + " ln -s ../outside/precious p; ln ../outside/precious hard");
        isGone();
    }

    @Test
    void removesWhatIsDeeperThanAnyPath() throws Exception {
        hostile("""
                i=0; while [ $i -lt 30 ]; do
                  n=$(printf %0200d 0); mkdir $n && cd -P $n || exit 0; i=$((i+1))
                done; echo x >file; chmod 500 .""");
        isGone();
    }

    @Test
    void removesWhatIsWide() throws Exception {
        hostile("i=0; while [ $i -lt 40 ]; do mkdir -p $i/a/b; : >$i/f; i=$((i+1)); done");
        isGone();
    }

    @Test
    void isNotLedAstrayByASurvivorThatSwapsDirectoriesForLinks() throws Exception {
        Path victim = Files.createDirectory(temporary.resolve("victim"));
        for (int i = 0; i < 50; i++) {
            Files.createFile(victim.resolve("file" + i));
        }
        Thread survivor = new Thread(() -> {
            Path directory = tree.resolve("a");
            for (int round = 0; round < 1000; round++) {
                try {
                    Files.createDirectories(directory);
                    Files.createDirectories(directory.resolve("b"));
                    Files.createFile(directory.resolve("b/file0"));
                    Files.move(directory, tree.resolve("moved" + System.nanoTime()));
                    Files.createSymbolicLink(directory, victim);
                    Files.delete(directory);
                } catch (IOException e) {
                    // The removal was faster.
                }
            }
        });
        survivor.start();
        while (survivor.isAlive()) {
            Files.createDirectories(tree);
            Removal.of(tree);
        }
        try (var left = Files.list(victim)) {
            assertEquals(50, left.count());
        }
        isGone();
    }

    @Test
    void takesNothingThatIsNotThere() {
        Removal.of(tree.resolve("missing"));
        assertTrue(Files.exists(tree));
    }

    @Test
    void takesNoLinkForATree() throws IOException {
        Path link = Files.createSymbolicLink(temporary.resolve("link"), outside);
        Removal.of(link);
        assertEquals("keep", Files.readString(outside.resolve("precious")));
    }
}
