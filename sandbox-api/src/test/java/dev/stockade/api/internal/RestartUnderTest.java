package dev.stockade.api.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.stockade.api.FakeBackend;
import dev.stockade.api.LaunchException;
import dev.stockade.api.Profile;
import dev.stockade.api.Reach;
import dev.stockade.api.spi.Assessment;
import dev.stockade.api.spi.Backend.Jvm;
import dev.stockade.api.spi.Host;
import dev.stockade.api.spi.Launch;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("A02")
class RestartUnderTest {

    @TempDir
    Path workspace;

    private static Jvm jvm(String... argv) {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        List<byte[]> bytes = Stream.of(argv)
                .map(word -> word.getBytes(StandardCharsets.ISO_8859_1))
                .toList();
        return new Jvm(
                java, bytes, List.of("NAME=value".getBytes(StandardCharsets.UTF_8)), Path.of("/"), Set.of(), "mark");
    }

    private Launch launch(FakeBackend planner, Jvm jvm) {
        Profile profile = Profile.builder(workspace).build();
        return new RestartUnder(planner).launch(profile, Host.local(), Path.of("/nonexistent"), jvm);
    }

    private static Launch behind(Launch launch) {
        List<String> argv = new ArrayList<>(List.of("confine", "--"));
        argv.addAll(launch.argv());
        return Launch.of(argv, launch.environment(), launch.directory());
    }

    @Test
    void putsTheSameCommandLineBehindWhatConfines() {
        Jvm jvm = jvm("my service", "-jar", "a.jar", "two words");
        Launch launch = launch(FakeBackend.called("front").launching(RestartUnderTest::behind), jvm);
        assertEquals(List.of("confine", "--", jvm.program().toString(), "-jar", "a.jar", "two words"), launch.argv());
        assertEquals("value", launch.environment().get("NAME"));
        assertEquals(Path.of("/"), launch.directory());
        assertEquals("mark", new String(launch.feeds().get(3), StandardCharsets.UTF_8));
    }

    @Test
    void refusesWhatItCannotHandOver() {
        FakeBackend supervising = FakeBackend.called("docker").launching(launch -> launch.stoppedBy(List.of("stop")));
        assertTrue(assertThrows(LaunchException.class, () -> launch(supervising, jvm("java")))
                .getMessage()
                .contains("docker has to supervise what it confines"));
    }

    @Test
    void saysThatNothingEndsWhatTheJvmLeaves() {
        FakeBackend claiming = FakeBackend.called("front").claiming(FakeBackend.closing(Reach.OUTLIVE_CALLER));
        Assessment assessment =
                new RestartUnder(claiming).assess(Profile.named("write-guard", workspace), Host.local());
        assertTrue(assessment.capabilities().can(Reach.OUTLIVE_CALLER));
    }
}
