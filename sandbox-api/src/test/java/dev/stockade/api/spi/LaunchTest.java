package dev.stockade.api.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.stockade.api.Outcome;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LaunchTest {

    private static final Launch PLAIN = Launch.of(List.of("true"), Map.of("TOKEN", "s3cret"), Path.of("/"));

    @Test
    void changesCopiesOnly() {
        byte[] bytes = {1};
        Launch full = PLAIN.feed(3, bytes)
                .file("policy", bytes)
                .status(4, (status, channel) -> Optional.empty())
                .stoppedBy(List.of("stop"))
                .clearingEnvironment()
                .withEnvironment(Map.of("A", "b"));
        bytes[0] = 2;
        assertEquals(List.of(3), List.copyOf(full.feeds().keySet()));
        full.feeds().values().forEach(fed -> assertEquals(1, fed[0]));
        full.files().forEach((name, contents) -> assertEquals("policy1", name + contents[0]));
        assertEquals(OptionalInt.of(4), full.statusFd());
        assertEquals(List.of("stop"), full.stop());
        assertEquals(Optional.empty(), full.decoder().decode(0, ""));
        assertEquals(Map.of("A", "b"), full.environment());
        assertTrue(full.clearsEnvironment());
        assertTrue(PLAIN.feeds().isEmpty()
                && PLAIN.files().isEmpty()
                && PLAIN.stop().isEmpty());
        assertFalse(PLAIN.clearsEnvironment());
        assertEquals(Optional.of(new Outcome.Exited(3)), PLAIN.decoder().decode(3, ""));
    }

    @Test
    @Tag("M05")
    void showsNoValueAndNoFeed() {
        String said =
                PLAIN.feed(3, "TOKEN=s3cret".getBytes(StandardCharsets.UTF_8)).toString();
        assertFalse(said.contains("s3cret"));
        assertTrue(said.contains("TOKEN"));
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 2, 10})
    void refusesOtherDescriptors(int fd) {
        assertThrows(IllegalArgumentException.class, () -> PLAIN.feed(fd, new byte[0]));
        assertThrows(IllegalArgumentException.class, () -> PLAIN.status(fd, PLAIN.decoder()));
    }

    @Test
    void usesADescriptorOnce() {
        assertThrows(
                IllegalArgumentException.class, () -> PLAIN.feed(3, new byte[0]).feed(3, new byte[0]));
        assertThrows(
                IllegalArgumentException.class, () -> PLAIN.feed(3, new byte[0]).status(3, PLAIN.decoder()));
        assertThrows(
                IllegalArgumentException.class,
                () -> PLAIN.status(3, PLAIN.decoder()).feed(3, new byte[0]));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "..", ".hidden", "a/b", "/a", "../a"})
    void refusesNamesThatLeaveTheScratchDirectory(String name) {
        assertThrows(IllegalArgumentException.class, () -> PLAIN.file(name, new byte[0]));
    }

    @Test
    void needsAProgram() {
        assertThrows(IllegalArgumentException.class, () -> Launch.of(List.of(), Map.of(), Path.of("/")));
    }
}
