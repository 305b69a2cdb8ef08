package dev.stockade.api.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stockade.api.Capabilities;
import dev.stockade.api.FakeBackend;
import dev.stockade.api.LaunchException;
import dev.stockade.api.LaunchException.Phase;
import dev.stockade.api.Outcome;
import dev.stockade.api.Profile;
import dev.stockade.api.Reach;
import dev.stockade.api.spi.Confinement;
import dev.stockade.api.spi.Host;
import dev.stockade.api.spi.Launch;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Confinements that claim what they do not hold are caught, each by its own canary. */
class ProofTest {

    private static final Host HOST = LocalHost.INSTANCE;

    @TempDir
    Path temporary;

    private Profile profile;
    private Path canary;

    @BeforeEach
    void plant() throws Exception {
        profile = Profile.builder(Files.createDirectory(temporary.resolve("workspace")))
                .build();
        canary = Files.writeString(temporary.resolve("canary"), "sings\n");
    }

    private List<String> prove(Capabilities claims, UnaryOperator<Launch> how) throws InterruptedException {
        return prove(FakeBackend.called("fake").launching(how), claims, Duration.ofSeconds(20));
    }

    private List<String> prove(FakeBackend backend, Capabilities claims, Duration limit) throws InterruptedException {
        try (Confinement confinement = backend.confine(profile, HOST)) {
            return Proof.of(confinement, claims, profile.workspace(), canary, limit);
        }
    }

    private void caught(String message, Phase phase, Capabilities claims, UnaryOperator<Launch> how) {
        LaunchException failure = assertThrows(LaunchException.class, () -> prove(claims, how));
        assertTrue(failure.getMessage().contains(message), failure.getMessage());
        assertEquals(phase, failure.phase());
        assertEquals(125, failure.exitStatus());
    }

    private static Launch unconfined(Launch launch) {
        return launch;
    }

    /** A mechanism that is there, but not for what is looked at. */
    private static UnaryOperator<Launch> behind(String... front) {
        return launch -> {
            List<String> argv = new ArrayList<>(List.of(front));
            argv.addAll(launch.argv());
            return Launch.of(argv, launch.environment(), launch.directory());
        };
    }

    @Test
    @Tag("M20")
    void catchesAFileThatCanBeRead() throws Exception {
        caught(
                "a file outside can be read",
                Phase.PROVE,
                FakeBackend.closing(Reach.READ_BEYOND),
                ProofTest::unconfined);
        assertEquals(List.of(), prove(FakeBackend.closing(Reach.WRITE_BEYOND), ProofTest::unconfined));
        Files.delete(canary);
        assertEquals(List.of(), prove(FakeBackend.closing(Reach.READ_BEYOND), ProofTest::unconfined));
    }

    @Test
    @Tag("M20")
    void catchesAVariableThatLeaks() throws Exception {
        caught(
                "a variable that was not named is seen",
                Phase.PROVE,
                Capabilities.EVERYTHING,
                Launch::clearingEnvironment);
        assertEquals(
                List.of(),
                prove(
                        Capabilities.EVERYTHING,
                        launch -> behind("env", "-i", "PATH=/usr/bin:/bin")
                                .apply(launch)
                                .clearingEnvironment()));
    }

    @Test
    @Tag("M20")
    void catchesPrivilegeThatCanBeGained() throws Exception {
        assumeTrue(Files.isReadable(Path.of("/proc/self/status")), "there is no /proc");
        assumeTrue(HOST.find("setpriv").isPresent(), "there is no setpriv");
        Capabilities claims = FakeBackend.closing(Reach.GAIN_PRIVILEGE);
        boolean already = Files.readString(Path.of("/proc/self/status")).contains("NoNewPrivs:\t1");
        assumeTrue(!already, "this process itself can gain none");
        caught(
                HOST.uid() == 0 ? "it holds capabilities" : "privileges can be gained",
                Phase.PROVE,
                claims,
                ProofTest::unconfined);
        if (HOST.uid() == 0) {
            caught(
                    "privileges can be gained",
                    Phase.PROVE,
                    claims,
                    behind("setpriv", "--reuid=65534", "--clear-groups", "--regid=65534"));
            caught("it holds capabilities", Phase.PROVE, claims, behind("setpriv", "--no-new-privs"));
            assertEquals(
                    List.of(),
                    prove(
                            claims,
                            behind("setpriv", "--no-new-privs", "--reuid=65534", "--clear-groups", "--regid=65534")));
        } else {
            assertEquals(List.of(), prove(claims, behind("setpriv", "--no-new-privs")));
        }
    }

    @Test
    @Tag("M20")
    void catchesNamespacesThatAreTheHosts() {
        assumeTrue(Files.isSymbolicLink(Path.of("/proc/self/ns/net")), "there are no namespaces");
        caught(
                "it shares the network of the host",
                Phase.PROVE,
                FakeBackend.closing(Reach.HOST_LOOPBACK),
                ProofTest::unconfined);
        caught(
                "it shares the processes of the host",
                Phase.PROVE,
                FakeBackend.closing(Reach.SEE_PROCESSES),
                ProofTest::unconfined);
    }

    @Test
    @Tag("M19")
    void catchesAMechanismThatRunsNothing() {
        caught(
                "said to have run",
                Phase.PROVE,
                Capabilities.EVERYTHING,
                launch -> Launch.of(List.of("true"), launch.environment(), launch.directory()));
        caught(
                "said to have run",
                Phase.PROVE,
                FakeBackend.closing(Reach.values()),
                launch -> Launch.of(List.of("echo", "fine"), launch.environment(), launch.directory()));
    }

    @Test
    @Tag("M19")
    @Tag("M21")
    void turnsAFailureIntoAnError() {
        caught("exitStatus", Phase.CONFINE, Capabilities.EVERYTHING, launch -> {
            throw new LaunchException(Phase.CONFINE, LaunchException.Fault.HOST, "exitStatus");
        });
        caught(
                "no namespaces here",
                Phase.CONFINE,
                Capabilities.EVERYTHING,
                launch -> Launch.of(
                        List.of("sh", "-c", "echo no namespaces here >&2; exit 1"),
                        launch.environment(),
                        launch.directory()));
        caught(
                "a trial command failed",
                Phase.CONFINE,
                Capabilities.EVERYTHING,
                launch -> Launch.of(List.of("sh", "-c", "kill -9 $$"), launch.environment(), launch.directory()));
    }

    @Test
    @Tag("M19")
    @Timeout(60)
    void givesATrialThatHangsNoMoreThanItsTime() throws Exception {
        FakeBackend hanging = FakeBackend.called("fake")
                .launching(launch -> Launch.of(List.of("sleep", "600"), launch.environment(), launch.directory()));
        LaunchException failure = assertThrows(
                LaunchException.class, () -> prove(hanging, Capabilities.EVERYTHING, Duration.ofSeconds(1)));
        assertTrue(failure.getMessage().contains("did not end within 1 s"), failure.getMessage());
        assertEquals(Phase.CONFINE, failure.phase());
    }

    @Test
    @Timeout(60)
    void endsTheTrialOfAnInterruptedThread() throws Exception {
        String marker = "600." + ProcessHandle.current().pid();
        FakeBackend hanging = FakeBackend.called("fake")
                .launching(launch -> Launch.of(List.of("sleep", marker), launch.environment(), launch.directory()));
        Thread opening = new Thread(() -> assertThrows(
                InterruptedException.class, () -> prove(hanging, Capabilities.EVERYTHING, Duration.ofMinutes(10))));
        opening.start();
        while (sleepers().findAny().isEmpty()) {
            Thread.sleep(20);
        }
        opening.interrupt();
        opening.join();
        for (int attempt = 0; attempt < 100 && sleepers().findAny().isPresent(); attempt++) {
            Thread.sleep(20);
        }
        assertFalse(sleepers().findAny().isPresent());
    }

    private static Stream<ProcessHandle> sleepers() {
        return ProcessHandle.current()
                .descendants()
                .filter(process -> process.info()
                        .command()
                        .map(command -> command.endsWith("sleep") || command.endsWith("coreutils"))
                        .orElse(false));
    }

    @Test
    void saysWhereNothingCouldBeProven() throws Exception {
        List<String> said = List.of("not proven: there is no sh inside");
        assertEquals(said, prove(Capabilities.EVERYTHING, launch -> {
            throw LaunchException.notFound("sh", "an image without a shell");
        }));
        assertEquals(
                said,
                prove(
                        Capabilities.EVERYTHING,
                        launch ->
                                Launch.of(List.of("sh", "-c", "exit 127"), launch.environment(), launch.directory())));
    }

    @Test
    @Tag("M19")
    void keepsItsHeadWhateverTheChannelSays() {
        for (String garbage : new String[] {"\\377\\376", "{", "\\0\\0"}) {
            caught(
                    "makes no sense",
                    Phase.CONFINE,
                    Capabilities.EVERYTHING,
                    launch -> Launch.of(
                                    List.of("sh", "-c", "printf '" + garbage + "' >&3"),
                                    launch.environment(),
                                    launch.directory())
                            .status(
                                    3,
                                    (status, channel) -> Optional.of(new Outcome.Exited(Integer.parseInt(channel)))));
        }
    }
}
