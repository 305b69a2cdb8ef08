package dev.stockade.backend.bwrap;

import dev.stockade.api.Availability;
import dev.stockade.api.Capabilities;
import dev.stockade.api.LaunchException;
import dev.stockade.api.LaunchException.Fault;
import dev.stockade.api.LaunchException.Phase;
import dev.stockade.api.Profile;
import dev.stockade.api.spi.Assessment;
import dev.stockade.api.spi.Backend;
import dev.stockade.api.spi.Confinement;
import dev.stockade.api.spi.Host;

/** Stands here until the backend does. */
public final class BwrapBackend implements Backend {

    /** For the service loader. */
    public BwrapBackend() {}

    @Override
    public String name() {
        return "bwrap";
    }

    @Override
    public Availability availability(Host host) {
        return new Availability.Unavailable("not written yet", "Wait");
    }

    @Override
    public Assessment assess(Profile profile, Host host) {
        return Assessment.holds(Capabilities.EVERYTHING);
    }

    @Override
    public Confinement confine(Profile profile, Host host) {
        throw new LaunchException(Phase.PREPARE, Fault.STOCKADE, "not written yet");
    }
}
