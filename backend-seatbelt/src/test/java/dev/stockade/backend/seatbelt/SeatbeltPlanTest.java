package dev.stockade.backend.seatbelt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.stockade.api.Command;
import dev.stockade.api.LaunchException;
import dev.stockade.api.Profile;
import dev.stockade.api.Profile.Reads;
import dev.stockade.api.spi.Launch;
import dev.stockade.api.spi.Planner.Purpose;
import dev.stockade.api.spi.Planner.Start;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SeatbeltPlanTest {

    private static final String SCRATCH = "/tmp/stockade-1-2-3";

    private final FakeMac mac = FakeMac.fresh();

    private Launch launch(Profile profile, Command command, Purpose purpose) {
        Start start =
                new Start(mac.path(SCRATCH + "/stockade-1-2-3.1"), Optional.of(mac.path(SCRATCH + "/tmp")), purpose);
        return new SeatbeltBackend().prepare(profile, mac).launch(command, start);
    }

    private Profile strict() {
        return Profile.builder(mac.workspace()).build();
    }

    @Test
    void putsSandboxExecInFrontWithPathsAsParameters() {
        Launch launch = launch(strict(), Command.of("sh", "-c", "echo \"$1\"", "sh", "--"), Purpose.SUPERVISED);
        List<String> argv = launch.argv();
        assertEquals(List.of("/usr/bin/sandbox-exec", "-p"), argv.subList(0, 2));
        assertTrue(argv.contains("-DTMP=/private/tmp/stockade-1-2-3/tmp"), argv::toString);
        int end = argv.indexOf("--");
        assertTrue(argv.subList(3, end).stream().allMatch(one -> one.startsWith("-D")));
        assertEquals(List.of("sh", "-c", "echo \"$1\"", "sh", "--"), argv.subList(end + 1, argv.size()));
        assertEquals(mac.workspace(), launch.directory());
    }

    @Test
    @Tag("M06")
    @Tag("S07")
    void givesTheReducedEnvironmentOnly() {
        Launch launch = launch(strict(), Command.of("sh").environment(Map.of("A", "b")), Purpose.SUPERVISED);
        assertEquals(
                java.util.Set.of("PATH", "HOME", "TMPDIR", "TMP", "TEMP", "A"),
                launch.environment().keySet());
        assertEquals("/private/tmp/stockade-1-2-3/tmp", launch.environment().get("TMPDIR"));
        assertEquals("/private/tmp/stockade-1-2-3/tmp", launch.environment().get("HOME"));
        Profile host = Profile.builder(mac.workspace()).reads(Reads.HOST).build();
        assertEquals(
                "/Users/me",
                launch(host, Command.of("sh"), Purpose.SUPERVISED).environment().get("HOME"));
    }

    @Test
    void wrapsSoThatWhatTheStarterAddsIsCleared() {
        Command command = Command.of("sh").environment(Map.of("TOKEN", "it's secret"));
        Launch launch = launch(strict(), command, Purpose.WRAPPED);
        assertTrue(launch.clearsEnvironment());
        assertFalse(launch.argv().toString().contains("secret"));
        assertEquals(
                List.of("/usr/bin/env", "-i", "/bin/sh", "-c"), launch.argv().subList(0, 4));
        assertTrue(launch.argv().contains("/usr/bin/sandbox-exec"));
        String script = new String(launch.files().get("environment"), StandardCharsets.UTF_8);
        assertTrue(script.contains("export TOKEN='it'\\''s secret'\n"), script);
        assertEquals(Map.of(), launch.environment());
    }

    @Test
    void withoutATemporaryDirectoryNothingIsSaidOfOne() {
        Start start = new Start(mac.path(SCRATCH), Optional.empty(), Purpose.HANDED_OVER);
        Launch launch = new SeatbeltBackend().prepare(strict(), mac).launch(Command.of("sh"), start);
        assertFalse(launch.argv().toString().contains("TMP"));
        assertFalse(launch.environment().containsKey("TMPDIR"));
        assertTrue(launch.files().isEmpty());
    }

    @Test
    @Tag("S14")
    void reportsAProgramThatIsMissingOrNotShown() {
        mac.program("/Users/me/bin/tool");
        assertEquals(127, failure(Command.of("no-such-program")).exitStatus());
        LaunchException hidden = failure(Command.of("/Users/me/bin/tool"));
        assertEquals(127, hidden.exitStatus());
        assertTrue(hidden.getMessage().contains("does not show"), hidden::getMessage);
        Profile host = Profile.builder(mac.workspace()).reads(Reads.HOST).build();
        assertTrue(launch(host, Command.of("/Users/me/bin/tool"), Purpose.SUPERVISED)
                .argv()
                .contains("/Users/me/bin/tool"));
    }

    private LaunchException failure(Command command) {
        return assertThrows(LaunchException.class, () -> launch(strict(), command, Purpose.SUPERVISED));
    }

    @Test
    void advisesOnComplaintsOfSandboxExec() {
        Optional<String> advice = new SeatbeltBackend()
                .prepare(strict(), mac)
                .advice("sandbox-exec: sandbox_apply: Operation not permitted");
        assertTrue(advice.orElseThrow().contains("nest"));
        assertEquals(
                Optional.empty(), new SeatbeltBackend().prepare(strict(), mac).advice("make: error"));
    }
}
