package dev.stockade.backend.none;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.stockade.api.Placeholder;
import org.junit.jupiter.api.Test;

class NoneBackendTest {
    @Test
    void isFoundByItsName() {
        assertEquals("none", new NoneBackend().name());
        assertEquals(1, Placeholder.backends());
    }
}
