package dev.stockade.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.stockade.api.Profile.Access;
import dev.stockade.api.Profile.Change;
import dev.stockade.api.Profile.Grant;
import dev.stockade.api.Profile.Reads;
import dev.stockade.api.Profile.Tmp;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Laws, tried on profiles over a file system so small that every path of it can be looked at. */
class ProfileAlgebraLawsTest {

    private static final List<Path> UNIVERSE = universe();

    private static List<Path> universe() {
        List<Path> all = new ArrayList<>();
        for (String top : List.of("/a", "/w", "/tmp", "/run", "/var")) {
            all.add(Path.of(top));
            for (String middle : top.equals("/var") ? List.of("tmp") : List.of("x", "y")) {
                all.add(Path.of(top, middle));
                all.add(Path.of(top, middle, "z"));
                all.add(Path.of(top, middle, "z", "deep"));
            }
        }
        return all;
    }

    @Provide
    Arbitrary<Profile> profiles() {
        Arbitrary<Path> path = Arbitraries.of(UNIVERSE);
        Arbitrary<List<Grant>> grants = Combinators.combine(path, Arbitraries.of(Access.class))
                .as(Grant::new)
                .list()
                .ofMaxSize(5);
        Arbitrary<Path> workspace = Arbitraries.of(Path.of("/w"), Path.of("/w"), Path.of("/w/x"), Path.of("/a/y"));
        Arbitrary<Limits> limits = Combinators.combine(
                        Arbitraries.of(0, 1, 2), Arbitraries.of(0, 1, 2), Arbitraries.of(0, 1, 2))
                .as(ProfileAlgebraLawsTest::limits);
        Arbitrary<Set<String>> names = Arbitraries.of("LANG", "CI").set();
        Arbitrary<List<String>> settings =
                Arbitraries.of("debian", "alpine").list().ofMaxSize(1);
        return Combinators.combine(
                        workspace,
                        Arbitraries.of(true, false),
                        Arbitraries.of(Reads.class),
                        grants,
                        Arbitraries.of(Network.class),
                        names,
                        Arbitraries.of(Tmp.class),
                        Combinators.combine(limits, settings).as(Rest::new))
                .as((where, readOnly, reads, granted, network, environment, tmp, rest) -> {
                    Profile.Builder words = new Profile.Builder(where);
                    for (Grant grant : granted) {
                        if (!grant.path().equals(where)) {
                            words.grant(grant.access(), grant.path());
                        }
                    }
                    if (readOnly) {
                        words.workspaceReadOnly();
                    }
                    rest.settings().forEach(image -> words.set("docker.image", image));
                    return words.reads(reads)
                            .network(network)
                            .env(environment.toArray(String[]::new))
                            .tmp(tmp)
                            .limits(rest.limits())
                            .build();
                });
    }

    private record Rest(Limits limits, List<String> settings) {}

    private static Limits limits(int memory, int cpus, int processes) {
        Limits limits = Limits.NONE;
        limits = memory == 0 ? limits : limits.memoryBytes(memory);
        limits = cpus == 0 ? limits : limits.cpus(cpus);
        return processes == 0 ? limits : limits.processes(processes);
    }

    /** What a backend shows unasked. */
    record World(Set<Path> system, boolean hostsTmp, boolean run) {

        Access access(Profile profile, Path path) {
            Stream<Grant> named = Stream.concat(
                    profile.grants().stream(), Stream.of(new Grant(profile.workspace(), profile.workspaceAccess())));
            return named.filter(grant -> path.startsWith(grant.path()))
                    .max(Comparator.comparingInt(grant -> grant.path().getNameCount()))
                    .map(Grant::access)
                    .orElseGet(() -> unnamed(profile, path));
        }

        private Access unnamed(Profile profile, Path path) {
            if (path.startsWith("/tmp")) {
                return profile.tmp() == Tmp.SHARED ? Access.WRITE : hostsTmp ? Access.READ : Access.HIDE;
            }
            if (path.startsWith("/run") || path.startsWith("/var/tmp")) {
                return run ? Access.READ : Access.HIDE;
            }
            return profile.reads() == Reads.HOST || system.stream().anyMatch(path::startsWith)
                    ? Access.READ
                    : Access.HIDE;
        }
    }

    @Provide
    Arbitrary<World> worlds() {
        return Combinators.combine(
                        Arbitraries.of(UNIVERSE).set().ofMaxSize(4),
                        Arbitraries.of(true, false),
                        Arbitraries.of(true, false))
                .as(World::new);
    }

    private static void assertNoPathGetsMore(Profile less, Profile more, World world) {
        for (Path path : UNIVERSE) {
            Access mine = world.access(less, path);
            Access others = world.access(more, path);
            assertTrue(mine.compareTo(others) <= 0, () -> path + " is " + mine + " and " + others + " in " + world);
        }
    }

    private static boolean shareAWorkspace(Profile a, Profile b) {
        return b.accessTo(a.workspace()).filter(access -> access != Access.HIDE).isPresent();
    }

    @Property
    void ofAProfileThatIsAtMostAnotherNoPathGetsMoreWhateverABackendShows(
            @ForAll("profiles") Profile a, @ForAll("profiles") Profile b, @ForAll("worlds") World world) {
        // Two profiles at random are seldom in order, so one is made that is.
        Profile less = shareAWorkspace(a, b) ? a.narrow(b) : a;
        for (Profile more : List.of(a, b)) {
            if (less.isAtMost(more)) {
                assertNoPathGetsMore(less, more, world);
            }
        }
        if (a.isAtMost(b)) {
            assertNoPathGetsMore(a, b, world);
        }
    }

    @Property
    void oneMoreWordIsJudgedRightly(
            @ForAll("profiles") Profile a, @ForAll("profiles") Profile other, @ForAll("worlds") World world) {
        for (Grant grant : other.grants()) {
            if (!grant.path().equals(a.workspace())) {
                Profile more = a.toBuilder().grant(grant.access(), grant.path()).build();
                if (more.isAtMost(a)) {
                    assertNoPathGetsMore(more, a, world);
                }
                if (a.isAtMost(more)) {
                    assertNoPathGetsMore(a, more, world);
                }
                boolean steady =
                        UNIVERSE.stream().allMatch(path -> a.accessTo(path).equals(more.accessTo(path)));
                assertTrue(!steady || a.isAtMost(more), "a word that changes nothing is not held against a profile");
            }
        }
    }

    @Property
    void narrowIsAtMostBoth(@ForAll("profiles") Profile a, @ForAll("profiles") Profile b) {
        if (shareAWorkspace(a, b)) {
            Profile less = a.narrow(b);
            assertTrue(less.isAtMost(a), () -> less + " of " + a);
            assertTrue(less.isAtMost(b), () -> less + " of " + b);
        }
    }

    @Property
    void narrowChangesNothingThatIsAtMostTheOtherAlready(@ForAll("profiles") Profile a, @ForAll("profiles") Profile b) {
        assertEquals(a, a.narrow(a));
        if (shareAWorkspace(a, b)) {
            Profile less = a.narrow(b);
            assertTrue(less.isAtMost(less.narrow(b)) && less.narrow(b).isAtMost(less));
        }
    }

    @Property
    void isAtMostIsAPartialOrderUpToWordsThatChangeNothing(
            @ForAll("profiles") Profile a, @ForAll("profiles") Profile b, @ForAll("profiles") Profile c) {
        assertTrue(a.isAtMost(a));
        List<Profile> some = new ArrayList<>(List.of(a, b, c));
        for (Profile one : List.of(a, b)) {
            if (shareAWorkspace(one, c)) {
                some.add(one.narrow(c));
            }
        }
        for (Profile x : some) {
            for (Profile y : some) {
                if (x.isAtMost(y) && y.isAtMost(x)) {
                    UNIVERSE.forEach(path -> assertEquals(x.accessTo(path), y.accessTo(path)));
                    assertTrue(x.diff(y).stream().noneMatch(Change::widens));
                }
                for (Profile z : some) {
                    assertTrue(!(x.isAtMost(y) && y.isAtMost(z)) || x.isAtMost(z), "transitive");
                }
            }
        }
    }

    @Property
    void diffIsEmptyExactlyIfEqualAndWidensExactlyIfNotAtMost(
            @ForAll("profiles") Profile a, @ForAll("profiles") Profile b) {
        assertEquals(a.equals(b), a.diff(b).isEmpty());
        assertEquals(List.of(), a.diff(a.toBuilder().build()));
        assertEquals(
                b.isAtMost(a),
                a.diff(b).stream().noneMatch(Change::widens),
                () -> a.diff(b).toString());
        if (shareAWorkspace(a, b)) {
            Profile less = a.narrow(b);
            assertTrue(
                    a.diff(less).stream().noneMatch(Change::widens),
                    () -> a.diff(less).toString());
        }
    }
}
