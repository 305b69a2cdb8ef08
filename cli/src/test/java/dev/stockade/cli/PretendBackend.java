package dev.stockade.cli;

import dev.stockade.api.Availability;
import dev.stockade.api.Capabilities;
import dev.stockade.api.Command;
import dev.stockade.api.Profile;
import dev.stockade.api.spi.Assessment;
import dev.stockade.api.spi.Host;
import dev.stockade.api.spi.Launch;
import dev.stockade.api.spi.Planner;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * A backend that says what a test wants it to say, and fails the test that starts something with it.
 *
 * @param name its name
 * @param automatic whether it may be chosen without being named
 * @param availability whether it works
 * @param assessment what it says of every profile
 */
record PretendBackend(String name, boolean automatic, Availability availability, Assessment assessment)
        implements Planner {

    static PretendBackend working(String name, Capabilities capabilities) {
        return new PretendBackend(
                name, true, new Availability.Available(name + " 1.0"), Assessment.holds(capabilities));
    }

    @Override
    public Availability availability(Host host) {
        return availability;
    }

    @Override
    public Assessment assess(Profile profile, Host host) {
        return assessment;
    }

    @Override
    public Plan prepare(Profile profile, Host host) {
        return (command, start) -> {
            if (start.tmp().isPresent()) {
                throw new AssertionError("a command was started");
            }
            return launch(command, profile);
        };
    }

    private Launch launch(Command command, Profile profile) {
        String fed = "--setenv\0SECRET\0hunter2\0--bind\0" + profile.workspace() + "\0/work\0";
        return Launch.of(
                        List.of(
                                "/usr/bin/" + name,
                                "--args",
                                "3",
                                "--",
                                command.argv().get(0)),
                        Map.of("LANG", "C", "SECRET", "hunter2"),
                        profile.workspace())
                .feed(3, fed.getBytes(StandardCharsets.UTF_8))
                .feed(4, new byte[] {6, 0, 0, 0})
                .file("env-file", "SECRET=hunter2\n".getBytes(StandardCharsets.UTF_8));
    }
}
