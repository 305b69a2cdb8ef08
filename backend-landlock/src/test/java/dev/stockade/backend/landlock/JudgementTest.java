package dev.stockade.backend.landlock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.stockade.api.Capabilities;
import dev.stockade.api.Limits;
import dev.stockade.api.Network;
import dev.stockade.api.Profile;
import dev.stockade.api.Reach;
import dev.stockade.api.spi.Assessment;
import dev.stockade.linux.filter.Architecture;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is refused and what is claimed, without a kernel. */
class JudgementTest {

    @TempDir
    Path workspace;

    private Profile profile;

    @BeforeEach
    void strict() {
        profile = Profile.builder(workspace).build();
    }

    private static Facts facts(int abi, boolean filter, boolean root, boolean mounts) {
        return new Facts(
                LandlockAbi.reported(abi),
                filter ? Optional.of(Architecture.X86_64) : Optional.empty(),
                root,
                mounts,
                mounts);
    }

    private static final Facts USER = facts(7, true, false, false);
    private static final Facts ROOT = facts(7, true, true, true);

    private static Assessment judge(Profile profile, Facts facts) {
        return Judgement.of(profile, facts, FileSystems.getDefault());
    }

    private static List<String> refusedKeys(Profile profile, Facts facts) {
        return judge(profile, facts).refused().stream()
                .map(Assessment.Refusal::key)
                .toList();
    }

    @Test
    @Tag("M16")
    void refusesAKernelThatCannotHoldFilesUnlessThatIsAccepted() {
        for (int abi : new int[] {1, 2}) {
            Facts old = facts(abi, true, false, false);
            assertEquals(List.of("landlock.partial"), refusedKeys(profile, old));
            Profile accepting =
                    profile.toBuilder().set("landlock.partial", "warn").build();
            assertEquals(List.of(), refusedKeys(accepting, old));
            assertTrue(judge(accepting, old).capabilities().can(Reach.WRITE_BEYOND));
        }
        assertEquals(List.of(), refusedKeys(profile, facts(3, true, false, false)));
        assertFalse(judge(profile, facts(3, true, false, false)).capabilities().can(Reach.WRITE_BEYOND));
    }

    @Test
    @Tag("A05")
    void refusesEveryPartThatItCannotHold() {
        Profile limited = profile.toBuilder()
                .limits(Limits.NONE.memoryBytes(1 << 30).cpus(1).processes(10))
                .set("landlock.partial", "maybe")
                .build();
        assertEquals(
                List.of("limits.memory", "limits.cpus", "limits.processes", "landlock.partial"),
                refusedKeys(limited, USER));
    }

    @Test
    @Tag("S08")
    void refusesHolesInWritableTreesWhereThereIsNoMountNamespace() throws IOException {
        Path inside = Files.createDirectory(workspace.toRealPath().resolve("inside"));
        Profile carved = profile.toBuilder().readable(inside).build();
        Profile hiding = profile.toBuilder().hidden(inside).build();
        assertEquals(List.of("readable"), refusedKeys(carved, USER));
        assertEquals(List.of("hidden"), refusedKeys(hiding, USER));
        assertEquals(List.of(), refusedKeys(carved, ROOT));
        assertEquals(List.of(), refusedKeys(hiding, ROOT));
        Files.delete(inside);
        assertEquals(List.of("readable"), refusedKeys(carved, ROOT), "nothing to mount on");
    }

    @Test
    @Tag("M09")
    void onlyOffWithAFilterEarnsCannotReachTheNetwork() {
        assertFalse(judge(profile, USER).capabilities().canReachNetwork());
        assertTrue(judge(profile, facts(7, false, false, false)).capabilities().canReachNetwork());
        assertTrue(judge(profile.withNetwork(Network.LOOPBACK), USER)
                .capabilities()
                .canReachNetwork());
        assertTrue(judge(profile.withNetwork(Network.ON), USER).capabilities().can(Reach.SEND_OFF_MACHINE));
        assertFalse(judge(profile.withNetwork(Network.LOOPBACK), facts(9, true, false, false))
                .capabilities()
                .canReachNetwork());
    }

    @ParameterizedTest
    @EnumSource(
            value = Network.class,
            names = {"LOOPBACK", "ON"})
    @Tag("S10")
    void openUnixSocketsReadAndWriteBeyondUntilTheKernelTellsThemApart(Network network) {
        Capabilities before = judge(profile.withNetwork(network), USER).capabilities();
        assertTrue(before.can(Reach.HOST_UNIX_SOCKETS));
        assertTrue(before.can(Reach.READ_BEYOND) && before.can(Reach.WRITE_BEYOND));
        Capabilities after = judge(profile.withNetwork(network), facts(9, true, false, false))
                .capabilities();
        assertFalse(after.can(Reach.HOST_UNIX_SOCKETS));
        assertFalse(after.can(Reach.READ_BEYOND) || after.can(Reach.WRITE_BEYOND));
    }

    @Test
    @Tag("A09")
    void withoutAFilterTheFileBoundaryStaysAndTheRestIsSaidToBeOpen() {
        Capabilities without = judge(profile, facts(9, false, false, false)).capabilities();
        assertFalse(without.can(Reach.READ_BEYOND));
        for (Reach open : List.of(
                Reach.SEND_OFF_MACHINE, Reach.TYPE_INTO_TERMINAL, Reach.GAIN_PRIVILEGE, Reach.SIGNAL_PROCESSES)) {
            assertTrue(without.can(open), open.toString());
        }
    }

    @Test
    void signalsAreKeptInFromAbi6() {
        assertFalse(judge(profile, USER).capabilities().can(Reach.SIGNAL_PROCESSES));
        assertTrue(judge(profile, facts(5, true, false, false)).capabilities().can(Reach.SIGNAL_PROCESSES));
    }

    @Test
    void metadataAndOutlivingAreNeverSaidToBeClosed() {
        for (Facts facts : List.of(USER, ROOT)) {
            Capabilities capabilities = judge(profile, facts).capabilities();
            assertTrue(capabilities.can(Reach.METADATA_BEYOND));
            assertTrue(capabilities.can(Reach.OUTLIVE_CALLER));
            assertTrue(capabilities.can(Reach.SEE_PROCESSES));
        }
    }
}
