package dev.stockade.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.stockade.api.Backends;
import dev.stockade.api.Command;
import dev.stockade.api.NoBackendException;
import dev.stockade.api.Result;
import dev.stockade.api.Sandbox;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("S02")
class ModesTest {

    /** Of these one does not work, and the other confines nothing. */
    private static final Backends USELESS = Backends.of(new FakeBackend("docker", "image"), new Unconfined());

    @TempDir
    Path directory;

    private Given given = new Given(Path.of("build"), Path.of("build"), Map.of());

    @BeforeEach
    void makeHome() throws IOException {
        given = new Given(directory.toRealPath());
    }

    private Loaded load(String mode) {
        given.ownFile("[sandbox]\nmode = \"" + mode + "\"\n");
        return given.configuration().backends(USELESS).load();
    }

    @Test
    void requiredRefusesToRunUnconfined() {
        Loaded loaded = load("required");
        assertThrows(NoBackendException.class, () -> loaded.open(USELESS));
    }

    @Test
    void autoRunsUnconfinedWhereNothingWorksAndSaysSoInTheResult() throws Exception {
        try (Sandbox sandbox = load("auto").open(USELESS)) {
            Result result = sandbox.run(Command.of("true"));
            assertEquals(0, result.exitStatus());
            assertEquals("none", result.backend());
            assertEquals(List.of("nothing is confined: no sandbox works here, and mode is auto"), result.notices());
        }
    }

    @Test
    void offSaysSo() throws Exception {
        given.ownFile("[sandbox]\nmode = \"off\"\n[sandbox.limits]\nmemory = \"1GiB\"\n");
        Loaded loaded = given.configuration().backends(USELESS).load();
        try (Sandbox sandbox = loaded.open(USELESS)) {
            Result result = sandbox.run(Command.of("true"));
            assertEquals(List.of("nothing is confined: mode is off (" + given.ownFile() + ":2)"), result.notices());
            assertTrue(result.capabilities().canReachNetwork());
        }
    }

    @Test
    void aNamedBackendIsTheOnlyOne() {
        Loaded loaded = given.configuration()
                .backends(USELESS)
                .flag("--backend", "backend", "docker")
                .load();
        NoBackendException refused = assertThrows(NoBackendException.class, () -> loaded.open(USELESS));
        assertTrue(String.valueOf(refused.getMessage()).contains("docker"), refused.getMessage());
    }

    @Test
    @Tag("A07")
    void switchesTurnOnAndOffButNoVariableTurnsAFlagOff() {
        for (String on : List.of("1", "true", "YES", "on", " On ")) {
            assertEquals(
                    Mode.REQUIRED, with("STOCKADE_SANDBOX", on, load("off")).mode(), on);
            assertEquals(Mode.AUTO, with("STOCKADE_SANDBOX", on, load("auto")).mode(), on + " does not make it weaker");
        }
        for (String off : List.of("0", "false", "no", "OFF", "")) {
            assertEquals(
                    Mode.OFF, with("STOCKADE_SANDBOX", off, load("required")).mode(), off);
            given.with("STOCKADE_SANDBOX", off);
            Loaded flagged =
                    given.configuration().flag("--mode", "mode", "required").load();
            assertEquals(Mode.REQUIRED, flagged.mode(), off);
        }
        given.with("STOCKADE_SANDBOX", "perhaps");
        ConfigurationException wrong = assertThrows(
                ConfigurationException.class, () -> given.configuration().load());
        assertEquals("STOCKADE_SANDBOX: must be 1, true, yes or on, or 0, false, no, off or empty", wrong.getMessage());
    }

    private Loaded with(String variable, String value, Loaded before) {
        assertEquals(List.of(), before.notices());
        given.with(variable, value);
        Loaded loaded = given.configuration().load();
        given.environment().remove(variable);
        return loaded;
    }

    @Test
    @Tag("A07")
    void theListOfWritablePathsDropsEmptySegments() {
        Path one = Given.directory(given.home().resolve("one"));
        Path two = Given.directory(given.home().resolve("two"));
        given.with("STOCKADE_FS_RW", ":" + one + "::~/two/.:");
        assertEquals(
                List.of("writable " + one, "writable " + two),
                given.configuration().load().rules().stream()
                        .filter(rule -> rule.origin().equals("STOCKADE_FS_RW"))
                        .map(Loaded.Rule::rule)
                        .toList());
    }

    @Test
    @Tag("A07")
    void theNetworkSwitchTakesItsWordsAndTheUsualOnes() {
        for (Map.Entry<String, String> word : Map.of(
                        "1", "on", "on", "on", "loopback", "loopback", "0", "off", "", "off")
                .entrySet()) {
            given.with("STOCKADE_NETWORK", word.getKey());
            String rules = given.configuration().load().rules().toString();
            assertTrue(rules.contains("network " + word.getValue() + ": from STOCKADE_NETWORK"), rules);
        }
    }
}
