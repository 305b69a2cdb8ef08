package dev.stockade.backend.bwrap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.stockade.api.Availability;
import dev.stockade.api.Backends;
import dev.stockade.api.Command;
import dev.stockade.api.ConfinedProcess;
import dev.stockade.api.Invocation;
import dev.stockade.api.Profile;
import dev.stockade.api.spi.Assessment;
import dev.stockade.api.spi.Confinement;
import dev.stockade.api.spi.Host;
import dev.stockade.api.spi.Launch;
import dev.stockade.api.spi.Planner;
import dev.stockade.conformance.probe.Evidence;
import dev.stockade.conformance.probe.Prover;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One line of the plan is changed, the claims stay: the probes must notice, and blame the right claim. */
@Tag("contract")
class MutatedBwrapTest {

    private static final int ARGS = 9;

    /**
     * One change of the plan.
     *
     * @param name for people
     * @param topics which probes are tried, by how their ids begin
     * @param change what is changed
     * @param fallen which of them must notice at least
     */
    record Mutation(String name, List<String> topics, UnaryOperator<Launch> change, List<String> fallen) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Mutation> mutations() {
        return Stream.of(
                new Mutation("nothing is changed", List.of("network.", "read.home"), launch -> launch, List.of()),
                new Mutation(
                        "the network is shared",
                        List.of("network.", "loopback."),
                        launch -> without("--unshare-net", launch),
                        List.of("loopback.tcp4", "loopback.udp4", "network.tcp", "network.udp")),
                new Mutation(
                        "the home is bound",
                        List.of("read.", "write.", "metadata."),
                        MutatedBwrapTest::bindingTheHome,
                        List.of("read.home", "read.link", "write.create", "write.unlink", "metadata.mode")),
                new Mutation(
                        "the environment is kept",
                        List.of("environment."),
                        launch -> without("--clearenv", launch),
                        List.of("environment.caller", "environment.starter")),
                new Mutation(
                        "the processes are shared",
                        List.of("processes."),
                        launch -> without("--unshare-pid", launch),
                        List.of("processes.arguments", "processes.signal")),
                new Mutation(
                        "a descriptor is left open",
                        List.of("read.descriptor"),
                        MutatedBwrapTest::leavingADescriptor,
                        List.of("read.descriptor")),
                new Mutation(
                        "the filter is left out",
                        List.of("network.", "unix.", "terminal."),
                        MutatedBwrapTest::unfiltered,
                        List.of("unix.workspace")));
    }

    @ParameterizedTest
    @MethodSource("mutations")
    void isNoticed(Mutation mutation) throws InterruptedException {
        MustRun.bwrap();
        Prover prover = new Prover(probe -> mutation.topics().stream().anyMatch(probe.id()::startsWith));
        Backends mutant = Backends.of(new Mutant(mutation.change())).only("bwrap");
        List<Evidence> failures = prover.prove(
                        mutant, workspace -> Profile.builder(workspace).build())
                .failures();
        List<String> found = failures.stream().map(Evidence::probe).toList();
        assertTrue(found.containsAll(mutation.fallen()), failures::toString);
        assertEquals(mutation.fallen().isEmpty(), found.isEmpty(), failures::toString);
    }

    private static Launch without(String argument, Launch launch) {
        return arguments(launch, list -> {
            List<String> rest = new ArrayList<>(list);
            rest.remove(argument);
            return rest;
        });
    }

    private static Launch bindingTheHome(Launch launch) {
        String home = System.getProperty("user.home");
        return arguments(launch, list -> {
            List<String> more = new ArrayList<>(list);
            more.addAll(list.indexOf("--remount-ro"), List.of("--bind", home, home));
            return more;
        });
    }

    private static Launch unfiltered(Launch launch) {
        return arguments(launch, list -> {
            List<String> rest = new ArrayList<>(list);
            int at = list.indexOf("--seccomp");
            rest.subList(at, at + 2).clear();
            return rest;
        });
    }

    private static Launch leavingADescriptor(Launch launch) {
        List<String> argv = new ArrayList<>(List.of("sh", "-c", "exec 5</; exec \"$@\"", "sh"));
        argv.addAll(launch.argv());
        return again(launch, argv, launch.feeds());
    }

    /** A launch takes each descriptor once, so one that is to be fed otherwise is made anew. */
    private static Launch again(Launch launch, List<String> argv, Map<Integer, byte[]> feeds) {
        Launch copy = Launch.of(argv, launch.environment(), launch.directory())
                .status(launch.statusFd().orElseThrow(), launch.decoder());
        for (Map.Entry<Integer, byte[]> feed : feeds.entrySet()) {
            copy = copy.feed(feed.getKey(), feed.getValue());
        }
        return launch.clearsEnvironment() ? copy.clearingEnvironment() : copy;
    }

    private static Launch arguments(Launch launch, UnaryOperator<List<String>> change) {
        String fed = new String(Objects.requireNonNull(launch.feeds().get(ARGS)), StandardCharsets.UTF_8);
        // An argument may be empty, and each ends with a NUL: what follows the last one is none.
        List<String> fedList = List.of(fed.split("\0", -1));
        List<String> changed = change.apply(fedList.subList(0, fedList.size() - 1));
        Map<Integer, byte[]> feeds = new TreeMap<>(launch.feeds());
        feeds.put(ARGS, (String.join("\0", changed) + "\0").getBytes(StandardCharsets.UTF_8));
        return again(launch, launch.argv(), feeds);
    }

    /** Passes over the library's quick proof, which would find most of this out before the kit can. */
    private record Mutant(UnaryOperator<Launch> change) implements Planner {

        private static final BwrapBackend REAL = new BwrapBackend();

        @Override
        public String name() {
            return REAL.name();
        }

        @Override
        public Availability availability(Host host) {
            return REAL.availability(host);
        }

        @Override
        public Assessment assess(Profile profile, Host host) {
            return REAL.assess(profile, host);
        }

        @Override
        public Plan prepare(Profile profile, Host host) {
            Plan real = REAL.prepare(profile, host);
            return (command, start) -> {
                Launch launch = change.apply(real.launch(command, start));
                Map<String, String> callers = new LinkedHashMap<>(host.environment());
                callers.putAll(launch.environment());
                return launch.withEnvironment(callers);
            };
        }

        @Override
        public Confinement confine(Profile profile, Host host) {
            return new Unproven(Planner.super.confine(profile, host));
        }
    }

    private record Unproven(Confinement real) implements Confinement {

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
