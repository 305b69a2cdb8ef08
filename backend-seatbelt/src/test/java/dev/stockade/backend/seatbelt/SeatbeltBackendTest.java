package dev.stockade.backend.seatbelt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.stockade.api.Availability;
import dev.stockade.api.Availability.Available;
import dev.stockade.api.Availability.Unavailable;
import dev.stockade.api.Capabilities;
import dev.stockade.api.Limits;
import dev.stockade.api.Network;
import dev.stockade.api.Profile;
import dev.stockade.api.Profile.Reads;
import dev.stockade.api.Reach;
import dev.stockade.api.spi.Assessment.Refusal;
import dev.stockade.api.spi.Backend;
import dev.stockade.api.spi.Host.Printed;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SeatbeltBackendTest {

    private final SeatbeltBackend backend = new SeatbeltBackend();
    private final FakeMac mac = FakeMac.fresh();

    private Profile.Builder strict() {
        return Profile.builder(mac.workspace());
    }

    private Capabilities claims(Profile.Builder profile) {
        return backend.assess(profile.build(), mac).capabilities();
    }

    @Test
    void saysThatItBelongsToAnotherSystem() {
        FakeMac linux = new FakeMac("linux", mac.files(), Map.of(), Optional.empty());
        Unavailable unavailable = assertInstanceOf(Unavailable.class, backend.availability(linux));
        assertTrue(
                unavailable.reason().contains("macOS") && unavailable.reason().contains("linux"));
    }

    @Test
    void isAvailableWhereATrialRunsAndSaysThatNobodyHasSeenIt() {
        Available available = assertInstanceOf(Available.class, backend.availability(mac));
        assertTrue(available.detail().contains("not yet run on macOS"));
    }

    @Test
    void saysWhyATrialFails() {
        Availability nested = backend.availability(
                mac.printing(Optional.of(new Printed(71, "sandbox_apply: Operation not permitted"))));
        assertTrue(assertInstanceOf(Unavailable.class, nested).remedy().contains("nest"));
        Availability old =
                backend.availability(mac.printing(Optional.of(new Printed(65, "sandbox-exec: unbound variable: x"))));
        assertTrue(assertInstanceOf(Unavailable.class, old).reason().contains("unbound variable: x"));
        assertInstanceOf(Unavailable.class, backend.availability(mac.printing(Optional.empty())));
    }

    @Test
    void missesSandboxExec() throws IOException {
        Files.delete(mac.path("/usr/bin/sandbox-exec"));
        Unavailable unavailable = assertInstanceOf(Unavailable.class, backend.availability(mac));
        assertTrue(unavailable.reason().contains("/usr/bin/sandbox-exec"));
    }

    /** Every operation that a profile can name is in the trial, so that an old macOS shows before a command is run. */
    @Test
    void theTrialNamesWhatProfilesName() {
        String trial = SeatbeltProfile.trial();
        assertFalse(new Evaluator(trial, Map.of()).allows(Act.read("/Users/me/notes.txt")));
        for (Reads reads : Reads.values()) {
            for (Network network : Network.values()) {
                Profile profile = strict().reads(reads).network(network).build();
                for (String word : SeatbeltProfile.of(profile, mac, true).text().split("[()\\s]+", -1)) {
                    if (word.matches("(file|network|mach|process|sysctl|system|ipc|user|signal)-.*")) {
                        assertTrue(trial.contains(word), word);
                    }
                }
            }
        }
    }

    @Test
    @Tag("S01")
    void claimsThatNothingIsReachedWhenTheNetworkIsOff() {
        assertFalse(claims(strict()).canReachNetwork());
        assertFalse(claims(strict().reads(Reads.HOST)).canReachNetwork());
        assertTrue(claims(strict().network(Network.LOOPBACK)).canReachNetwork());
        assertFalse(claims(strict().network(Network.LOOPBACK)).can(Reach.SEND_OFF_MACHINE));
        assertTrue(claims(strict().network(Network.ON)).can(Reach.SEND_OFF_MACHINE));
    }

    @Test
    void claimsTheFilesBeyondTheWorkspaceWhereReadsAreNotOpen() {
        assertFalse(claims(strict()).reachesBeyondWorkspace());
        assertTrue(claims(strict().reads(Reads.HOST)).can(Reach.READ_BEYOND));
        assertFalse(claims(strict().reads(Reads.HOST)).can(Reach.WRITE_BEYOND));
        assertTrue(claims(strict()).can(Reach.METADATA_BEYOND));
        assertTrue(claims(strict().tmp(Profile.Tmp.SHARED)).can(Reach.SHARED_TMP));
    }

    @Test
    @Tag("M07")
    void refusesLimits() {
        Profile profile = strict().limits(
                        Limits.NONE.memoryBytes(1 << 20).cpus(1).processes(3))
                .build();
        List<String> keys = backend.assess(profile, mac).refused().stream()
                .map(Refusal::key)
                .toList();
        assertEquals(List.of("limits.memory", "limits.cpus", "limits.processes"), keys);
        assertEquals(List.of(), backend.assess(strict().build(), mac).refused());
    }

    @Test
    @Tag("S08")
    @Tag("S09")
    void holdsRestrictionsOfPathsThatDoNotExist() {
        Profile profile = strict().hidden(mac.path(FakeMac.WORKSPACE + "/none/hidden"))
                .readable(mac.path(FakeMac.WORKSPACE + "/none/read"))
                .build();
        assertEquals(List.of(), backend.assess(profile, mac).refused());
    }

    @Test
    void isFoundAndChosenWithoutBeingNamed() {
        getClass().getModule().addUses(Backend.class);
        Stream<Backend> found = ServiceLoader.load(Backend.class).stream().map(ServiceLoader.Provider::get);
        assertTrue(found.anyMatch(one -> one instanceof SeatbeltBackend && one.automatic()));
    }
}
