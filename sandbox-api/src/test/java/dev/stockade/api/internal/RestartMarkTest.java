package dev.stockade.api.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.stockade.api.Capabilities;
import dev.stockade.api.Network;
import dev.stockade.api.Profile;
import dev.stockade.api.Reach;
import dev.stockade.api.internal.RestartMark.Layer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RestartMarkTest {

    @TempDir
    Path workspace;

    @Test
    void isReadAsItWasWritten() {
        Capabilities capabilities = Capabilities.EVERYTHING
                .closing(Reach.READ_BEYOND, "closed by\nsomething")
                .opening(Reach.SHARED_TMP, "the profile says so");
        RestartMark mark = RestartMark.NONE
                .with(new Layer("d1", "landlock", capabilities, List.of("a notice", "another one")))
                .with(new Layer("d2", "landlock", Capabilities.EVERYTHING, List.of()));
        RestartMark read = RestartMark.parse(mark.text());
        assertEquals(mark.namespace(), read.namespace());
        assertEquals(2, read.layers().size());
        Layer first = read.layers().get(0);
        assertEquals("d1", first.digest());
        assertEquals(List.of("a notice", "another one"), first.notices());
        for (Reach reach : Reach.values()) {
            assertEquals(capabilities.can(reach), first.capabilities().can(reach));
        }
        assertEquals("closed by something", first.capabilities().reason(Reach.READ_BEYOND));
    }

    @Test
    void takesNothingElseForAMark() {
        assertEquals(RestartMark.NONE, RestartMark.parse(""));
        assertEquals(RestartMark.NONE, RestartMark.parse("--ro-bind\0/usr\0/usr"));
        assertEquals(RestartMark.NONE, RestartMark.find());
    }

    @Test
    void tellsProfilesApartButNotTheirVariables() {
        Profile profile = Profile.builder(workspace).build();
        String digest = RestartMark.digest(profile);
        assertEquals(
                digest, RestartMark.digest(profile.toBuilder().env("TMPDIR").build()));
        assertNotEquals(digest, RestartMark.digest(profile.withNetwork(Network.ON)));
        assertNotEquals(
                digest,
                RestartMark.digest(profile.toBuilder().readable(Path.of("/opt")).build()));
    }
}
