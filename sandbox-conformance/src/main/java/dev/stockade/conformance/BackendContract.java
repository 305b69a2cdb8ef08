package dev.stockade.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.stockade.api.Availability;
import dev.stockade.api.Availability.Unavailable;
import dev.stockade.api.Backends;
import dev.stockade.api.Backends.Verdict;
import dev.stockade.api.Capabilities;
import dev.stockade.api.Command;
import dev.stockade.api.Limits;
import dev.stockade.api.Network;
import dev.stockade.api.Profile;
import dev.stockade.api.ProfileNotSupportedException;
import dev.stockade.api.Reach;
import dev.stockade.api.Sandbox;
import dev.stockade.api.SandboxException;
import dev.stockade.api.spi.Assessment.Refusal;
import dev.stockade.api.spi.Backend;
import dev.stockade.api.spi.Host;
import dev.stockade.api.spi.ProfileProvider;
import dev.stockade.conformance.probe.Claim.Promise;
import dev.stockade.conformance.probe.Evidence;
import dev.stockade.conformance.probe.Finding;
import dev.stockade.conformance.probe.Prover;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * What every backend must do. Its author extends this class in the backend's tests and says which backend it is.
 *
 * <p>Whatever the backend claims to be closed is attacked, for every profile of {@link #profiles()} that it accepts;
 * what it leaves open is shown, not judged. An attempt that cannot be made here is a skipped test with its reason.
 * Where the backend is not available all of this is skipped, unless the variable {@code STOCKADE_MUST_RUN} names it.
 */
@Tag("contract")
@SuppressWarnings("exports") // whoever extends this has JUnit
public abstract class BackendContract {

    private final Prover everything = new Prover();
    private final Prover attacks = new Prover(probe -> !probe.claim().equals(Promise.WORK));

    /** For subclasses. */
    protected BackendContract() {}

    /**
     * The backend under test.
     *
     * @return a new one, or always the same
     */
    protected abstract Backend backend();

    /**
     * The profiles it is tried with, each with every setting of the network. Those that it refuses are skipped.
     *
     * @return what makes a profile for a workspace, by a name for people; unless overridden, every installed profile
     */
    protected Map<String, Function<Path, Profile>> profiles() {
        Map<String, Function<Path, Profile>> all = new LinkedHashMap<>();
        ProfileProvider.installed()
                .forEach((name, provider) ->
                        all.put(name, workspace -> provider.profile(name, workspace, Host.local())));
        return all;
    }

    /**
     * How long one answer, or one start, may take.
     *
     * @return ten seconds, unless overridden
     */
    protected Duration patience() {
        return Duration.ofSeconds(10);
    }

    private Backends backends() {
        Backend backend = backend();
        return Backends.of(backend).only(backend.name());
    }

    private Backends available() {
        Backends backends = backends();
        String name = backend().name();
        if (backends.availability().get(name) instanceof Unavailable here) {
            if (List.of(System.getenv().getOrDefault("STOCKADE_MUST_RUN", "").split(",", -1))
                    .contains(name)) {
                fail(name + " must run here, but " + here.reason());
            }
            Assumptions.abort(here.reason());
        }
        return backends;
    }

    @Test
    void saysInTimeWhetherItWorksHere() {
        Availability first = assertTimeout(patience(), () -> backend().availability(Host.local()));
        assertEquals(first, backend().availability(Host.local()), "asked twice, it answers twice the same");
        if (first instanceof Unavailable here) {
            assertFalse(here.reason().isBlank(), "it says why it does not work");
            assertFalse(here.remedy().isBlank(), "it says what to do");
        }
    }

    @Test
    void answersTwiceTheSameAboutAProfile(@TempDir Path workspace) {
        profiles().forEach((name, profile) -> {
            Profile asked = profile.apply(workspace);
            assertEquals(backends().verdicts(asked), backends().verdicts(asked), name);
        });
    }

    @Test
    void namesEveryPartThatItRefusesAtOnce(@TempDir Path workspace) {
        available();
        Map<String, Function<Profile.Builder, Profile.Builder>> parts = new LinkedHashMap<>();
        parts.put("memory", it -> it.limits(Limits.NONE.memoryBytes(1 << 28)));
        parts.put("cpus", it -> it.limits(Limits.NONE.cpus(1)));
        parts.put("processes", it -> it.limits(Limits.NONE.processes(100)));
        parts.put("a hidden path that does not exist", it -> it.hidden(workspace.resolve("missing")));
        parts.put("a setting that does not exist", it -> it.set(backend().name() + ".no-such-setting", "x"));
        Set<String> one = new TreeSet<>();
        parts.forEach((name, part) ->
                one.addAll(refusedKeys(part.apply(Profile.builder(workspace)).build())));
        Profile all = Profile.builder(workspace)
                .limits(Limits.NONE.memoryBytes(1 << 28).cpus(1).processes(100))
                .hidden(workspace.resolve("missing"))
                .set(backend().name() + ".no-such-setting", "x")
                .build();
        Set<String> together = refusedKeys(all);
        assertTrue(together.containsAll(one), () -> "refused alone " + one + ", refused together " + together);
        String said = assertThrows(
                        ProfileNotSupportedException.class, () -> backends().open(all))
                .getMessage();
        together.forEach(key -> assertTrue(said.contains(key), () -> key + " is missing in: " + said));
    }

    private Set<String> refusedKeys(Profile profile) {
        Set<String> keys = new TreeSet<>();
        for (Refusal refusal : backends().verdicts(profile).get(0).refused()) {
            assertFalse(refusal.why().isBlank(), () -> "a refusal says why: " + refusal.key());
            keys.add(refusal.key());
        }
        return keys;
    }

    @Test
    void givesAReasonForWhatItClaims(@TempDir Path workspace) {
        available();
        profiles().forEach((name, profile) -> {
            Capabilities claimed =
                    backends().verdicts(profile.apply(workspace)).get(0).claimed();
            for (Reach reach : Reach.values()) {
                assertFalse(claimed.reason(reach).isBlank(), () -> name + ": " + reach + " has no reason");
            }
        });
    }

    @Test
    void startsACommandInTime(@TempDir Path workspace) throws Exception {
        Backends backends = available();
        for (Function<Path, Profile> each : profiles().values()) {
            Profile profile = each.apply(workspace);
            if (backends.verdicts(profile).get(0).holds()) {
                try (Sandbox sandbox = backends.open(profile)) {
                    assertTimeout(patience(), () -> sandbox.run(Command.of("sh", "-c", ":")));
                }
                return;
            }
        }
        Assumptions.abort("it refuses every profile");
    }

    /**
     * One container a profile and setting of the network, one test a probe. Ordinary work is tried once a profile.
     *
     * @return the tests
     */
    @TestFactory
    Stream<DynamicNode> holdsWhatItClaims() {
        Backends backends = available();
        return profiles().entrySet().stream()
                .flatMap(entry -> Stream.of(Network.values())
                        .map(network -> DynamicContainer.dynamicContainer(
                                entry.getKey() + ", network " + network,
                                Stream.of(network == Network.OFF ? everything : attacks)
                                        .flatMap(prover -> tried(
                                                prover,
                                                backends,
                                                workspace -> entry.getValue()
                                                        .apply(workspace)
                                                        .withNetwork(network))))));
    }

    private static Stream<DynamicNode> tried(Prover prover, Backends backends, Function<Path, Profile> profile) {
        List<DynamicNode> tests = new ArrayList<>();
        try {
            for (Evidence evidence : prover.prove(backends, profile).evidence()) {
                tests.add(DynamicTest.dynamicTest(evidence.probe(), () -> judge(evidence)));
            }
        } catch (ProfileNotSupportedException e) {
            List<Refusal> refused = e.verdicts().stream()
                    .map(Verdict::refused)
                    .flatMap(List::stream)
                    .toList();
            tests.add(DynamicTest.dynamicTest("is refused", () -> Assumptions.abort("it refuses " + refused)));
        } catch (SandboxException e) {
            tests.add(DynamicTest.dynamicTest("opens", () -> fail("a claim fell when the sandbox was opened", e)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            tests.add(DynamicTest.dynamicTest("is tried", () -> fail(e)));
        }
        return tests.stream();
    }

    private static void judge(Evidence evidence) {
        if (evidence.finding().isFailure()) {
            fail(evidence.toString());
        }
        if (evidence.finding() == Finding.NOT_PROBED) {
            Assumptions.abort(evidence.toString());
        }
    }
}
