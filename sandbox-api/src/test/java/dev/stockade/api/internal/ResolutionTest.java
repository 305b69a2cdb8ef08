package dev.stockade.api.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.stockade.api.Profile;
import dev.stockade.api.Profile.Access;
import dev.stockade.api.Profile.Grant;
import dev.stockade.api.Profile.Tmp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a profile's paths mean on this host. */
class ResolutionTest {

    @TempDir
    Path temporary;

    private Path workspace;
    private Path outside;

    @BeforeEach
    void makeTrees() throws IOException {
        workspace = Files.createDirectory(temporary.toRealPath().resolve("workspace"));
        outside = Files.createDirectory(temporary.toRealPath().resolve("outside"));
        Files.createDirectories(outside.resolve("data/below"));
    }

    private Resolution resolution(UnaryOperator<Profile.Builder> change) {
        return Resolution.of(change.apply(Profile.builder(workspace)).build());
    }

    private List<Grant> granted(UnaryOperator<Profile.Builder> change) {
        Resolution resolution = resolution(change);
        assertEquals(List.of(), resolution.refused());
        return resolution.profile().grants();
    }

    private void refuses(String key, UnaryOperator<Profile.Builder> change) {
        Resolution resolution = resolution(change);
        assertEquals(1, resolution.refused().size(), resolution::toString);
        assertEquals(key, resolution.refused().get(0).key());
        assertEquals(List.of(), resolution.profile().grants());
    }

    private static Path link(Path at, Path to) throws IOException {
        return Files.createSymbolicLink(at, to);
    }

    @Test
    @Tag("M04")
    @Tag("A06")
    void skipsAnExtraThatDoesNotExistAndSaysSo() {
        Path missing = outside.resolve("missing");
        Resolution resolution = resolution(profile -> profile.readable(missing).writable(outside.resolve("data")));
        assertEquals(
                List.of(new Grant(outside.resolve("data"), Access.WRITE)),
                resolution.profile().grants());
        assertEquals(List.of("readable: " + missing + " does not exist and was skipped"), resolution.notices());
        assertEquals(List.of(), resolution.refused());
    }

    @Test
    void neverSkipsARestriction() {
        Path missing = workspace.resolve("missing");
        Path gone = outside.resolve("gone");
        assertEquals(
                List.of(new Grant(gone, Access.HIDE), new Grant(missing, Access.READ)),
                granted(profile -> profile.readable(missing).hidden(gone)));
    }

    @Test
    void followsLinksThatNoCommandCouldMake() throws IOException {
        Path data = outside.resolve("data");
        link(outside.resolve("one"), Path.of("two"));
        link(outside.resolve("two"), outside.resolve("three"));
        link(outside.resolve("three"), Path.of("data/below/../../data"));
        assertEquals(List.of(new Grant(data, Access.READ)), granted(p -> p.readable(outside.resolve("one"))));
        assertEquals(
                List.of(new Grant(data.resolve("below"), Access.HIDE)),
                granted(p -> p.hidden(outside.resolve("two/below"))));
        link(outside.resolve("up"), Path.of("../../../../../../../../.." + data));
        assertEquals(List.of(new Grant(data, Access.WRITE)), granted(p -> p.writable(outside.resolve("up"))));
    }

    @Test
    void skipsLinksThatLeadNowhere() throws IOException {
        link(outside.resolve("dangling"), Path.of("nowhere"));
        link(outside.resolve("loop"), Path.of("pool"));
        link(outside.resolve("pool"), Path.of("loop"));
        // The kernel finds nothing behind what does not exist, not even its parent.
        link(outside.resolve("behind"), Path.of("nowhere/../data"));
        for (String name : new String[] {"dangling", "loop", "loop/below", "behind"}) {
            Resolution resolution = resolution(profile -> profile.readable(outside.resolve(name)));
            assertEquals(List.of(), resolution.profile().grants(), name);
            assertEquals(1, resolution.notices().size(), name);
        }
        assertEquals(
                List.of(new Grant(outside.resolve("nowhere"), Access.HIDE)),
                granted(profile -> profile.hidden(outside.resolve("dangling"))));
        refuses("hidden", profile -> profile.hidden(outside.resolve("loop")));
    }

    @Test
    @Tag("A08")
    void collapsesNamesOfOnePathToTheStricter() throws IOException {
        Path data = outside.resolve("data");
        Path alias = link(outside.resolve("alias"), data);
        assertEquals(
                List.of(new Grant(data, Access.WRITE)),
                granted(profile -> profile.writable(data, data.resolve("."), alias, alias.resolve("below/.."))));
        assertEquals(
                List.of(new Grant(data, Access.READ)),
                granted(profile -> profile.writable(data).readable(alias)));
        assertEquals(
                List.of(new Grant(data, Access.READ)),
                granted(profile -> profile.writable(alias).readable(data)));
        assertEquals(
                List.of(new Grant(data, Access.HIDE)),
                granted(profile -> profile.readable(alias).hidden(data)));
    }

    @Test
    void refusesLinksThatACommandCouldHaveMade() throws IOException {
        Path data = outside.resolve("data");
        Path planted = link(workspace.resolve("planted"), data);
        Files.createDirectories(workspace.resolve("deep/er"));
        link(workspace.resolve("deep/er/planted"), Path.of("../../../outside/data"));
        refuses("readable", profile -> profile.readable(planted));
        refuses("writable", profile -> profile.writable(planted));
        refuses("hidden", profile -> profile.hidden(planted));
        refuses("readable", profile -> profile.readable(planted.resolve("below")));
        refuses("readable", profile -> profile.readable(workspace.resolve("deep/er/planted")));
        assertEquals(List.of(new Grant(data, Access.READ)), granted(profile -> profile.readable(data)));
        String why = resolution(profile -> profile.readable(planted))
                .refused()
                .get(0)
                .why();
        assertTrue(why.contains(planted.toString()), why);
    }

    @Test
    void refusesThemAlsoBehindALinkOfTheUsersOwn() throws IOException {
        link(workspace.resolve("planted"), outside.resolve("data"));
        Path own = link(outside.resolve("own"), workspace.resolve("planted"));
        refuses("readable", profile -> profile.readable(own));
    }

    @Test
    void refusesThemInEveryTreeThatIsOrWasWritable() throws IOException {
        Path cache = Files.createDirectory(outside.resolve("cache"));
        Path planted = link(cache.resolve("planted"), outside.resolve("data"));
        Resolution resolution = resolution(profile -> profile.writable(cache).readable(planted));
        assertEquals("readable", resolution.refused().get(0).key());
        assertEquals(
                List.of(new Grant(outside.resolve("data"), Access.READ)),
                granted(profile -> profile.readable(planted)));
        Path earlier = link(workspace.resolve("earlier"), outside.resolve("data"));
        refuses("readable", profile -> profile.workspaceReadOnly().readable(earlier));
    }

    @Test
    void refusesLinksInASharedTmp() throws IOException {
        Path shared = Files.createTempDirectory(Path.of("/tmp"), "stockade-test");
        Path planted = link(shared.resolve("planted"), Path.of("/usr/share"));
        try {
            refuses("readable", profile -> profile.tmp(Tmp.SHARED).readable(planted));
            assertEquals(
                    List.of(new Grant(Path.of("/usr/share"), Access.READ)),
                    granted(profile -> profile.readable(planted)));
        } finally {
            Files.delete(planted);
            Files.delete(shared);
        }
    }

    @Test
    void refusesDoorsIntoTheKernel() throws IOException {
        for (String door : new String[] {"/proc", "/proc/1", "/proc/self/root/etc", "/dev/null", "/dev"}) {
            refuses("readable", profile -> profile.readable(Path.of(door)));
            refuses("writable", profile -> profile.writable(Path.of(door)));
        }
        refuses("writable", profile -> profile.writable(Path.of("/sys/kernel")));
        Path behind = link(outside.resolve("behind"), Path.of("/dev/null"));
        refuses("writable", profile -> profile.writable(behind));
        assertEquals(
                List.of(new Grant(Path.of("/sys/kernel"), Access.READ)),
                granted(profile -> profile.readable(Path.of("/sys/kernel"))));
        assertEquals(
                List.of(new Grant(Path.of("/proc"), Access.HIDE)),
                granted(profile -> profile.hidden(Path.of("/proc"))));
    }

    @Test
    void refusesTheRootUnderAnotherName() throws IOException {
        Path root = link(outside.resolve("root"), Path.of("/"));
        refuses("readable", profile -> profile.readable(root));
        refuses("writable", profile -> profile.writable(root));
        refuses("hidden", profile -> profile.hidden(root));
    }

    @Test
    void tightensTheWorkspaceUnderAnotherNameButNeverWidensOrHidesIt() throws IOException {
        Path alias = link(outside.resolve("alias"), workspace);
        assertEquals(
                Access.READ,
                resolution(profile -> profile.readable(alias)).profile().workspaceAccess());
        assertEquals(
                Access.READ,
                resolution(profile -> profile.workspaceReadOnly().writable(alias))
                        .profile()
                        .workspaceAccess());
        refuses("hidden", profile -> profile.hidden(alias));
    }

    @Test
    void refusesAWorkspaceThatIsNotTheOneItWas() throws IOException {
        Profile profile = Profile.builder(workspace).build();
        Files.delete(workspace);
        assertEquals("workspace", Resolution.of(profile).refused().get(0).key());
        link(workspace, outside);
        assertEquals("workspace", Resolution.of(profile).refused().get(0).key());
        Files.delete(workspace);
        Files.createFile(workspace);
        assertEquals("workspace", Resolution.of(profile).refused().get(0).key());
        Files.delete(workspace);
        Files.createDirectory(workspace);
        assertEquals(List.of(), Resolution.of(profile).refused());
    }
}
