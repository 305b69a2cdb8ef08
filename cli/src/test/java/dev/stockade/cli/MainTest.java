package dev.stockade.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.stockade.api.Placeholder;
import org.junit.jupiter.api.Test;

class MainTest {
    @Test
    void seesBothBackends() {
        assertEquals("2 backends", Main.describe(new Main.Installed(Placeholder.backends())));
    }
}
