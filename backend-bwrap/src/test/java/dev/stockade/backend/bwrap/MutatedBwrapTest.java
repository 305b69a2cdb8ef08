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
import dev.stockade.conformance.probe.Probe;
import dev.stockade.conformance.probe.Prover;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** One line of the plan is changed, the claims stay: the probes must notice, and blame the right claim. */
class MutatedBwrapTest {

    private static final int ARGS = 9;
    private static final int FILTER = 8;

    static Stream<Arguments> mutations() {
        return Stream.of(
                Arguments.of("as it is", List.of("network.", "read.home"), keep(), List.of()),
                Arguments.of("shares the network", List.of("network.", "loopback."), without("--unshare-net"), List.of(
                        "loopback.tcp4", "loopback.udp4", "network.tcp", "network.udp")),
                Arguments.of("binds the home", List.of("read.", "write.", "metadata."), binding(), List.of(
                        "read.home", "read.link", "write.create", "write.unlink", "metadata.mode")),
                Arguments.of(
                        "keeps the environment",
                        List.of("environment."),
                        without("--clearenv"),
                        List.of("environment.caller", "environment.starter")),
                Arguments.of("shares the processes", List.of("processes."), without("--unshare-pid"), List.of(
                        "processes.signal")),
                Arguments.of(
                        "leaks a descriptor",
                        List.of("read.descriptor"),
                        leaking(),
                        List.of("read.descriptor")),
                Arguments.of(
                        "has no filter",
                        List.of("network.", "unix.", "terminal."),
                        unfiltered(),
                        List.of("network.vsock", "unix.workspace")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("mutations")
    void isNoticed(String mutation, List<String> topics, UnaryOperator<Launch> change, List<String> fallen)
            throws InterruptedException {
        MustRun.bwrap();
        Predicate<Probe> chosen =
                probe -> topics.stream().anyMatch(probe.id()::startsWith);
        Backends mutant = Backends.of(new Mutant(change)).only("bwrap");
        List<Evidence> failures = new Prover(chosen)
                .prove(mutant, workspace -> Profile.builder(workspace).build())
                .failures();
        List<String> found = failures.stream().map(Evidence::probe).toList();
        assertTrue(found.containsAll(fallen), () -> mutation + ": " + failures);
        assertEquals(fallen.isEmpty(), found.isEmpty(), () -> mutation + ": " + failures);
    }

    private static UnaryOperator<Launch> keep() {
        return launch -> launch;
    }

    private static UnaryOperator<Launch> unfiltered() {
        return launch -> arguments(launch, list -> {
            int at = list.indexOf("--seccomp");
            return joined(list.subList(0, at), list.subList(at + 2, list.size()));
        });
    }

    private static UnaryOperator<Launch> leaking() {
        return launch -> {
            Launch copy = Launch.of(
                            joined(List.of("sh", "-c", "exec 5</; exec \"$@\"", "sh"), launch.argv()),
                            launch.environment(),
                            launch.directory())
                    .feed(ARGS, launch.feeds().get(ARGS))
                    .feed(FILTER, launch.feeds().get(FILTER))
                    .status(launch.statusFd().orElseThrow(), launch.decoder());
            return launch.clearsEnvironment() ? copy.clearingEnvironment() : copy;
        };
    }

    private static UnaryOperator<Launch> without(String argument) {
        return launch -> arguments(launch, list -> {
            List<String> rest = new ArrayList<>(list);
            rest.remove(argument);
            return rest;
        });
    }

    private static UnaryOperator<Launch> binding() {
        String home = System.getProperty("user.home");
        return launch -> arguments(launch, list -> {
            int at = list.indexOf("--chdir");
            return joined(joined(list.subList(0, at), List.of("--bind", home, home)), list.subList(at, list.size()));
        });
    }

    private static Launch arguments(Launch launch, UnaryOperator<List<String>> change) {
        String fed = new String(launch.feeds().get(ARGS), StandardCharsets.UTF_8);
        // An argument may be empty, and each ends with a NUL: what follows the last one is none.
        List<String> fedList = List.of(fed.split("\0", -1));
        List<String> changed = change.apply(fedList.subList(0, fedList.size() - 1));
        return launch.feed(ARGS, (String.join("\0", changed) + "\0").getBytes(StandardCharsets.UTF_8));
    }

    private static List<String> joined(List<String> first, List<String> then) {
        List<String> all = new ArrayList<>(first);
        all.addAll(then);
        return all;
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
