package dev.stockade.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.stockade.api.Network;
import dev.stockade.api.Profile;
import dev.stockade.api.Profile.Access;
import dev.stockade.api.Profile.Reads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SourcesTest {

    @TempDir
    Path directory;

    private Given given = new Given(Path.of("build"), Path.of("build"), java.util.Map.of());

    @BeforeEach
    void makeHome() throws IOException {
        given = new Given(directory.toRealPath());
    }

    private Optional<Access> access(Loaded loaded, String inHome) {
        return loaded.profile().accessTo(given.home().resolve(inHome));
    }

    @Test
    @Tag("M03")
    void withoutAnyFileAllIsStrict() {
        Loaded loaded = given.configuration().load();
        assertEquals(Profile.builder(given.workspace()).build(), loaded.profile());
        assertEquals(Mode.REQUIRED, loaded.mode());
        assertEquals(Optional.empty(), loaded.backend());
        assertEquals(List.of(), loaded.files());
        assertEquals(List.of(), loaded.notices());
    }

    @Test
    @Tag("S04")
    void tildeIsTheHomeAndRelativePathsAreTheFilesOwn() {
        Given.directory(given.home().resolve("data"));
        given.ownFile("""
                [sandbox]
                writable = ["~/data"]
                readable = ["schemas", "../other"]
                hidden = ["~"]
                """);
        Loaded loaded = given.configuration().load();
        assertEquals(Optional.of(Access.WRITE), access(loaded, "data/x"));
        assertEquals(Optional.of(Access.READ), access(loaded, ".config/stockade/schemas/x"));
        assertEquals(Optional.of(Access.READ), access(loaded, ".config/other"));
        assertEquals(Optional.of(Access.HIDE), access(loaded, ".ssh"));
        assertEquals(Optional.of(Access.WRITE), access(loaded, "project/x"), "the workspace is named, too");
    }

    @Test
    void theUsersFileMayBeMovedByItsVariable() {
        Given.file(given.home().resolve("xdg/stockade/stockade.toml"), "[sandbox]\nreads = \"host\"\n");
        assertEquals(Reads.SYSTEM, given.configuration().load().profile().reads());
        given.with("XDG_CONFIG_HOME", given.home().resolve("xdg").toString());
        assertEquals(Reads.HOST, given.configuration().load().profile().reads());
    }

    /** Else what it hides or limits would be left out without a word. */
    @Test
    void aFileThatCannotBeLookedUpIsNoFileThatIsNotThere() throws Exception {
        Files.createDirectories(given.ownFile().getParent());
        Files.createSymbolicLink(given.ownFile(), given.home().resolve("gone.toml"));
        assertTrue(refusal().contains("is a link that leads nowhere"), refusal());
        Files.delete(given.ownFile());
        Files.createSymbolicLink(given.ownFile(), given.ownFile());
        assertTrue(refusal().contains("cannot be read"), refusal());
        Files.delete(given.ownFile());
        Files.createSymbolicLink(given.workspace().resolve("stockade.toml"), Path.of("stockade.toml"));
        assertTrue(refusal().contains("cannot be read"), refusal());
        Files.delete(given.workspace().resolve("stockade.toml"));
        given.with("XDG_CONFIG_HOME", "/dev/null");
        given.configuration().load();
    }

    private String refusal() {
        return String.valueOf(assertThrows(
                        ConfigurationException.class,
                        () -> given.configuration().load())
                .getMessage());
    }

    @Test
    void laterSourcesAreStronger() {
        given.ownFile("[sandbox]\nnetwork = \"loopback\"\ntimeout = \"1m\"\nreads = \"host\"\n");
        Path named = Given.file(given.home().resolve("named.toml"), "[sandbox]\nnetwork = \"off\"\ntimeout = \"2m\"\n");
        Loaded loaded = given.configuration().file(named).load();
        assertEquals(Network.OFF, loaded.profile().network());
        assertEquals(Optional.of(Duration.ofMinutes(2)), loaded.timeout());
        assertEquals(Reads.HOST, loaded.profile().reads());
        assertEquals(List.of(given.ownFile(), named), loaded.files());
        given.with("STOCKADE_NETWORK", "loopback");
        assertEquals(
                Network.LOOPBACK,
                given.configuration().file(named).load().profile().network());
        Loaded flagged = given.configuration()
                .file(named)
                .flag("--network", "network", "on")
                .load();
        assertEquals(Network.ON, flagged.profile().network());
    }

    @Test
    void profilesExtendOneAnotherAndInstalledOnes() {
        Given.directory(given.home().resolve("data"));
        given.ownFile("""
                [sandbox]
                profile = "ci"
                [profiles.ci]
                extends = "base"
                network = "off"
                [profiles.base]
                extends = "build"
                writable = ["~/data"]
                """);
        Loaded loaded = given.configuration().load();
        assertEquals(Reads.HOST, loaded.profile().reads(), "of build");
        assertEquals(Network.OFF, loaded.profile().network(), "of ci");
        assertEquals(Optional.of(Access.WRITE), access(loaded, "data"), "of base");
        assertEquals(Optional.of(Access.HIDE), access(loaded, ".ssh"), "of build");
        assertEquals("from " + given.ownFile(), given.configuration().profiles().get("ci"));
        assertTrue(given.configuration().profiles().containsKey("strict"));
        assertEquals(
                Reads.SYSTEM,
                given.configuration().profile("strict").load().profile().reads(),
                "a flag is stronger");
    }

    @Test
    @Tag("A06")
    void whatDoesNotExistIsSaidIfTheUserNamedIt() {
        given.ownFile("[sandbox]\nwritable = [\"~/nowhere\"]\nhidden = [\"~/neither\"]\n");
        assertEquals(
                List.of(given.ownFile() + ":2: writable " + given.home().resolve("nowhere")
                        + " does not exist and is skipped"),
                given.configuration().load().notices());
        assertEquals(
                List.of(),
                new Given(directory.resolve("other"))
                        .configuration()
                        .profile("build")
                        .load()
                        .notices());
        assertThrows(
                IllegalArgumentException.class,
                () -> Configuration.of(given.home().resolve("nowhere"), given));
    }

    @Test
    @Tag("A08")
    void twoWordsForOnePathAreOne() {
        given.ownFile("[sandbox]\nwritable = [\"~/data\", \"~/data/.\", \"~/x/../data\"]\n");
        assertEquals(1, given.configuration().load().profile().grants().size());
    }

    @Test
    @Tag("S08")
    void readOnlyTakesAwayAndNeverGives() {
        Given.directory(given.home().resolve("data/set"));
        given.ownFile("""
                [sandbox]
                read_only = ["~/data/set", "~/private", "~/project"]
                writable = ["~/data"]
                """);
        Loaded loaded = given.configuration().load();
        assertEquals(Optional.of(Access.READ), access(loaded, "data/set"));
        assertEquals(Optional.of(Access.WRITE), access(loaded, "data/other"));
        assertEquals(Optional.empty(), access(loaded, "private"));
        assertEquals(Access.READ, loaded.profile().workspaceAccess());
        assertTrue(
                loaded.notices().get(0).contains("private lies in nothing writable"),
                () -> loaded.notices().toString());
    }

    @Test
    void everyRuleKnowsWhereItComesFrom() {
        Given.directory(given.home().resolve(".m2/repository"));
        Given.directory(given.home().resolve("data"));
        given.ownFile("""
                [sandbox]
                profile = "build"
                writable = ["~/data"]
                env = ["TOKEN"]
                network_allow = [["npm", "ci"]]
                [sandbox.limits]
                memory = "1GiB"
                """);
        given.with("STOCKADE_SANDBOX", "on");
        given.projectFile("[sandbox]\nnetwork = \"off\"\nhidden = [\".env\"]\n");
        List<String> rules = given.configuration().flag("--image", "docker.image", "alpine").load().rules().stream()
                .map(Loaded.Rule::toString)
                .toList();
        Path home = given.home();
        for (String expected : List.of(
                "mode required: from the default",
                "writable " + home + "/.m2/repository: from profile build",
                "hidden " + home + "/.ssh: from profile build",
                "writable " + home + "/data: from " + given.ownFile() + ":3",
                "env TOKEN: from " + given.ownFile() + ":4",
                "env PATH: from profile build",
                "network on for npm ci: from " + given.ownFile() + ":5",
                "limits.memory 1073741824: from " + given.ownFile() + ":7",
                "network off: from " + given.workspace() + "/stockade.toml:2",
                "hidden " + given.workspace() + "/.env: from " + given.workspace() + "/stockade.toml:3",
                "docker.image alpine: from --image")) {
            assertTrue(rules.contains(expected), () -> expected + " is not in\n" + String.join("\n", rules));
        }
    }

    @Test
    void aFlagThatIsWrongIsToldWithTheRest() {
        given.ownFile("[sandbox]\nnetwork = \"of\"\n");
        ConfigurationException wrong = assertThrows(
                ConfigurationException.class,
                () -> given.configuration().flag("--rw", "writable", "").load());
        assertEquals(2, wrong.problems().size());
        assertEquals("--rw: a path is empty", wrong.problems().get(0).toString());
        assertThrows(IllegalArgumentException.class, () -> given.configuration().flag("--x", "docker.imge", "a"));
        assertThrows(IllegalArgumentException.class, () -> given.configuration().flag("--x", "network_allow", "a"));
    }

    @Test
    void aFileThatIsNoFileIsRefusedAndNotWaitedFor() throws IOException {
        Files.createDirectories(given.ownFile());
        String message = assertThrows(
                        ConfigurationException.class,
                        () -> given.configuration().load())
                .problems()
                .get(0)
                .message();
        assertEquals("is not a file", message);
        Files.delete(given.ownFile());
        Path missing = given.home().resolve("missing.toml");
        assertEquals(
                missing + ": does not exist",
                assertThrows(
                                ConfigurationException.class,
                                () -> given.configuration().file(missing).load())
                        .problems()
                        .get(0)
                        .toString());
        Files.write(given.ownFile(), new byte[] {'#', (byte) 0xff});
        assertThrows(ConfigurationException.class, () -> given.configuration().load());
        Files.write(given.ownFile(), new byte[(1 << 20) + 1]);
        assertThrows(ConfigurationException.class, () -> given.configuration().load());
        Files.write(given.ownFile(), new byte[0]);
        assertEquals(Mode.REQUIRED, given.configuration().load().mode());
    }

    @Test
    void namedFilesWithPatternCharactersAreStillFound() {
        Given.file(given.home().resolve("app/[id].tsx"), "");
        given.ownFile("[sandbox]\nreadable = [\"~/app/[id].tsx\"]\n");
        assertEquals(Optional.of(Access.READ), access(given.configuration().load(), "app/[id].tsx"));
    }

    @Test
    void thousandsOfPathsAreNoTrouble() {
        StringBuilder text = new StringBuilder("[sandbox]\nhidden = [\n");
        StringBuilder tight = new StringBuilder("[sandbox]\nread_only = [\n");
        for (int i = 0; i < 5_000; i++) {
            text.append("  \"~/many/").append(i).append("\",\n");
            tight.append("  \"many/").append(i).append("\",\n");
        }
        given.ownFile(text + "]\n");
        given.projectFile(tight + "]\n");
        long from = System.nanoTime();
        Loaded loaded = given.configuration().load();
        assertFalse(loaded.rules().isEmpty());
        Duration took = Duration.ofNanos(System.nanoTime() - from);
        assertEquals(10_000, loaded.profile().grants().size());
        assertTrue(took.compareTo(Duration.ofSeconds(5)) < 0, took::toString);
    }
}
