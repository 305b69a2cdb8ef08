package dev.stockade.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.stockade.api.Availability;
import dev.stockade.api.Profile;
import dev.stockade.api.Reach;
import dev.stockade.api.spi.Assessment;
import dev.stockade.api.spi.Assessment.Refusal;
import dev.stockade.api.spi.Backend;
import dev.stockade.api.spi.Host;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;

/** The kit catches backends that lie, and says which claim fell. */
class LyingBackendsTest {

    private static final Map<String, String> ONE_THAT_LIES_ABOUT_EVERYTHING = failures(OverClaiming.class);

    /** What failed, and what it said. */
    private static Map<String, String> failures(Class<? extends BackendContract> contract) {
        Map<String, String> failures = new TreeMap<>();
        EngineTestKit.engine("junit-jupiter").selectors(selectClass(contract)).execute().allEvents().finished().stream()
                .forEach(event -> {
                    TestExecutionResult result = event.getRequiredPayload(TestExecutionResult.class);
                    if (result.getStatus() == TestExecutionResult.Status.FAILED) {
                        String said =
                                result.getThrowable().map(Throwable::toString).orElse("");
                        failures.put(event.getTestDescriptor().getDisplayName(), said);
                    }
                });
        return failures;
    }

    static Stream<Arguments> lies() {
        return Stream.of(
                arguments("a leaky environment", "environment.caller", "a variable that was not named"),
                arguments("a leaky invocation", "environment.starter", "a variable that was not named"),
                arguments("a talkative argument list", "secrecy.arguments", "the value of a variable"),
                arguments("a leaky descriptor", "read.descriptor", "cannot read beyond the workspace"),
                arguments("an open UDP", "loopback.udp4", "cannot connect to servers on the host's loopback"),
                arguments("a writable home", "write.create", "cannot write beyond the workspace"),
                arguments("a surviving grandchild", "outlive.end", "cannot outlive its caller"),
                arguments("a hidden file that is seen", "hidden.read", "get around what the profile hides"),
                arguments("a swallowed status", "work.status", "can do ordinary work"),
                arguments("a file left behind", "traces.run", "leaves nothing behind"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("lies")
    void catches(String lie, String probe, String claim) {
        String said = ONE_THAT_LIES_ABOUT_EVERYTHING.getOrDefault(probe, "");
        assertTrue(said.contains("a claim fell: ") && said.contains(claim), () -> lie + ": " + said);
    }

    @ParameterizedTest
    @EnumSource
    void catchesEveryReachThatIsClaimedToBeClosedAndIsNot(Reach reach) {
        assertTrue(
                ONE_THAT_LIES_ABOUT_EVERYTHING.values().stream()
                        .anyMatch(said -> said.contains("a claim fell: the command cannot " + reach.phrase())),
                ONE_THAT_LIES_ABOUT_EVERYTHING::toString);
    }

    @Test
    void catchesOneThatCrashes() {
        Map<String, String> failures = failures(Crashing.class);
        assertTrue(failures.getOrDefault("saysInTimeWhetherItWorksHere()", "").contains("no such luck"));
    }

    @Test
    void catchesOneThatIsSlow() {
        Map<String, String> failures = failures(Slow.class);
        assertTrue(failures.getOrDefault("saysInTimeWhetherItWorksHere()", "").contains("exceeded"));
    }

    @Test
    void catchesOneThatNamesOnlyTheFirstPartItRefuses() {
        Map<String, String> failures = failures(Hasty.class);
        assertTrue(failures.getOrDefault("namesEveryPartThatItRefusesAtOnce(Path)", "")
                .contains("refused together"));
    }

    @Test
    void catchesOneThatChangesItsMind() {
        assertEquals(
                List.of("answersTwiceTheSameAboutAProfile(Path)"),
                failures(Fickle.class).keySet().stream()
                        .filter(name -> name.startsWith("answersTwice"))
                        .toList());
    }

    /** Without anything to try, for lies that show earlier. */
    abstract static class Asked extends BackendContract {
        @Override
        protected Map<String, Function<Path, Profile>> profiles() {
            return Map.of("plain", workspace -> Profile.builder(workspace).build());
        }
    }

    static final class OverClaiming extends Asked {
        @Override
        protected Backend backend() {
            return new Liar();
        }
    }

    static final class Crashing extends Asked {
        @Override
        protected Backend backend() {
            return new Liar() {
                @Override
                public Availability availability(Host host) {
                    throw new IllegalStateException("no such luck");
                }
            };
        }
    }

    static final class Slow extends Asked {
        @Override
        protected Backend backend() {
            return new Liar() {
                @Override
                public Availability availability(Host host) {
                    try {
                        Thread.sleep(200);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    return new Availability.Unavailable("I am slow", "Wait");
                }
            };
        }

        @Override
        protected Duration patience() {
            return Duration.ofMillis(100);
        }
    }

    static final class Hasty extends Asked {
        @Override
        protected Backend backend() {
            return new Liar() {
                @Override
                public Assessment assess(Profile profile, Host host) {
                    List<Refusal> refused = profile.limits().memoryBytes().isPresent()
                            ? List.of(new Refusal("limits.memory", "no"))
                            : profile.limits().cpus().isPresent()
                                    ? List.of(new Refusal("limits.cpus", "no"))
                                    : List.of();
                    return new Assessment(refused, super.assess(profile, host).capabilities());
                }
            };
        }

        @Override
        protected Map<String, Function<Path, Profile>> profiles() {
            return Map.of();
        }
    }

    static final class Fickle extends Asked {
        @Override
        protected Backend backend() {
            return new Liar() {
                @Override
                public Assessment assess(Profile profile, Host host) {
                    return new Assessment(
                            List.of(new Refusal("network", "at " + System.nanoTime() + " I feel like it")),
                            super.assess(profile, host).capabilities());
                }
            };
        }
    }
}
