package dev.stockade.conformance.probe;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RemainsTest {

    @TempDir
    Path parent;

    @TempDir
    Path elsewhere;

    @Test
    void whatADeadProcessLeftIsRemovedAndNothingElse() throws Exception {
        Process dead = new ProcessBuilder("true").start();
        dead.waitFor();
        Path left = Files.createDirectory(parent.resolve(".stockade-bait-" + dead.pid() + "-x"));
        Path kept = Files.writeString(elsewhere.resolve("kept"), "kept");
        Files.createSymbolicLink(left.resolve("link"), elsewhere);
        Path own = Files.createDirectory(parent.resolve(Remains.name("y")));
        Path foreign = Files.createDirectory(parent.resolve(".stockade-bait-mine"));

        Remains.sweep(parent);

        assertFalse(Files.exists(left));
        assertTrue(Files.exists(kept));
        assertTrue(Files.exists(own));
        assertTrue(Files.exists(foreign));
    }
}
