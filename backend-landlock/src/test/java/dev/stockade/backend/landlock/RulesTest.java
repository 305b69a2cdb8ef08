package dev.stockade.backend.landlock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.stockade.api.Network;
import dev.stockade.api.Profile;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The plan alone; nothing is confined. */
class RulesTest {

    private static final long READ = LandlockAbi.EXECUTE | LandlockAbi.READ_FILE | LandlockAbi.READ_DIR;

    @TempDir
    Path directory;

    private Path workspace;
    private Path tree;

    @BeforeEach
    void makeDirectories() throws IOException {
        directory = directory.toRealPath();
        workspace = Files.createDirectory(directory.resolve("workspace"));
        tree = Files.createDirectory(directory.resolve("tree"));
        Files.createDirectories(tree.resolve("a/b"));
        Files.writeString(tree.resolve("a/file"), "");
        Files.createDirectory(tree.resolve("c"));
    }

    private Rules rules(Profile profile, int abi) {
        return Rules.of(profile, LandlockAbi.reported(abi), FileSystems.getDefault());
    }

    private long right(Rules rules, Path path) {
        return rules.allowed().getOrDefault(path, 0L);
    }

    @Test
    @Tag("M18")
    void everyVersionGrantsOnlyWhatItKnows() {
        for (int abi = 1; abi <= LandlockAbi.NEWEST; abi++) {
            Rules rules = rules(Profile.builder(workspace).build(), abi);
            long known = LandlockAbi.reported(abi).files();
            assertTrue(rules.allowed().values().stream().allMatch(right -> (right & ~known) == 0));
            assertEquals(READ, right(rules, Path.of("/usr")));
            assertEquals(0, right(rules, Path.of("/")));
            assertEquals(0, right(rules, Path.of("/dev")));
        }
    }

    @Test
    void whatIsWritableMayNotHoldDeviceNodesNorLeadToHostSockets() {
        long right = right(rules(Profile.builder(workspace).build(), LandlockAbi.NEWEST), workspace);
        assertEquals(0, right & LandlockAbi.MAKE_BLOCK);
        assertEquals(0, right & LandlockAbi.MAKE_CHAR);
        assertEquals(0, right & LandlockAbi.IOCTL_DEV);
        assertEquals(0, right & LandlockAbi.RESOLVE_UNIX);
        assertTrue((right & LandlockAbi.MAKE_REG) != 0 && (right & LandlockAbi.TRUNCATE) != 0);
    }

    @Test
    @Tag("S10")
    void aSocketIsReachedWhereItIsNamedItselfAndWasOneWhenTheSandboxWasOpened() throws IOException {
        Path socket = tree.resolve("socket");
        Profile named = Profile.builder(workspace)
                .writable(socket, tree.resolve("a/file"))
                .build();
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(socket));
            LandlockAbi abi = LandlockAbi.reported(LandlockAbi.NEWEST);
            assertTrue((right(rules(named, abi.version()), socket) & LandlockAbi.RESOLVE_UNIX) != 0);
            assertEquals(0, right(rules(named, 8), socket) & LandlockAbi.RESOLVE_UNIX);
            assertEquals(0, right(rules(named, abi.version()), tree.resolve("a/file")) & LandlockAbi.RESOLVE_UNIX);
            Rules replanned = Rules.of(named, abi, FileSystems.getDefault(), Set.of());
            assertEquals(0, right(replanned, socket) & LandlockAbi.RESOLVE_UNIX);
        }
    }

    @Test
    void aReadOnlyWorkspaceIsRead() {
        Profile profile = Profile.builder(workspace).workspaceReadOnly().build();
        assertEquals(READ, right(rules(profile, 7), workspace));
    }

    @Test
    void aRuleOnAFileHasNoRightsOfDirectories() {
        Profile profile =
                Profile.builder(workspace).writable(tree.resolve("a/file")).build();
        long right = right(rules(profile, 7), tree.resolve("a/file"));
        assertEquals(0, right & ~LandlockAbi.OF_FILES);
        assertTrue((right & LandlockAbi.WRITE_FILE) != 0);
    }

    @Test
    @Tag("S12")
    void aHoleIsLeftByGrantingWhatLiesBesideIt() {
        Profile profile = Profile.builder(workspace)
                .readable(tree)
                .hidden(tree.resolve("a/b"))
                .build();
        Rules rules = rules(profile, 7);
        assertEquals(0, right(rules, tree));
        assertEquals(0, right(rules, tree.resolve("a")));
        assertEquals(0, right(rules, tree.resolve("a/b")));
        assertEquals(LandlockAbi.EXECUTE | LandlockAbi.READ_FILE, right(rules, tree.resolve("a/file")));
        assertEquals(READ, right(rules, tree.resolve("c")));
        assertTrue(rules.opened().containsKey(tree) && rules.opened().containsKey(tree.resolve("a")));
        assertFalse(rules.opened().containsKey(tree.resolve("c")));
    }

    @Test
    void planIsStaleWhenAnOpenedDirectoryHasOtherEntries() throws Exception {
        Profile profile = Profile.builder(workspace)
                .readable(tree)
                .hidden(tree.resolve("a"))
                .build();
        Rules rules = rules(profile, 7);
        assertFalse(rules.stale());
        Files.setLastModifiedTime(tree, java.nio.file.attribute.FileTime.fromMillis(1));
        assertTrue(rules.stale());
    }

    @Test
    void portsAreDeniedWhereTheVersionCanUnlessTheNetworkIsOn() {
        Profile off = Profile.builder(workspace).build();
        assertEquals(0, rules(off, 3).handledPorts());
        assertEquals(0b11, rules(off, 7).handledPorts());
        assertEquals(0b1111, rules(off.withNetwork(Network.LOOPBACK), 10).handledPorts());
        assertEquals(0, rules(off.withNetwork(Network.ON), 10).handledPorts());
    }

    @Test
    void showsWhatCanBeExecuted() {
        Rules rules = rules(Profile.builder(workspace).build(), 7);
        assertTrue(rules.shows(Path.of("/usr/bin/env")));
        assertTrue(rules.shows(workspace.resolve("script")));
        assertFalse(rules.shows(tree.resolve("c/script")));
    }
}
