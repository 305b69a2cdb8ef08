package dev.stockade.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.stockade.api.Backends;
import dev.stockade.api.Network;
import dev.stockade.api.Profile;
import dev.stockade.api.Profile.Access;
import dev.stockade.api.Profile.Reads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A repository is as little trusted as the commands that come with it. */
@Tag("S08")
class HostileRepositoryTest {

    @TempDir
    Path directory;

    private Given given = new Given(Path.of("build"), Path.of("build"), Map.of());

    @BeforeEach
    void makeHome() throws IOException {
        given = new Given(directory.toRealPath());
        Given.directory(given.home().resolve(".ssh"));
    }

    private Configuration configuration() {
        return given.configuration()
                .backends(Backends.of(new FakeBackend("docker", "image"), new FakeBackend("none", "x")));
    }

    private List<String> refused(Configuration configuration) {
        ConfigurationException refused = assertThrows(ConfigurationException.class, configuration::load);
        return refused.problems().stream()
                .map(problem -> problem.line() + ": " + problem.message().split(":", -1)[0])
                .toList();
    }

    @Test
    void gainsNothingAndIsToldSoWordByWord() {
        given.projectFile("""
                [sandbox]
                backend = "none"
                mode = "off"
                network = "on"
                network_allow = [["sh", "-c"]]
                network_allow_prefix = [["curl", "-s"]]
                reads = "host"
                readable = ["~/.ssh", "/etc/shadow"]
                writable = ["~", "/usr/local/bin"]
                env = ["AWS_SECRET_ACCESS_KEY"]
                tmp = "shared"
                [sandbox.docker]
                image = "evil"
                """);
        assertEquals(
                List.of(
                        "2: backend \"none\" is not allowed",
                        "3: mode \"off\" is not allowed",
                        "4: network \"on\" is not allowed",
                        "5: the network for \"sh -c\" is not allowed",
                        "6: the network for \"curl -s …\" is not allowed",
                        "7: reads \"host\" is not allowed",
                        "8: readable " + given.home() + "/.ssh is not allowed",
                        "8: readable /etc/shadow is not allowed",
                        "9: writable " + given.home() + " is not allowed",
                        "9: writable /usr/local/bin is not allowed",
                        "10: env \"AWS_SECRET_ACCESS_KEY\" is not allowed",
                        "11: tmp \"shared\" is not allowed",
                        "13: docker.image \"evil\" is not allowed"),
                refused(configuration()));
    }

    @Test
    void theReasonSaysWhatToDo() {
        given.projectFile("[sandbox]\nnetwork = \"on\"\n");
        assertEquals(
                given.workspace()
                        + "/stockade.toml:2:1: network \"on\" is not allowed: this file may only tighten, since it"
                        + " lies in the workspace; to allow it, say so in " + given.ownFile() + " or by a flag",
                assertThrows(ConfigurationException.class, () -> configuration().load())
                        .getMessage());
    }

    @Test
    void mayAskForWhatTheUserAllows() {
        Given.directory(given.home().resolve("data"));
        given.ownFile("""
                [sandbox]
                network = "loopback"
                network_allow = [["npm", "ci"]]
                writable = ["~/data"]
                env = ["CI"]
                timeout = "10m"
                mode = "auto"
                [sandbox.limits]
                memory = "4GiB"
                [sandbox.docker]
                image = "debian"
                """);
        given.projectFile("""
                [sandbox]
                network = "loopback"
                network_allow = [["npm", "ci"]]
                writable = ["~/data", "build"]
                readable = ["src"]
                hidden = [".env"]
                env = ["CI"]
                timeout = "5m"
                mode = "required"
                [sandbox.limits]
                memory = "1GiB"
                processes = 50
                [sandbox.docker]
                image = "debian"
                """);
        Loaded loaded = configuration().load();
        Profile profile = loaded.profile();
        assertEquals(Network.LOOPBACK, profile.network());
        assertEquals(1L << 30, profile.limits().memoryBytes().orElseThrow());
        assertEquals(50, profile.limits().processes().orElseThrow());
        assertEquals(
                Optional.of(Access.HIDE), profile.accessTo(given.workspace().resolve(".env")));
        assertEquals(
                Optional.of(Access.READ), profile.accessTo(given.workspace().resolve("src/a")));
        assertEquals(Optional.of(Access.WRITE), profile.accessTo(given.home().resolve("data")));
        assertEquals(Optional.of(Duration.ofMinutes(5)), loaded.timeout());
        assertEquals(Mode.REQUIRED, loaded.mode());
    }

    @Test
    void mayAskForWhatAFlagAllowsAndTheFlagStays() {
        given.projectFile("[sandbox]\nnetwork = \"off\"\nreads = \"system\"\n");
        given.ownFile("[sandbox]\nreads = \"host\"\n");
        Loaded loaded = configuration().flag("--network", "network", "on").load();
        assertEquals(Network.ON, loaded.profile().network());
        assertEquals(Reads.SYSTEM, loaded.profile().reads());
    }

    @Test
    void cannotRaiseALimitOrLengthenTheTime() {
        given.ownFile("[sandbox]\ntimeout = \"1m\"\n[sandbox.limits]\nmemory = \"1GiB\"\n");
        given.projectFile("[sandbox]\ntimeout = \"2m\"\n[sandbox.limits]\nmemory = \"2GiB\"\n");
        assertEquals(
                List.of("2: timeout PT2M is not allowed", "4: limits.memory 2147483648 is not allowed"),
                refused(configuration()));
    }

    @Test
    void aPlantedLinkIsSeenThrough() throws IOException {
        Files.createSymbolicLink(given.workspace().resolve("docs"), given.home().resolve(".ssh"));
        given.projectFile("[sandbox]\nreadable = [\"docs\"]\n");
        given.ownFile("[sandbox]\nprofile = \"read-only\"\n");
        assertEquals(
                List.of("2: readable " + given.workspace() + "/docs, which leads to " + given.home()
                        + "/.ssh is not allowed"),
                refused(configuration()));
    }

    @Test
    void aLinkToATrustedFileIsNotTrusted() throws IOException {
        Path wide = Given.file(given.home().resolve("wide.toml"), "[sandbox]\nnetwork = \"on\"\n");
        Files.createSymbolicLink(given.workspace().resolve("stockade.toml"), wide);
        assertEquals(List.of("2: network \"on\" is not allowed"), refused(configuration()));
        assertEquals(
                List.of("2: network \"on\" is not allowed"),
                refused(configuration().file(given.workspace().resolve("stockade.toml"))));
        Files.delete(given.workspace().resolve("stockade.toml"));
        assertEquals(Network.ON, configuration().file(wide).load().profile().network(), "named, and outside");
    }

    @Test
    void aFileAboveTheWorkspaceIsNotTrustedForBeingFound() {
        Given.file(given.home().resolve("stockade.toml"), "[sandbox]\nnetwork = \"on\"\n");
        assertEquals(List.of("2: network \"on\" is not allowed"), refused(configuration()));
        Loaded loaded =
                configuration().file(given.home().resolve("stockade.toml")).load();
        assertEquals(Network.ON, loaded.profile().network());
    }

    @Test
    void theUsersOwnFileIsNotTrustedWhereTheCommandCanWriteIt() {
        given.ownFile("[sandbox]\nnetwork = \"on\"\n");
        Configuration inHome = Configuration.of(given.home(), given);
        assertEquals(List.of("2: network \"on\" is not allowed"), refused(inHome));
        given.ownFile("[sandbox]\nwritable = [\"~/.config\"]\n");
        List<String> notices = configuration().load().notices();
        assertTrue(notices.get(0).contains("the command may write it"), notices::toString);
    }

    @Test
    void aFileThatEverybodyMayWriteIsNotTrusted() throws IOException {
        Path own = given.ownFile("[sandbox]\nnetwork = \"on\"\n");
        Files.setPosixFilePermissions(own, java.nio.file.attribute.PosixFilePermissions.fromString("rw-r--rw-"));
        assertEquals(List.of("2: network \"on\" is not allowed"), refused(configuration()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"build", "write-guard"})
    void cannotChooseAWiderProfile(String name) {
        given.projectFile("[sandbox]\nprofile = \"" + name + "\"\n");
        List<String> refused = refused(configuration());
        assertEquals(1, refused.size());
        assertTrue(
                refused.get(0).startsWith("2: profile \"" + name + "\" is not allowed, for it opens reads host"),
                refused::toString);
    }

    @Test
    void mayChooseANarrowerProfile() {
        given.ownFile("[sandbox]\nprofile = \"build\"\n");
        given.projectFile("[sandbox]\nprofile = \"read-only\"\n");
        Profile profile = configuration().load().profile();
        assertEquals(Access.READ, profile.workspaceAccess());
        assertEquals(Reads.SYSTEM, profile.reads());
        assertEquals(Network.OFF, profile.network());
        assertEquals(Optional.of(Access.HIDE), profile.accessTo(given.home().resolve(".ssh")), "still of build");
    }

    @Test
    void aProfileItDefinesOpensNothingEvenIfTheUserChoosesIt() {
        given.projectFile("""
                [profiles.ci]
                extends = "build"
                network = "on"
                """);
        List<String> refused = refused(configuration().profile("ci"));
        assertTrue(refused.get(0).startsWith("2: profile \"build\" is not allowed"), refused::toString);
        assertEquals("3: network \"on\" is not allowed", refused.get(1));
        given.projectFile("[profiles.ci]\nextends = \"read-only\"\n");
        assertEquals(Access.READ, configuration().profile("ci").load().profile().workspaceAccess());
        assertEquals(Access.WRITE, configuration().load().profile().workspaceAccess(), "unless it is not chosen");
    }

    @Test
    void cannotSlipAProfileUnderOneOfTheUsers() {
        given.ownFile("[sandbox]\nprofile = \"mine\"\n[profiles.mine]\nextends = \"theirs\"\n");
        given.projectFile("[profiles.theirs]\nnetwork = \"on\"\n");
        String message = assertThrows(
                        ConfigurationException.class, () -> configuration().load())
                .getMessage();
        assertTrue(String.valueOf(message).contains("is defined only in"), message);
        given.ownFile("[profiles.theirs]\nnetwork = \"off\"\n");
        message = assertThrows(
                        ConfigurationException.class, () -> configuration().load())
                .getMessage();
        assertTrue(String.valueOf(message).contains("defined by another file already"), message);
    }

    @Test
    void cannotHideTheWorkspaceOrBreakOutByNesting() {
        given.ownFile("[sandbox]\nhidden = [\"~/project/secret\"]\n");
        given.projectFile("[sandbox]\nreadable = [\"secret/a\", \"../project/secret\"]\nwritable = [\"secret\"]\n");
        assertEquals(3, refused(configuration()).size());
        given.projectFile("[sandbox]\nhidden = [\".\"]\n");
        assertEquals(List.of("2: the workspace " + given.workspace() + " cannot be hidden"), refused(configuration()));
    }
}
