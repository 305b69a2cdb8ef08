package dev.stockade.cli.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.stockade.api.Network;
import dev.stockade.api.Profile;
import dev.stockade.api.Reach;
import dev.stockade.api.spi.Host;
import dev.stockade.cli.trace.Target.Address;
import dev.stockade.cli.trace.Target.Family;
import dev.stockade.cli.trace.Target.File;
import dev.stockade.cli.trace.Target.UnixSocket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JudgeTest {

    @TempDir
    Path place;

    private Profile profile() throws IOException {
        return Profile.builder(Files.createDirectories(place.toRealPath().resolve("workspace")))
                .build();
    }

    private Verdict judge(Operation operation, Target target, boolean failed) throws IOException {
        Path around = target instanceof File file ? file.path() : Path.of("");
        Refusal refusal = new Refusal(operation, target, around, false, "ENOENT", 1, List.of("p"), 1, "");
        return new Judge(profile(), Host.local())
                .judge(List.of(refusal), failed)
                .get(0)
                .verdict();
    }

    @ParameterizedTest
    @Tag("S05")
    @ValueSource(
            strings = {
                ".ssh/id_ed25519",
                ".aws/credentials",
                ".gnupg",
                ".netrc",
                ".docker/config.json",
                ".kube/config",
                ".npmrc",
                ".pypirc",
                ".git-credentials",
                ".config/gh/hosts.yml",
                ".cargo/credentials.toml",
                ".m2/settings.xml",
                ".local/share/keyrings/login.keyring",
                ".config/gcloud/x",
                ".password-store/a",
                ".azure/x",
                ".config/hub"
            })
    void neverProposesACredential(String store) throws IOException {
        Path own = Host.local().home().resolve(store);
        assertInstanceOf(Verdict.Never.class, judge(Operation.READ, new File(own), true));
        Path others = Path.of("/home/somebody").resolve(store);
        assertInstanceOf(Verdict.Never.class, judge(Operation.READ, new File(others), true));
        Path harmless = Host.local().home().resolve("data/file");
        assertInstanceOf(Verdict.OpenPath.class, judge(Operation.READ, new File(harmless), true));
    }

    @ParameterizedTest
    @Tag("S05")
    @ValueSource(
            strings = {
                ".zsh/x",
                ".bashrc.d/x",
                ".oh-my-zsh/x",
                ".gradle/init.d/x",
                ".local/share/dbus-1/services/x",
                ".vscode/extensions/x",
                "go/bin/x",
                "node_modules/.bin/x",
                "project/.git/hooks/x"
            })
    void neverProposesToWriteWhatTheUsersOwnProgramsRunOrObey(String place) throws IOException {
        Path own = Host.local().home().resolve(place);
        assertInstanceOf(Verdict.Never.class, judge(Operation.WRITE, new File(own), true));
        Path harmless = Host.local().home().resolve("data/file");
        assertInstanceOf(Verdict.OpenPath.class, judge(Operation.WRITE, new File(harmless), true));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/etc/shadow",
                "/etc/ssh/ssh_host_ed25519_key",
                "/dev/sda",
                "/sys/kernel/x",
                "/home",
                "/run/x",
                "/"
            })
    void neverProposesWhatTheSystemKeeps(String path) throws IOException {
        assertInstanceOf(Verdict.Never.class, judge(Operation.READ, new File(Path.of(path)), true));
    }

    @Test
    @Tag("S10")
    void neverProposesAHostProgramsSocket() throws IOException {
        Target docker = new UnixSocket(Path.of("/var/run/docker.sock"));
        assertInstanceOf(Verdict.Never.class, judge(Operation.CONNECT, docker, true));
    }

    @Test
    void asksForNoMoreThanWasRefused() throws IOException {
        assertEquals(
                new Verdict.OpenNetwork(Reach.HOST_LOOPBACK),
                judge(Operation.CONNECT, new Address("127.0.0.1", 80), true));
        assertEquals(
                new Verdict.OpenNetwork(Reach.SEND_OFF_MACHINE),
                judge(Operation.CONNECT, new Address("192.0.2.1", 80), true));
        Path there = Files.createDirectories(place.toRealPath().resolve("there"));
        assertEquals(
                new Verdict.OpenPath(there, true),
                judge(Operation.WRITE, new File(there.resolve("new")), true),
                "a file that does not exist cannot be granted");
        assertInstanceOf(
                Verdict.Never.class,
                judge(Operation.WRITE, new File(place.toRealPath().resolve("new")), true));
    }

    @Test
    void setsAsideWhatProgramsDoWithout() throws IOException {
        Target file = new File(Path.of("/srv/x"));
        assertInstanceOf(Verdict.Aside.class, judge(Operation.READ, file, false));
        assertInstanceOf(Verdict.OpenPath.class, judge(Operation.READ, file, true));
        assertInstanceOf(Verdict.Aside.class, judge(Operation.SOCKET, new Family("AF_UNIX"), false));
    }

    @Test
    void tellsARefusalFromWhatFailsAnywhere() throws IOException {
        Path outside = Files.writeString(place.toRealPath().resolve("outside"), "x");
        HostView view = new HostView(profile());
        assertEquals(true, view.refuses(new Attempt(Operation.READ, new File(outside), false, "ENOENT")));
        Path nowhere = outside.resolveSibling("nowhere");
        assertEquals(false, view.refuses(new Attempt(Operation.READ, new File(nowhere), false, "ENOENT")));
        assertEquals(false, view.refuses(new Attempt(Operation.READ, new File(outside), false, "EINVAL")));
        assertEquals(true, view.refuses(new Attempt(Operation.WRITE, new File(nowhere), true, "ENOENT")));
        // It may have been made by the command after it was looked for.
        Path made = Files.writeString(profile().workspace().resolve("made"), "x");
        assertEquals(false, view.refuses(new Attempt(Operation.READ, new File(made), false, "ENOENT")));
        Path link = Files.createSymbolicLink(profile().workspace().resolve("link"), outside);
        assertEquals(true, view.refuses(new Attempt(Operation.READ, new File(link), false, "ENOENT")));
        assertEquals(outside, view.missing(link, false));
    }

    @Test
    void tellsAServerOfTheHostsFromNobody() throws IOException {
        HostView view = new HostView(profile());
        Attempt attempt;
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Target there = new Address("127.0.0.1", server.getLocalPort());
            attempt = new Attempt(Operation.CONNECT, there, false, "ECONNREFUSED");
            assertEquals(true, view.refuses(attempt));
            assertEquals(false, new HostView(profile().withNetwork(Network.ON)).refuses(attempt));
        }
        assertEquals(false, view.refuses(attempt));
    }
}
