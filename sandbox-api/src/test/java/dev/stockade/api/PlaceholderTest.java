package dev.stockade.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class PlaceholderTest {
    @Test
    void runsAsANamedModuleWithNoBackend() {
        assertTrue(Placeholder.class.getModule().isNamed());
        assertEquals(0, Placeholder.backends());
    }
}
