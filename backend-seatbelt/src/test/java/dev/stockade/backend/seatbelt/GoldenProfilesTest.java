package dev.stockade.backend.seatbelt;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.stockade.api.Network;
import dev.stockade.api.Profile;
import dev.stockade.api.Profile.Reads;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whole profiles, to be reviewed by eye. What is written differs from the golden file: see target/golden. */
@Tag("S11")
class GoldenProfilesTest {

    private final FakeMac mac = FakeMac.fresh();

    private Profile.Builder builder() {
        return Profile.builder(mac.workspace());
    }

    @Test
    void strict() throws IOException {
        compare("strict", builder().build());
    }

    @Test
    void hostReadsWithHiddenPathsAndLoopback() throws IOException {
        compare(
                "host-loopback",
                builder()
                        .reads(Reads.HOST)
                        .network(Network.LOOPBACK)
                        .hidden(mac.path("/Users/me/.ssh"))
                        .writable(mac.path("/Users/me/.npm"))
                        .build());
    }

    @Test
    void onlineWithCarveOuts() throws IOException {
        compare(
                "system-online",
                builder()
                        .network(Network.ON)
                        .readable(mac.path(FakeMac.WORKSPACE + "/.git"))
                        .hidden(mac.path(FakeMac.WORKSPACE + "/say \"hi\" (x)"))
                        .build());
    }

    private void compare(String name, Profile profile) throws IOException {
        Sbpl.Finished finished = SeatbeltProfile.of(profile, mac, true);
        StringBuilder actual = new StringBuilder(finished.text()).append("\n; Parameters\n");
        Map<String, String> sorted = new TreeMap<>(finished.parameters());
        sorted.forEach((key, value) ->
                actual.append("; ").append(key).append('=').append(value).append('\n'));
        Path written = Files.createDirectories(Path.of("target/golden")).resolve(name + ".sb");
        Files.writeString(written, actual);
        try (InputStream golden = getClass().getResourceAsStream(name + ".sb")) {
            String expected = golden == null ? "" : new String(golden.readAllBytes(), StandardCharsets.UTF_8);
            assertEquals(expected, actual.toString(), () -> "compare with " + written.toAbsolutePath());
        }
    }
}
