package dev.stockade.backend.docker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.stockade.api.Capabilities;
import dev.stockade.api.Command;
import dev.stockade.api.LaunchException;
import dev.stockade.api.Limits;
import dev.stockade.api.Network;
import dev.stockade.api.Profile;
import dev.stockade.api.Reach;
import dev.stockade.api.spi.Assessment;
import dev.stockade.api.spi.Assessment.Refusal;
import dev.stockade.api.spi.Launch;
import dev.stockade.api.spi.Planner.Purpose;
import dev.stockade.api.spi.Planner.Start;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What Docker is told, on whatever system this runs, without a daemon. */
class DockerPlanTest {

    private final PretendHost host = PretendHost.debian();

    private Profile.Builder profile() {
        return Profile.builder(host.directory("/home/u/project"));
    }

    private Setup setup(Profile.Builder profile) {
        return Setup.of(profile.build(), host, Engine.of(host).orElseThrow());
    }

    private Launch keeper(Profile.Builder profile) {
        Setup setup = setup(profile);
        Start start = new Start(
                host.files().getPath("/run/s/1"), Optional.of(host.files().getPath("/run/s/tmp")), Purpose.SUPERVISED);
        return new KeeperPlan(setup, "stockade-1-2-3").launch(KeeperPlan.keeper(setup.profile()), start);
    }

    private List<String> mounts(Profile.Builder profile) {
        List<String> argv = keeper(profile).argv();
        return java.util.stream.IntStream.range(0, argv.size())
                .filter(i -> argv.get(i).equals("--mount"))
                .mapToObj(i -> argv.get(i + 1))
                .skip(1)
                .toList();
    }

    private Assessment assess(Profile.Builder profile) {
        return new DockerBackend().assess(profile.build(), host);
    }

    private List<String> refused(Profile.Builder profile) {
        return assess(profile).refused().stream().map(Refusal::key).toList();
    }

    @Test
    @Tag("M15")
    @Tag("M07")
    void plansTheStrictProfile() {
        assertEquals(
                List.of(
                        "/usr/bin/docker",
                        "--config",
                        "/run/s/1",
                        "--host",
                        "unix:///run/docker.sock",
                        "run",
                        "--rm",
                        "-i",
                        "--init",
                        "--name",
                        "stockade-1-2-3",
                        "--pull",
                        "never",
                        "--log-driver",
                        "none",
                        "--no-healthcheck",
                        "--network",
                        "none",
                        "--ipc",
                        "private",
                        "--user",
                        "65534:65534",
                        "--cap-drop",
                        "ALL",
                        "--security-opt",
                        "no-new-privileges",
                        "--read-only",
                        "--security-opt",
                        "seccomp=/run/s/1/seccomp.json",
                        "--mount",
                        "type=bind,source=/run/s/tmp,target=/tmp",
                        "--mount",
                        "type=bind,source=/home/u/project,target=/home/u/project",
                        "--workdir",
                        "/",
                        "--entrypoint",
                        "sh",
                        "debian:stable-slim",
                        "-c",
                        KeeperPlan.KEEPER),
                keeper(profile()).argv());
        assertEquals(Map.of(), keeper(profile()).environment());
        assertTrue(keeper(profile()).clearsEnvironment());
        String filter = new String(keeper(profile()).files().get("seccomp.json"), StandardCharsets.UTF_8);
        assertTrue(filter.contains("SCMP_ACT_ERRNO"));
    }

    @Test
    @Tag("M07")
    void plansImageRuntimeNetworkAndLimits() {
        Limits limits = Limits.NONE.memoryBytes(64 << 20).cpus(0.5).processes(10);
        List<String> argv = keeper(profile()
                        .limits(limits)
                        .network(Network.ON)
                        .set("docker.image", "node:22")
                        .set("docker.runtime", "runsc"))
                .argv();
        String line = String.join(" ", argv);
        // The container's own two processes come on top of the command's.
        assertTrue(line.contains(" --memory 67108864 --memory-swap 67108864 --cpus 0.5 --pids-limit 12 "), line);
        assertTrue(line.contains(" --network bridge "), line);
        assertTrue(line.contains(" --runtime runsc "), line);
        assertTrue(line.contains(" node:22 "), line);
        assertFalse(line.contains("seccomp="), line);
    }

    @Test
    @Tag("M15")
    void quotesPathsAsTheClientReadsThem() {
        Path odd = host.directory("/home/u/a,b:c \"q\" ü=x");
        assertEquals(
                List.of("type=bind,\"source=/home/u/a,b:c \"\"q\"\" ü=x\",\"target=/home/u/a,b:c \"\"q\"\" ü=x\""),
                mounts(Profile.builder(odd)));
    }

    @Test
    @Tag("S08")
    @Tag("S09")
    void coversInsideAWritableTreeWhatIsReadOnlyOrHiddenAndPinsTheWayThere() {
        host.directory("/home/u/project/a/b/.git");
        host.directory("/home/u/project/secrets");
        host.file("/home/u/project/.env");
        Path workspace = host.files().getPath("/home/u/project");
        assertEquals(
                List.of(
                        "type=bind,source=/home/u/project,target=/home/u/project",
                        "type=bind,source=/run/s/1/empty,target=/home/u/project/.env,readonly,bind-nonrecursive",
                        "type=bind,source=/home/u/project/a,target=/home/u/project/a",
                        "type=bind,source=/home/u/project/a/b,target=/home/u/project/a/b",
                        "type=bind,source=/home/u/project/a/b/.git,target=/home/u/project/a/b/.git,readonly,"
                                + "bind-nonrecursive",
                        "type=tmpfs,target=/home/u/project/secrets,readonly,tmpfs-mode=0555"),
                mounts(profile()
                        .readable(workspace.resolve("a/b/.git"))
                        .hidden(workspace.resolve("secrets"))
                        .hidden(workspace.resolve(".env"))));
    }

    @Test
    @Tag("S08")
    void refusesToStartWhenACarveOutWasMoved() throws Exception {
        Path git = host.directory("/home/u/project/a/.git");
        Setup setup = setup(profile().readable(git));
        Files.delete(git);
        Files.delete(git.resolveSibling("../a").normalize());
        Files.createSymbolicLink(
                host.files().getPath("/home/u/project/a"), host.files().getPath("/etc"));
        Start start = new Start(host.files().getPath("/run/s/1"), Optional.empty(), Purpose.SUPERVISED);
        LaunchException moved = assertThrows(
                LaunchException.class,
                () -> new KeeperPlan(setup, "x").launch(KeeperPlan.keeper(setup.profile()), start));
        assertTrue(moved.getMessage().contains("was moved or replaced"));
    }

    @Test
    void refusesAProfileItCannotHoldAndNamesEveryPart() {
        Path workspace = host.files().getPath("/home/u/project");
        assertEquals(List.of(), refused(profile()));
        assertEquals(
                List.of(
                        "docker.image",
                        "docker.runtime",
                        "docker.reuse",
                        "reads",
                        "hidden",
                        "limits.memory",
                        "limits.cpus"),
                refused(profile()
                        .set("docker.image", "--privileged")
                        .set("docker.runtime", "-x")
                        .set("docker.reuse", "maybe")
                        .reads(Profile.Reads.HOST)
                        .hidden(workspace.resolve("missing"))
                        .limits(Limits.NONE.memoryBytes(1000).cpus(5))));
        assertEquals(List.of("writable"), refused(profile().writable(host.directory("/usr/bin"))));
        host.file("/run/docker.sock");
        assertEquals(
                List.of("readable"),
                refused(profile().network(Network.ON).readable(host.files().getPath("/run/docker.sock"))));
    }

    @Test
    void hidesTheSecretsOfAGrantedEtc() {
        host.file("/etc/shadow");
        host.file("/etc/hosts");
        assertEquals(
                List.of(
                        "type=bind,source=/etc,target=/etc,readonly,bind-nonrecursive",
                        "type=bind,source=/run/s/1/empty,target=/etc/shadow,readonly,bind-nonrecursive",
                        "type=bind,source=/home/u/project,target=/home/u/project"),
                mounts(profile().readable(host.files().getPath("/etc"))));
    }

    @Test
    @Tag("M09")
    void claimsNoMoreThanTheMechanismsHold() {
        Capabilities strict = assess(profile()).capabilities();
        assertFalse(strict.canReachNetwork());
        assertFalse(strict.reachesBeyondWorkspace());
        assertFalse(strict.can(Reach.OUTLIVE_CALLER));
        Capabilities loopback = assess(profile().network(Network.LOOPBACK)).capabilities();
        assertTrue(loopback.can(Reach.HOST_UNIX_SOCKETS));
        assertFalse(loopback.can(Reach.HOST_LOOPBACK));
        assertTrue(assess(profile().network(Network.ON)).capabilities().can(Reach.HOST_LOOPBACK));
        assertTrue(
                assess(profile().set("docker.runtime", "runsc")).capabilities().canReachNetwork());
        PretendHost unfiltered =
                PretendHost.printing(1000, 0, PretendHost.ENDPOINT + "engine|28|linux|4|true|true|true|[]\n");
        Profile profile = Profile.builder(unfiltered.directory("/w")).build();
        assertTrue(
                new DockerBackend().assess(profile, unfiltered).capabilities().canReachNetwork());
    }

    @Test
    @Tag("M15")
    void runsAsTheCallerOrAsUserZeroOfARootlessEngine() throws Exception {
        assertEquals(1000, setup(profile()).user().uid());
        PretendHost rootless = PretendHost.printing(
                1000,
                0,
                PretendHost.ENDPOINT
                        + "engine|28|linux|4|true|true|true|[\"name=seccomp,profile=builtin\",\"name=rootless\"]\n");
        Profile profile = Profile.builder(rootless.directory("/w")).build();
        assertEquals(
                new User(0, 0),
                Setup.of(profile, rootless, Engine.of(rootless).orElseThrow()).user());
        assertEquals(new User(65533, 65533), new User(65534, 65534).keeper());
    }

    @Test
    @Tag("M05")
    void frontsPassValuesInAFileOrByNameNeverAsArguments() {
        Launch launch = new FrontPlan(setup(profile()), "stockade-1-2-3")
                .launch(
                        Command.of("cmd", "-x").environment(Map.of("A", "s3cret one", "KEY", "s3cret\ntwo")),
                        new Start(host.files().getPath("/run/s/1"), Optional.empty(), Purpose.WRAPPED));
        assertFalse(launch.argv().toString().contains("s3cret"));
        assertEquals(Map.of("KEY", "s3cret\ntwo"), launch.environment());
        String file = new String(launch.files().get("environment"), StandardCharsets.UTF_8);
        assertTrue(file.contains("A=s3cret one\n"));
        assertFalse(file.contains("KEY"));
        List<String> argv = launch.argv();
        assertEquals(
                List.of(
                        "--env-file",
                        "/run/s/1/environment",
                        "--env",
                        "KEY",
                        "--user",
                        setup(profile()).user().toString(),
                        "--workdir",
                        "/home/u/project",
                        "stockade-1-2-3",
                        "cmd",
                        "-x"),
                argv.subList(argv.size() - 11, argv.size()));
    }
}
