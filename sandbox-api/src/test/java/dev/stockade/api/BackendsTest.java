package dev.stockade.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.stockade.api.Availability.Unavailable;
import dev.stockade.api.Backends.Verdict;
import dev.stockade.api.LaunchException.Fault;
import dev.stockade.api.LaunchException.Phase;
import dev.stockade.api.spi.Assessment.Refusal;
import dev.stockade.api.spi.Backend;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which backend is chosen, and what is said where none can be. */
class BackendsTest {

    private static final Capabilities NO_SOCKETS = FakeBackend.closing(Reach.SEND_OFF_MACHINE, Reach.HOST_UNIX_SOCKETS);

    @TempDir
    Path temporary;

    private Profile strict;
    private Profile online;

    @BeforeEach
    void makeProfiles() throws IOException {
        strict = Profile.builder(temporary).build();
        online = strict.withNetwork(Network.ON);
    }

    private static List<String> order(Profile profile, List<Backend> backends) {
        return Backends.of(backends.toArray(Backend[]::new)).verdicts(profile).stream()
                .map(Verdict::backend)
                .toList();
    }

    @Test
    @Tag("M01")
    void namesThoseThereAreWhereOneIsNot() {
        Backends backends = Backends.of(
                FakeBackend.called("zeta"), FakeBackend.called("alpha").onlyByName());
        assertEquals(List.of("alpha", "zeta"), backends.names());
        assertEquals(
                "there is no backend \"beta\"; installed are alpha, zeta",
                assertThrows(NoBackendException.class, () -> backends.only("beta"))
                        .getMessage());
        assertEquals(
                "there is no backend \"\"; none is installed",
                assertThrows(NoBackendException.class, () -> Backends.of().only(""))
                        .getMessage());
        assertEquals("alpha", backends.only("alpha").open(online).backend());
    }

    @Test
    void asksNoBackendThatCannotBeChosen() {
        Capabilities nothing = FakeBackend.closing(Reach.values());
        FakeBackend less =
                FakeBackend.called("less").costing(Duration.ofMillis(1)).claiming(FakeBackend.NO_NETWORK);
        FakeBackend all = FakeBackend.called("all").claiming(nothing);
        FakeBackend dear =
                FakeBackend.called("dear").costing(Duration.ofMinutes(1)).claiming(nothing);
        Backends backends = Backends.of(dear, less, all);
        assertTrue(backends.plan(strict, Command.of("true")).isPresent());
        assertTrue(less.wasAsked() && all.wasAsked());
        assertFalse(dear.wasAsked(), "closes no more, and costs more");
        assertTrue(backends.only("dear").plan(strict, Command.of("true")).isPresent());
        assertTrue(dear.wasAsked());
    }

    @Test
    void asksTheDearestWhereTheOthersDoNotStart() {
        FakeBackend all = FakeBackend.called("all")
                .claiming(FakeBackend.closing(Reach.values()))
                .failing((command, start) -> Optional.of(new LaunchException(Phase.CONFINE, Fault.HOST, "no")));
        FakeBackend dear = FakeBackend.called("dear").costing(Duration.ofMinutes(1));
        FakeBackend named = FakeBackend.called("named").onlyByName();
        assertEquals("dear", Backends.of(all, dear, named).open(online).backend());
        assertFalse(named.wasAsked());
    }

    private static String reason(Backends backends, String name) {
        return backends.availability().get(name) instanceof Unavailable none ? none.reason() : "available";
    }

    @Test
    @Tag("M01")
    void usesNeitherOfTwoWithOneName() {
        Backends backends =
                Backends.of(FakeBackend.called("same"), FakeBackend.called("same"), FakeBackend.called("own"));
        assertEquals(List.of("own"), backends.names());
        String why = reason(backends, "same");
        assertTrue(why.matches("several backends are called same: .*FakeBackend.*, .*FakeBackend.*"), why);
        NoBackendException failure = assertThrows(NoBackendException.class, () -> backends.only("same"));
        assertTrue(failure.getMessage().contains("several backends are called same"), failure.getMessage());
    }

    @Test
    void ranksWhatClosesMostThenWhatStartsCheaperThenByName() {
        List<Backend> backends = new ArrayList<>(List.of(
                FakeBackend.called("most").claiming(FakeBackend.NO_NETWORK.closing(Reach.SEE_PROCESSES, "x")),
                FakeBackend.called("cheap").claiming(FakeBackend.NO_NETWORK).costing(Duration.ZERO),
                FakeBackend.called("a").claiming(FakeBackend.NO_NETWORK),
                FakeBackend.called("b").claiming(FakeBackend.NO_NETWORK),
                FakeBackend.called("0-named")
                        .claiming(FakeBackend.closing(Reach.values()))
                        .onlyByName(),
                FakeBackend.called("0-absent").unavailable("not here", "Go there"),
                FakeBackend.called("0-refusing")
                        .claiming(FakeBackend.NO_NETWORK)
                        .refusing(new Refusal("tmp", "no"))));
        List<String> chosen = List.of("most", "cheap", "a", "b");
        for (int shuffle = 0; shuffle < 20; shuffle++) {
            Collections.shuffle(backends);
            assertEquals(chosen, order(strict, backends).subList(0, 4));
            assertEquals(7, order(strict, backends).size());
            assertEquals(order(strict, backends), order(strict, backends));
        }
    }

    @Test
    void takesOnlyTheOneThatIsNamed() {
        Backend strong = FakeBackend.called("strong").claiming(FakeBackend.closing(Reach.SHARED_TMP));
        Backend named = FakeBackend.called("named").onlyByName();
        try (Sandbox sandbox = Backends.of(strong, named).only("named").open(strict)) {
            assertEquals("named", sandbox.backend());
        }
        try (Sandbox sandbox = Backends.of(strong, named).open(online)) {
            assertEquals("strong", sandbox.backend());
        }
        assertThrows(NoBackendException.class, () -> Backends.of(named).open(strict));
    }

    @Test
    void holdsOffInPartOnlyWhereThatIsAgreedTo() {
        Backends backends = Backends.of(FakeBackend.called("partly").claiming(NO_SOCKETS));
        ProfileNotSupportedException failure =
                assertThrows(ProfileNotSupportedException.class, () -> backends.open(strict));
        assertEquals(
                "the profile cannot be held\n"
                        + "  partly refuses network: off is held only in part here: the command can still connect to servers"
                        + " on the host's loopback (nothing closes it here). To accept that, ask for partial",
                failure.getMessage());
        assertThrows(
                ProfileNotSupportedException.class,
                () -> backends.only("partly").open(strict));
        try (Sandbox sandbox = backends.partial().open(strict)) {
            assertTrue(sandbox.capabilities().canReachNetwork());
        }
        try (Sandbox sandbox = backends.open(strict.withNetwork(Network.LOOPBACK))) {
            assertEquals("partly", sandbox.backend());
        }
    }

    @Test
    void neverChoosesByItselfWhatClosesNothing() {
        Backends backends = Backends.of(FakeBackend.called("open"));
        assertThrows(ProfileNotSupportedException.class, () -> backends.open(strict));
        try (Sandbox sandbox = backends.only("open").open(strict)) {
            assertTrue(sandbox.capabilities().canReachNetwork());
        }
    }

    @Test
    void listsEveryPartThatIsRefusedAndWhoCouldHoldIt() {
        Backends backends = Backends.of(
                FakeBackend.called("picky")
                        .claiming(NO_SOCKETS)
                        .understanding(Map.of("image", "which"))
                        .refusing(new Refusal("limits.memory", "it has none"), new Refusal("tmp", "it has one only")),
                FakeBackend.called("able")
                        .claiming(FakeBackend.closing(Reach.values()))
                        .onlyByName(),
                FakeBackend.called("idle").onlyByName());
        Profile profile = strict.toBuilder().set("picky.imgae", "debian").build();
        ProfileNotSupportedException failure = assertThrows(
                ProfileNotSupportedException.class, () -> backends.only("picky").open(profile));
        assertEquals(
                "the profile cannot be held\n"
                        + "  picky refuses picky.imgae: there is no such setting; known are image\n"
                        + "  picky refuses limits.memory: it has none\n"
                        + "  picky refuses tmp: it has one only\n"
                        + "  picky refuses network: off is held only in part here: the command can still connect to servers"
                        + " on the host's loopback (nothing closes it here). To accept that, ask for partial\n"
                        + "  It could be held by able",
                failure.getMessage());
        assertEquals(3, failure.verdicts().size());
    }

    @Test
    @Tag("M21")
    void saysOfEachWhyItDoesNotWorkAndWhatToDo() {
        NoBackendException failure = assertThrows(
                NoBackendException.class,
                () -> Backends.of(
                                FakeBackend.called("one").unavailable("it is not installed", "Install it"),
                                FakeBackend.called("two").unavailable("the kernel is too old", "Use a newer one"),
                                FakeBackend.called("three").onlyByName())
                        .open(strict));
        assertEquals(
                "no sandbox works here\n  one: it is not installed. Install it\n"
                        + "  two: the kernel is too old. Use a newer one",
                failure.getMessage());
        assertEquals(
                "no sandbox works here\nno backend is installed that may be chosen without being named",
                assertThrows(NoBackendException.class, () -> Backends.of().open(strict))
                        .getMessage());
    }

    @Test
    void saysThatASettingHasNoEffect() {
        Backends backends = Backends.of(FakeBackend.called("fake"));
        Profile profile = online.toBuilder().set("dokcer.image", "debian").build();
        assertEquals(
                List.of("dokcer.image has no effect: no backend of that name is installed"), backends.notices(profile));
        try (Sandbox sandbox = backends.open(profile)) {
            assertEquals(backends.notices(profile), sandbox.notices());
        }
    }

    @Test
    void isNotBrokenByABackendThatBreaks() {
        Backends backends = Backends.of(
                FakeBackend.called("broken").breaking(new IllegalStateException("ouch")),
                FakeBackend.called("sound").claiming(FakeBackend.closing(Reach.SHARED_TMP)));
        assertTrue(reason(backends, "broken").contains("ouch"));
        try (Sandbox sandbox = backends.open(online)) {
            assertEquals("sound", sandbox.backend());
        }
    }

    @Test
    @Tag("M19")
    void givesWayToTheNextWhereOneDoesNotStartAndSaysSo() {
        for (RuntimeException cause : List.of(
                new LaunchException(Phase.CONFINE, Fault.HOST, "no namespaces"),
                new IllegalStateException("no namespaces"))) {
            Backend first = FakeBackend.called("first")
                    .claiming(FakeBackend.closing(Reach.SHARED_TMP))
                    .failing((command, start) -> Optional.of(cause));
            Backend second = FakeBackend.called("second");
            try (Sandbox sandbox = Backends.of(first, second).open(online)) {
                assertEquals("second", sandbox.backend());
                assertEquals(1, sandbox.notices().size());
                assertTrue(sandbox.notices().get(0).startsWith("first was passed over: "), sandbox.notices()::toString);
                assertTrue(sandbox.notices().get(0).contains("no namespaces"), sandbox.notices()::toString);
            }
            assertThrows(
                    LaunchException.class,
                    () -> Backends.of(first, second).only("first").open(online));
            assertThrows(LaunchException.class, () -> Backends.of(first).open(online));
        }
    }

    @Test
    @Tag("M20")
    void stopsWhereAProofFalls() {
        Backend liar = FakeBackend.called("first").claiming(FakeBackend.closing(Reach.READ_BEYOND));
        LaunchException failure = assertThrows(
                LaunchException.class,
                () -> Backends.of(liar, FakeBackend.called("honest")).open(online));
        assertEquals(Phase.PROVE, failure.phase());
    }

    @Test
    @Tag("M20")
    void provesWhatTheBackendClaimsAlsoWhereTheProfileOpensMore() {
        Backend liar = FakeBackend.called("liar").claiming(FakeBackend.closing(Reach.READ_BEYOND));
        Profile wider = online.toBuilder().readable(Path.of("/usr/share")).build();
        assertThrows(LaunchException.class, () -> Backends.of(liar).open(wider));
        // The twin: one that does not claim to close reading is not asked to.
        try (Sandbox sandbox = Backends.of(FakeBackend.called("honest").claiming(FakeBackend.closing(Reach.SHARED_TMP)))
                .open(wider)) {
            assertTrue(sandbox.capabilities().can(Reach.READ_BEYOND));
        }
    }

    private Capabilities capabilities(Profile profile) {
        return Backends.of(FakeBackend.called("all").claiming(FakeBackend.closing(Reach.values())))
                .verdicts(profile)
                .get(0)
                .capabilities();
    }

    @Test
    @Tag("M10")
    void opensWhatTheProfileGrantsWhateverTheBackendClaims() throws IOException {
        assertFalse(capabilities(strict).reachesBeyondWorkspace());
        assertFalse(capabilities(strict).canReachNetwork());
        Path inside = Files.createDirectory(strict.workspace().resolve("inside"));
        assertFalse(capabilities(strict.toBuilder()
                        .readable(inside)
                        .hidden(Path.of("/usr/share"))
                        .build())
                .reachesBeyondWorkspace());
        Capabilities read = capabilities(strict.toBuilder()
                .readable(Path.of("/usr/share"), Path.of("/usr/lib"))
                .build());
        assertTrue(read.can(Reach.READ_BEYOND));
        assertFalse(read.can(Reach.WRITE_BEYOND));
        assertEquals("the profile grants /usr/lib, /usr/share", read.reason(Reach.READ_BEYOND));
        Capabilities write =
                capabilities(strict.toBuilder().writable(Path.of("/var/tmp")).build());
        assertEquals("the profile makes /var/tmp writable", write.reason(Reach.WRITE_BEYOND));
        assertTrue(write.can(Reach.READ_BEYOND));
        assertTrue(capabilities(strict.toBuilder().reads(Profile.Reads.HOST).build())
                .reachesBeyondWorkspace());
        assertTrue(
                capabilities(strict.toBuilder().tmp(Profile.Tmp.SHARED).build()).reachesBeyondWorkspace());
        assertTrue(capabilities(online).canReachNetwork());
    }

    @Test
    @Tag("M10")
    void takesAHostProgramThatRelaysForADoor() {
        Capabilities claims = FakeBackend.closing(Reach.values()).opening(Reach.HOST_UNIX_SOCKETS, "no filter");
        Capabilities all = Backends.of(FakeBackend.called("fake").claiming(claims))
                .verdicts(online)
                .get(0)
                .capabilities();
        assertTrue(all.can(Reach.READ_BEYOND) && all.can(Reach.WRITE_BEYOND) && all.can(Reach.METADATA_BEYOND));
    }

    @Test
    @Tag("A06")
    void refusesAWorkspaceThatIsGone() throws IOException {
        Path gone = Files.createDirectory(temporary.resolve("gone"));
        Profile profile = Profile.builder(gone).network(Network.ON).build();
        Files.delete(gone);
        ProfileNotSupportedException failure = assertThrows(
                ProfileNotSupportedException.class,
                () -> Backends.of(FakeBackend.called("fake")).open(profile));
        assertTrue(failure.getMessage().contains("refuses workspace"), failure.getMessage());
    }

    @Test
    @Tag("M08")
    @Tag("S17")
    void makesADerivedSandboxOnceAndClosesItWithItsRoot() {
        Sandbox root = Backends.of(FakeBackend.called("fake")).only("fake").open(strict);
        Sandbox derived = root.withNetwork(Network.ON);
        assertEquals(Network.ON, derived.profile().network());
        assertSame(derived, root.withNetwork(Network.ON));
        assertSame(root, root.withNetwork(Network.OFF));
        assertSame(root, derived.withNetwork(Network.OFF));
        assertSame(derived, derived.withNetwork(Network.OFF).withNetwork(Network.ON));
        derived.close();
        Sandbox again = root.withNetwork(Network.ON);
        assertNotSame(derived, again);
        Sandbox wider = again.withWritable(Path.of("/var/tmp"));
        assertEquals("the profile makes /var/tmp writable", wider.capabilities().reason(Reach.WRITE_BEYOND));
        root.close();
        for (Sandbox each : List.of(root, derived, again, wider)) {
            assertThrows(IllegalStateException.class, () -> each.run(Command.of("true")));
            assertThrows(IllegalStateException.class, () -> each.withNetwork(Network.LOOPBACK));
        }
    }
}
