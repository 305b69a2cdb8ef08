package dev.stockade.backend.landlock;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.stockade.api.Profile.Tmp;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WayTest {

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 6, 7})
    @Tag("A02")
    void startsAgainWhereTheKernelConfinesSingleThreads(int abi) {
        assertEquals(Way.RESTART, Way.of(new LandlockAbi(abi), false, Tmp.SHARED));
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 9, 11})
    @Tag("A02")
    void confinesAllThreadsAtOnceWhereTheKernelCan(int abi) {
        assertEquals(Way.IN_PLACE, Way.of(new LandlockAbi(abi), false, Tmp.SHARED));
    }

    @Test
    void startsAgainToLoseCapabilitiesOrToGetATemporaryDirectory() {
        assertEquals(Way.RESTART, Way.of(new LandlockAbi(8), true, Tmp.SHARED));
        assertEquals(Way.RESTART, Way.of(new LandlockAbi(8), false, Tmp.PRIVATE));
    }
}
