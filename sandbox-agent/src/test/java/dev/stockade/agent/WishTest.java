package dev.stockade.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.stockade.api.Network;
import dev.stockade.api.Profile;
import dev.stockade.api.Profile.Access;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("A07")
class WishTest {

    @TempDir
    Path workspace;

    @ParameterizedTest
    @ValueSource(strings = {"1", "true", "YES", " on "})
    void wordsForYesTurnItOn(String word) {
        assertTrue(Wish.of("", Map.of("STOCKADE_SANDBOX", word)).on());
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "false", "No", "off", ""})
    void wordsForNoTurnItOffButNotAFlag(String word) {
        assertFalse(Wish.of("", Map.of("STOCKADE_SANDBOX", word)).on());
        assertEquals(
                Optional.empty(), Wish.of("", Map.of("STOCKADE_SANDBOX", word)).profile(workspace));
        assertTrue(Wish.of("on", Map.of("STOCKADE_SANDBOX", word)).on());
    }

    @Test
    void isOnByBeingThere() {
        assertTrue(Wish.of("", Map.of()).on());
    }

    @Test
    void whatNobodyUnderstandsIsAnErrorInWords() {
        assertEquals(
                "STOCKADE_SANDBOX must be 1, true, yes or on, or 0, false, no, off or empty",
                assertThrows(IllegalArgumentException.class, () -> Wish.of("", Map.of("STOCKADE_SANDBOX", "perhaps")))
                        .getMessage());
        assertTrue(assertThrows(IllegalArgumentException.class, () -> Wish.of("of", Map.of()))
                .toString()
                .contains("there is no option \"of\""));
    }

    @Test
    @Tag("A08")
    void theListIsSeparatedByColonsAndEmptySegmentsAreDropped() {
        Wish wish = Wish.of("", Map.of("STOCKADE_FS_RW", ":/srv/a::/srv/b:"));
        assertEquals(List.of(Path.of("/srv/a"), Path.of("/srv/b")), wish.writable());
        Profile profile = wish.profile(workspace).orElseThrow();
        assertEquals(Optional.of(Access.WRITE), profile.accessTo(Path.of("/srv/b/file")));
        assertEquals(Optional.of(Access.READ), profile.accessTo(Path.of("/srv/c")));
    }

    @Test
    void theNetworkIsTheProfilesUnlessSaid() {
        assertEquals(
                Network.ON,
                Wish.of("", Map.of()).profile(workspace).orElseThrow().network());
        assertEquals(
                Network.OFF,
                Wish.of("profile=strict", Map.of())
                        .profile(workspace)
                        .orElseThrow()
                        .network());
        Map<String, Network> words =
                Map.of("off", Network.OFF, "0", Network.OFF, "loopback", Network.LOOPBACK, "yes", Network.ON);
        words.forEach((word, network) -> assertEquals(
                network,
                Wish.of("workspace=" + workspace, Map.of("STOCKADE_NETWORK", word))
                        .profile(Path.of("/nonexistent"))
                        .orElseThrow()
                        .network()));
    }
}
