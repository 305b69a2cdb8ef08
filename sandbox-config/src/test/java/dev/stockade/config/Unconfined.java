package dev.stockade.config;

import dev.stockade.api.Availability;
import dev.stockade.api.Capabilities;
import dev.stockade.api.Profile;
import dev.stockade.api.spi.Assessment;
import dev.stockade.api.spi.Assessment.Refusal;
import dev.stockade.api.spi.Host;
import dev.stockade.api.spi.Launch;
import dev.stockade.api.spi.Planner;
import java.util.List;
import java.util.Map;

/** Confines nothing, under the name that says so. */
record Unconfined() implements Planner {

    @Override
    public String name() {
        return "none";
    }

    @Override
    public Availability availability(Host host) {
        return new Availability.Available("confines nothing");
    }

    @Override
    public Assessment assess(Profile profile, Host host) {
        List<Refusal> refused = profile.limits().memoryBytes().isPresent()
                ? List.of(new Refusal("limits.memory", "it limits nothing"))
                : List.of();
        return new Assessment(refused, Capabilities.EVERYTHING);
    }

    @Override
    public Plan prepare(Profile profile, Host host) {
        return (command, start) -> Launch.of(command.argv(), Map.of(), profile.workspace());
    }
}
