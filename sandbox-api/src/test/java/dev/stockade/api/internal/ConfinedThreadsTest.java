package dev.stockade.api.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stockade.api.LaunchException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("A02")
class ConfinedThreadsTest {

    @Test
    void missesWhatAThreadHasNot() {
        assertEquals(Optional.empty(), ConfinedThreads.missing("NoNewPrivs:\t1\nSeccomp:\t2\n"));
        assertEquals(Optional.of("no_new_privs"), ConfinedThreads.missing("NoNewPrivs:\t0\nSeccomp:\t2\n"));
        assertEquals(Optional.of("seccomp filter"), ConfinedThreads.missing("NoNewPrivs:\t1\nSeccomp:\t0\n"));
    }

    @Test
    void aThreadOfThisJvmIsNotConfined() throws IOException {
        assumeTrue(Files.isDirectory(Path.of("/proc/self/task")));
        assumeFalse(Files.readString(Path.of("/proc/self/status")).contains("NoNewPrivs:\t1"));
        assertTrue(assertThrows(LaunchException.class, ConfinedThreads::require)
                .getMessage()
                .contains("has no no_new_privs"));
    }
}
