package dev.stockade.api;

import dev.stockade.api.spi.Assessment;
import dev.stockade.api.spi.Assessment.Refusal;
import dev.stockade.api.spi.Host;
import dev.stockade.api.spi.Launch;
import dev.stockade.api.spi.Planner;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** A backend that says what it is told to say, and starts commands as they are. */
public final class FakeBackend implements Planner {

    /** What earns "cannot reach the network". */
    public static final Capabilities NO_NETWORK =
            closing(Reach.SEND_OFF_MACHINE, Reach.HOST_LOOPBACK, Reach.HOST_UNIX_SOCKETS);

    private final String name;
    private Availability availability = new Availability.Available("always");
    private boolean automatic = true;
    private Duration cost = Duration.ofMillis(10);
    private Capabilities claims = Capabilities.EVERYTHING;
    private List<Refusal> refused = List.of();
    private Map<String, String> settings = Map.of();
    private UnaryOperator<Launch> change = launch -> launch;
    private BiFunction<Command, Start, Optional<RuntimeException>> failure = (command, start) -> Optional.empty();
    private Optional<RuntimeException> broken = Optional.empty();
    private boolean asked;

    private FakeBackend(String name) {
        this.name = name;
    }

    public static FakeBackend called(String name) {
        return new FakeBackend(name);
    }

    public static Capabilities closing(Reach... reaches) {
        return Stream.of(reaches)
                .reduce(Capabilities.EVERYTHING, (all, reach) -> all.closing(reach, "closed"), (a, b) -> b);
    }

    public FakeBackend unavailable(String reason, String remedy) {
        availability = new Availability.Unavailable(reason, remedy);
        return this;
    }

    public FakeBackend onlyByName() {
        automatic = false;
        return this;
    }

    public FakeBackend costing(Duration start) {
        cost = start;
        return this;
    }

    public FakeBackend claiming(Capabilities what) {
        claims = what;
        return this;
    }

    public FakeBackend refusing(Refusal... parts) {
        refused = List.of(parts);
        return this;
    }

    public FakeBackend understanding(Map<String, String> keys) {
        settings = keys;
        return this;
    }

    public FakeBackend launching(UnaryOperator<Launch> how) {
        change = how;
        return this;
    }

    public FakeBackend failing(BiFunction<Command, Start, Optional<RuntimeException>> how) {
        failure = how;
        return this;
    }

    public FakeBackend breaking(RuntimeException how) {
        broken = Optional.of(how);
        return this;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Availability availability(Host host) {
        asked = true;
        broken.ifPresent(FakeBackend::raise);
        return availability;
    }

    /** Whether anybody wanted to know if it works here, which costs a process with many. */
    public boolean wasAsked() {
        return asked;
    }

    @Override
    public Assessment assess(Profile profile, Host host) {
        return new Assessment(refused, claims);
    }

    @Override
    public boolean automatic() {
        return automatic;
    }

    @Override
    public Duration startCost() {
        return cost;
    }

    @Override
    public Map<String, String> settings() {
        return settings;
    }

    @Override
    public Plan prepare(Profile profile, Host host) {
        return (command, start) -> {
            failure.apply(command, start).ifPresent(FakeBackend::raise);
            Map<String, String> environment =
                    host.environmentFor(profile, command, Map.of("PATH", "/usr/local/bin:/usr/bin:/bin"));
            Path directory = command.directory().orElseThrow();
            command.resolveExecutable(directory, environment.getOrDefault("PATH", ""), file -> true);
            return change.apply(Launch.of(command.argv(), environment, directory));
        };
    }

    private static void raise(RuntimeException failure) {
        throw failure;
    }
}
