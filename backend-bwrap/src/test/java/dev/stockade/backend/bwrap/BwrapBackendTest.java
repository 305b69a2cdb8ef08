package dev.stockade.backend.bwrap;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.stockade.api.Placeholder;
import org.junit.jupiter.api.Test;

class BwrapBackendTest {
    @Test
    void isFoundByItsName() {
        assertEquals("bwrap", new BwrapBackend().name());
        assertEquals(1, Placeholder.backends());
    }
}
