package dev.stockade.conformance.probe;

import dev.stockade.api.Availability;
import dev.stockade.api.Capabilities;
import dev.stockade.api.Profile;
import dev.stockade.api.spi.Assessment;
import dev.stockade.api.spi.Host;
import dev.stockade.api.spi.Launch;
import dev.stockade.api.spi.Planner;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Where twins run: nothing is in the way, and what a careless backend leaks is leaked on purpose (the whole environment,
 * a descriptor, the values of variables in an argument list).
 */
final class Exposed implements Planner {

    static final String NAME = "exposed";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Availability availability(Host host) {
        return new Availability.Available("confines nothing");
    }

    @Override
    public Assessment assess(Profile profile, Host host) {
        return Assessment.holds(Capabilities.EVERYTHING);
    }

    @Override
    public Plan prepare(Profile profile, Host host) {
        return (command, start) -> {
            Map<String, String> environment = new HashMap<>(host.environment());
            environment.putAll(command.environment());
            String open = command.environment().getOrDefault("BAIT_HOME", "/");
            // No exec: the argument list that holds the values has to stay.
            List<String> argv = new ArrayList<>(List.of("sh", "-c", "exec 6<\"$0\"; shift; \"$@\"", open));
            argv.add(command.environment().values().toString());
            argv.addAll(command.argv());
            Path directory = command.directory().orElse(profile.workspace());
            Launch launch = Launch.of(argv, environment, directory);
            return start.purpose() == Purpose.WRAPPED ? launch.clearingEnvironment() : launch;
        };
    }
}
