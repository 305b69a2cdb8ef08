package dev.stockade.backend.landlock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.stockade.api.Availability;
import dev.stockade.api.Availability.Available;
import dev.stockade.api.Availability.Unavailable;
import dev.stockade.linux.filter.Architecture;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LandlockAbiTest {

    @ParameterizedTest
    @CsvSource({
        "1, 0x1fff, 0x0, 0, 8",
        "2, 0x3fff, 0x0, 0, 8",
        "3, 0x7fff, 0x0, 0, 8",
        "4, 0x7fff, 0x3, 0, 16",
        "5, 0xffff, 0x3, 0, 16",
        "6, 0xffff, 0x3, 3, 24",
        "7, 0xffff, 0x3, 3, 24",
        "8, 0xffff, 0x3, 3, 24",
        "9, 0x1ffff, 0x3, 3, 24",
        "10, 0x1ffff, 0xf, 3, 48",
        "11, 0x1ffff, 0xf, 3, 48",
        "12, 0x1ffff, 0xf, 3, 48",
        "99, 0x1ffff, 0xf, 3, 48"
    })
    void knowsWhatEachVersionCanDeny(int reported, String files, String ports, long scopes, int length) {
        LandlockAbi abi = LandlockAbi.reported(reported);
        assertEquals(Long.decode(files), abi.files());
        assertEquals(Long.decode(ports), abi.ports());
        assertEquals(scopes, abi.scopes());
        assertEquals(length, abi.attributeLength());
        assertEquals(reported >= 6, abi.scopesSignals());
        assertEquals(reported >= 9, abi.deniesHostUnixSockets());
    }

    @Test
    @Tag("M22")
    void saysWhetherLandlockIsNotBuiltInOrNotEnabled() {
        Optional<Architecture> filter = Optional.of(Architecture.X86_64);
        Unavailable absent = assertInstanceOf(Unavailable.class, Probe.answer(-38, filter, "x86_64"));
        assertTrue(absent.reason().contains("ENOSYS"), absent.reason());
        Unavailable off = assertInstanceOf(Unavailable.class, Probe.answer(-95, filter, "x86_64"));
        assertTrue(off.reason().contains("not enabled at boot") && off.remedy().contains("lsm="), off.toString());
        assertFalse(Probe.answer(-1, filter, "x86_64").isAvailable());
    }

    @Test
    @Tag("A09")
    void namesTheVersionAndWhetherThereIsAFilter() {
        Availability with = Probe.answer(7, Optional.of(Architecture.X86_64), "x86_64");
        assertEquals(new Available("Landlock ABI 7, seccomp filter for x86_64"), with);
        Availability without = Probe.answer(7, Optional.empty(), "riscv64");
        assertEquals(new Available("Landlock ABI 7, no seccomp filter for riscv64"), without);
        assertEquals(
                new Available("Landlock ABI 42, used as 11, seccomp filter for x86_64"),
                Probe.answer(42, Optional.of(Architecture.X86_64), "x86_64"));
    }
}
