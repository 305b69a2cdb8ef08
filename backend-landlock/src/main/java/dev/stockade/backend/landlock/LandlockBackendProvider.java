package dev.stockade.backend.landlock;

import dev.stockade.api.Availability;
import dev.stockade.api.Profile;
import dev.stockade.api.spi.Assessment;
import dev.stockade.api.spi.Host;
import dev.stockade.api.spi.Planner;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * What the service loader finds. Compiled for Java 17, so that an older JVM can load it and be told what is missing;
 * the classes behind it need Java 25.
 */
public final class LandlockBackendProvider implements Planner {

    private static final int COMPILED_FOR = 25;

    /** For the service loader. */
    public LandlockBackendProvider() {}

    @Override
    public String name() {
        return "landlock";
    }

    @Override
    public boolean automatic() {
        return true;
    }

    @Override
    public Duration startCost() {
        return Duration.ofMillis(4);
    }

    @Override
    public Map<String, String> settings() {
        return Map.of(
                "partial",
                "\"warn\" accepts a kernel whose Landlock does not deny truncation (below ABI 3); default \"refuse\"");
    }

    @Override
    public Availability availability(Host host) {
        int java = Runtime.version().feature();
        if (java < COMPILED_FOR) {
            return new Availability.Unavailable(
                    "Java " + java + " cannot call the kernel", "use Java " + COMPILED_FOR + " or newer");
        }
        return Probe.availability(host);
    }

    @Override
    public Assessment assess(Profile profile, Host host) {
        return Judgement.of(profile, Probe.facts(profile, host), host.files());
    }

    @Override
    public Plan prepare(Profile profile, Host host) {
        return new LandlockPlan(profile, Probe.facts(profile, host), host);
    }

    @Override
    public Optional<JvmBoundary> jvmBoundary() {
        return Optional.of(new ThisJvm());
    }
}
