package dev.stockade.config;

import dev.stockade.api.Availability;
import dev.stockade.api.Capabilities;
import dev.stockade.api.Profile;
import dev.stockade.api.spi.Assessment;
import dev.stockade.api.spi.Backend;
import dev.stockade.api.spi.Confinement;
import dev.stockade.api.spi.Host;
import java.util.Map;

/** A name and a setting. */
record FakeBackend(String name, String setting) implements Backend {

    @Override
    public Availability availability(Host host) {
        return new Availability.Unavailable("it is made up", "Use another one");
    }

    @Override
    public Assessment assess(Profile profile, Host host) {
        return Assessment.holds(Capabilities.EVERYTHING);
    }

    @Override
    public Confinement confine(Profile profile, Host host) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Map<String, String> settings() {
        return Map.of(setting, "Which " + setting + ".");
    }
}
