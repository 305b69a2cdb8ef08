package dev.stockade.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.stockade.api.spi.Assessment;
import dev.stockade.api.spi.Assessment.Refusal;
import dev.stockade.api.spi.Backend;
import dev.stockade.api.spi.Confinement;
import dev.stockade.api.spi.Host;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which backend confines a JVM, and when none does. */
class ThisJvmTest {

    @TempDir
    Path workspace;

    private Profile profile() {
        return Profile.builder(workspace).network(Network.ON).build();
    }

    /** Draws no boundary: it says that it was asked to, and fails. */
    private static final class Drawing implements Backend {

        private final String name;
        private final Duration cost;
        private final List<Refusal> refused;
        private final List<String> asked;

        Drawing(String name, Duration cost, List<Refusal> refused, List<String> asked) {
            this.name = name;
            this.cost = cost;
            this.refused = refused;
            this.asked = asked;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public boolean automatic() {
            return true;
        }

        @Override
        public Duration startCost() {
            return cost;
        }

        @Override
        public Availability availability(Host host) {
            return new Availability.Available("always");
        }

        @Override
        public Assessment assess(Profile profile, Host host) {
            return Assessment.holds(FakeBackend.NO_NETWORK);
        }

        @Override
        public Confinement confine(Profile profile, Host host) {
            throw new AssertionError("no command was asked for");
        }

        @Override
        public Optional<JvmBoundary> jvmBoundary() {
            return Optional.of(new JvmBoundary() {
                @Override
                public Assessment assess(Profile profile, Host host) {
                    return new Assessment(refused, Capabilities.EVERYTHING);
                }

                @Override
                public void confine(Profile profile, Host host, Optional<Path> scratch, Supplier<Jvm> jvm) {
                    asked.add(name);
                    throw new LaunchException(
                            LaunchException.Phase.CONFINE, LaunchException.Fault.HOST, "no kernel at hand");
                }

                @Override
                public List<String> prove(Profile profile, Host host) {
                    throw new AssertionError("nothing was drawn");
                }
            });
        }
    }

    @Test
    @Tag("A02")
    void refusesWhereNobodyConfinesARunningJvm() {
        ProfileNotSupportedException failure = assertThrows(
                ProfileNotSupportedException.class,
                () -> Backends.of(FakeBackend.called("fake")).confineThisJvm(profile()));
        assertTrue(
                failure.getMessage().contains("fake refuses this JVM: fake cannot confine a JVM that runs already"),
                failure.getMessage());
    }

    @Test
    @Tag("A05")
    void anUnsupportedSystemIsAnError() {
        Backends nothingHere = Backends.of(FakeBackend.called("one").unavailable("a part of Linux", "Use Linux"));
        assertEquals(
                "no sandbox works here\n  one: a part of Linux. Use Linux",
                assertThrows(NoBackendException.class, () -> nothingHere.confineThisJvm(profile()))
                        .getMessage());
    }

    @Test
    @Tag("A05")
    void takesTheOneThatDisturbsLeastOfThoseThatRefuseNothing() {
        List<String> asked = new ArrayList<>();
        Backend picky = new Drawing("picky", Duration.ZERO, List.of(new Refusal("network", "not that")), asked);
        Backend cheap = new Drawing("cheap", Duration.ofMillis(1), List.of(), asked);
        Backend dear = new Drawing("dear", Duration.ofMillis(2), List.of(), asked);
        Backends all = Backends.of(FakeBackend.called("fake"), dear, picky, cheap);
        assertThrows(LaunchException.class, () -> all.confineThisJvm(profile()));
        assertThrows(LaunchException.class, () -> all.only("dear").confineThisJvm(profile()));
        assertThrows(ProfileNotSupportedException.class, () -> all.only("picky").confineThisJvm(profile()));
        assertEquals(List.of("cheap", "dear"), asked);
    }

    @Test
    void offIsHeldInPartOnlyWhereThatIsAgreedTo() {
        List<String> asked = new ArrayList<>();
        Backends leaky = Backends.of(new Drawing("leaky", Duration.ZERO, List.of(), asked));
        Profile off = profile().withNetwork(Network.OFF);
        assertThrows(ProfileNotSupportedException.class, () -> leaky.confineThisJvm(off));
        assertEquals(List.of(), asked);
        assertThrows(LaunchException.class, () -> leaky.partial().confineThisJvm(off));
        assertEquals(List.of("leaky"), asked);
    }
}
