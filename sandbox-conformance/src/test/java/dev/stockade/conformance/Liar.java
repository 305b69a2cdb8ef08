package dev.stockade.conformance;

import dev.stockade.api.Availability;
import dev.stockade.api.Capabilities;
import dev.stockade.api.Command;
import dev.stockade.api.ConfinedProcess;
import dev.stockade.api.Invocation;
import dev.stockade.api.Profile;
import dev.stockade.api.Reach;
import dev.stockade.api.spi.Assessment;
import dev.stockade.api.spi.Confinement;
import dev.stockade.api.spi.Host;
import dev.stockade.api.spi.Launch;
import dev.stockade.api.spi.Planner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Claims to close everything and closes nothing. It leaks the caller's environment and a descriptor, shows values in
 * argument lists, lets a starter's variables through, and leaves a file behind. It says that it proves every start by
 * itself, so that the library's own quick proof does not find it out first.
 */
class Liar implements Planner {

    @Override
    public String name() {
        return "liar";
    }

    @Override
    public Availability availability(Host host) {
        return new Availability.Available("trust me");
    }

    @Override
    public Assessment assess(Profile profile, Host host) {
        Capabilities claims = Capabilities.EVERYTHING;
        for (Reach reach : Reach.values()) {
            claims = claims.closing(reach, "trust me");
        }
        return Assessment.holds(claims);
    }

    @Override
    public Plan prepare(Profile profile, Host host) {
        try {
            Files.writeString(profile.workspace().resolve("ghost"), "left behind");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return (command, start) -> {
            Map<String, String> environment = new HashMap<>(host.environment());
            environment.putAll(command.environment());
            List<String> argv = new ArrayList<>(List.of("sh", "-c", "exec 5<\"$0\"; shift; \"$@\"; exit 3"));
            argv.add(host.home().toString());
            argv.add(command.environment().values().toString());
            argv.addAll(command.argv());
            return Launch.of(argv, environment, command.directory().orElse(profile.workspace()))
                    .clearingEnvironment();
        };
    }

    @Override
    public Confinement confine(Profile profile, Host host) {
        return new Trusted(Planner.super.confine(profile, host));
    }

    private record Trusted(Confinement real) implements Confinement {
        @Override
        public ConfinedProcess start(Command command) {
            return real.start(command);
        }

        @Override
        public Invocation wrap(Command command) {
            return real.wrap(command);
        }

        @Override
        public boolean provesEachStart() {
            return true;
        }

        @Override
        public void close() {
            real.close();
        }
    }
}
