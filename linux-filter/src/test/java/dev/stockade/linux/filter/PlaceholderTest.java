package dev.stockade.linux.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class PlaceholderTest {
    @Test
    void buildsNothingYet() {
        assertEquals(0, Placeholder.program().length);
    }
}
