package dev.stockade.api.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OwnInputTest {

    @Test
    void tellsWhatABufferHasTaken() throws IOException {
        ByteArrayInputStream descriptor = new ByteArrayInputStream("hello".getBytes(StandardCharsets.UTF_8));
        BufferedInputStream buffered = new BufferedInputStream(descriptor);
        assertEquals(0, OwnInput.takenAhead(buffered, descriptor));
        assertEquals('h', buffered.read());
        assertEquals(4, OwnInput.takenAhead(buffered, descriptor));
    }

    @Test
    void saysHowMuchIsMissing() {
        assertEquals(Optional.empty(), new OwnInput(0, 0).wasRead());
        assertTrue(new OwnInput(7, 0).wasRead().orElseThrow().contains("up to byte 7"));
        assertTrue(new OwnInput(0, 4).wasRead().orElseThrow().contains("4 bytes"));
    }
}
