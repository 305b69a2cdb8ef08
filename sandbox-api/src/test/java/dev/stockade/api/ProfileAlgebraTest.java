package dev.stockade.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.stockade.api.Profile.Access;
import dev.stockade.api.Profile.Change;
import dev.stockade.api.Profile.Reads;
import dev.stockade.api.Profile.Tmp;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ProfileAlgebraTest {

    private static final Path WORKSPACE = Path.of("/w/project");

    private static Profile profile(UnaryOperator<Profile.Builder> words) {
        return words.apply(new Profile.Builder(WORKSPACE)).build();
    }

    private static final Profile STRICT = profile(words -> words);

    /** For each field a profile that differs from the strict one in this field alone, and allows more. */
    private static final Map<String, Profile> WIDER = Map.of(
            "workspace", new Profile.Builder(Path.of("/w")).build(),
            "workspaceAccess", STRICT,
            "reads", profile(words -> words.reads(Reads.HOST)),
            "grants", profile(words -> words.readable(Path.of("/data"))),
            "network", profile(words -> words.network(Network.LOOPBACK)),
            "environment", profile(words -> words.env("LANG")),
            "tmp", profile(words -> words.tmp(Tmp.SHARED)),
            "limits", STRICT,
            "settings", profile(words -> words.set("docker.image", "debian")));

    private static Profile narrowerIn(String field) {
        return switch (field) {
            case "workspaceAccess" -> profile(Profile.Builder::workspaceReadOnly);
            case "limits" -> profile(words -> words.limits(Limits.NONE.memoryBytes(1)));
            default -> STRICT;
        };
    }

    private static Set<String> fieldsOf(Class<?> type) {
        return Arrays.stream(type.getDeclaredFields())
                .filter(field -> !Modifier.isStatic(field.getModifiers()) && !field.isSynthetic())
                .map(Field::getName)
                .collect(Collectors.toSet());
    }

    @Test
    @Tag("S17")
    void noFieldIsForgotten() {
        assertEquals(fieldsOf(Profile.class), WIDER.keySet(), "a new field needs a place in ProfileAlgebra, and here");
        WIDER.forEach((field, wider) -> {
            Profile narrower = narrowerIn(field);
            assertTrue(narrower.isAtMost(wider), field);
            assertFalse(wider.isAtMost(narrower), field);
            assertEquals(narrower, narrower.narrow(wider), field);
            assertTrue(narrower.diff(wider).stream().anyMatch(Change::widens), field);
            assertTrue(wider.diff(narrower).stream().noneMatch(Change::widens), field);
            assertFalse(wider.diff(narrower).isEmpty(), field);
        });
    }

    @Test
    void noLimitIsForgotten() {
        Map<String, Limits> limited = Map.of(
                "memoryBytes", Limits.NONE.memoryBytes(5),
                "cpus", Limits.NONE.cpus(0.5),
                "processes", Limits.NONE.processes(5));
        assertEquals(fieldsOf(Limits.class), limited.keySet(), "a new limit needs a place in ProfileAlgebra, and here");
        limited.forEach((field, limits) -> {
            Profile narrower = profile(words -> words.limits(limits));
            assertTrue(narrower.isAtMost(STRICT), field);
            assertFalse(STRICT.isAtMost(narrower), field);
            assertEquals(narrower, STRICT.narrow(narrower), field);
            assertEquals(1, STRICT.diff(narrower).size(), field);
        });
    }

    @Test
    @Tag("S08")
    void theLongestNamedPathDecides() {
        Profile nested = profile(words ->
                words.writable(Path.of("/data")).readable(Path.of("/data/set")).hidden(Path.of("/data/set/key")));
        assertEquals(Optional.of(Access.WRITE), nested.accessTo(Path.of("/data/other")));
        assertEquals(Optional.of(Access.READ), nested.accessTo(Path.of("/data/set/a/b")));
        assertEquals(Optional.of(Access.HIDE), nested.accessTo(Path.of("/data/set/key/b")));
        assertEquals(Optional.of(Access.WRITE), nested.accessTo(WORKSPACE.resolve("a")));
        assertEquals(Optional.empty(), nested.accessTo(Path.of("/usr")), "the backend's to say");
        assertEquals(Optional.of(Access.WRITE), nested.accessTo(Path.of("/data/set/../other")));
    }

    @Test
    @Tag("S08")
    void aCarveOutCountsAsNarrowerAndItsLossAsWider() {
        Profile carved = profile(words -> words.readable(WORKSPACE.resolve(".git")));
        assertTrue(carved.isAtMost(STRICT));
        assertFalse(STRICT.isAtMost(carved));
    }

    @Test
    void whatIsGrantedBelowAHiddenPathIsSeen() {
        Profile hidden = profile(words -> words.reads(Reads.HOST).hidden(Path.of("/home/u")));
        Profile opened = hidden.toBuilder().readable(Path.of("/home/u/.m2")).build();
        assertFalse(opened.isAtMost(hidden));
        assertTrue(hidden.isAtMost(opened));
    }

    @Test
    void theHostsTmpIsNotTakenForThePrivateOne() {
        Profile all = profile(words -> words.reads(Reads.HOST));
        Profile named = all.toBuilder().readable(Path.of("/tmp/build")).build();
        assertFalse(named.isAtMost(all), "in a private /tmp there is no such directory");
        assertTrue(named.isAtMost(all.toBuilder().tmp(Tmp.SHARED).build()));
        assertFalse(all.toBuilder()
                .tmp(Tmp.SHARED)
                .build()
                .isAtMost(all.toBuilder()
                        .tmp(Tmp.SHARED)
                        .readable(Path.of("/tmp"))
                        .build()));
    }

    @Test
    void anotherImageIsNeitherNarrowerNorWider() {
        Profile one = profile(words -> words.set("docker.image", "debian"));
        Profile two = profile(words -> words.set("docker.image", "alpine"));
        assertFalse(one.isAtMost(two));
        assertFalse(two.isAtMost(one));
        assertEquals(STRICT, one.narrow(two));
    }

    @Test
    void narrowingKeepsTheWorkspaceOrSaysThatItCannot() {
        Profile elsewhere = new Profile.Builder(Path.of("/elsewhere")).build();
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, () -> STRICT.narrow(elsewhere));
        assertTrue(String.valueOf(refused.getMessage()).contains("/w/project"));
        Profile reading = elsewhere.toBuilder().reads(Reads.HOST).build();
        assertEquals(Access.READ, STRICT.narrow(reading).workspaceAccess());
    }

    @Test
    void changesAreSaidInTheWordsOfAConfigurationFile() {
        Profile other = profile(words -> words.workspaceReadOnly()
                .writable(Path.of("/data"))
                .network(Network.ON)
                .env("LANG")
                .limits(Limits.NONE.memoryBytes(1024)));
        assertEquals(
                List.of(
                        new Change("/data", "not named", "writable", true),
                        new Change("/w/project", "writable", "readable", false),
                        new Change("network", "off", "on", true),
                        new Change("env LANG", "not named", "passed on", true),
                        new Change("limits.memory", "none", "1024", false)),
                STRICT.diff(other));
    }
}
