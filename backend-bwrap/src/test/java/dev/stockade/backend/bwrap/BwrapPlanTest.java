package dev.stockade.backend.bwrap;

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
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What bubblewrap is told, without a bubblewrap. */
class BwrapPlanTest {

    private final PretendHost debian = PretendHost.debian();

    private static Profile.Builder profile(PretendHost host) {
        return Profile.builder(host.directory("/home/u/project"));
    }

    private static Launch launch(PretendHost host, Profile profile, Command command, Purpose purpose) {
        Path scratch = host.directory("/run/user/1000/stockade-1");
        return new BwrapBackend()
                .prepare(profile, host)
                .launch(command, new Start(scratch, Optional.of(host.directory("/run/user/1000/tmp")), purpose));
    }

    private static String arguments(PretendHost host, Profile profile) {
        return arguments(launch(host, profile, Command.of("true"), Purpose.SUPERVISED));
    }

    private static String arguments(Launch launch) {
        String fed = new String(launch.feeds().get(9), StandardCharsets.UTF_8);
        return fed.replace('\0', ' ').strip();
    }

    @Test
    @Tag("M13")
    @Tag("M14")
    void plansTheStrictProfile() {
        Launch launch = launch(debian, profile(debian).build(), Command.of("true", "a b"), Purpose.SUPERVISED);
        assertEquals(List.of("/usr/bin/bwrap", "--args", "9", "--", "true", "a b"), launch.argv());
        assertEquals(
                "--unshare-user --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try --unshare-net"
                        + " --disable-userns --cap-drop ALL --die-with-parent --new-session --json-status-fd 7 --seccomp 8"
                        + " --ro-bind /usr /usr --ro-bind /etc /etc"
                        + " --symlink usr/bin /bin --symlink usr/lib /lib --symlink usr/lib64 /lib64"
                        + " --bind /run/user/1000/tmp /tmp --tmpfs /var/tmp --proc /proc --remount-ro /proc --dev /dev"
                        + " --bind /home/u/project /home/u/project --remount-ro /"
                        + " --clearenv"
                        + " --setenv PATH /usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/run/current-system/sw/bin"
                        + " --setenv HOME /home/u/project --setenv TMPDIR /tmp --setenv TMP /tmp --setenv TEMP /tmp"
                        + " --chdir /home/u/project",
                arguments(launch));
        assertTrue(launch.clearsEnvironment());
        assertEquals(Map.of(), launch.environment());
    }

    @Test
    @Tag("M14")
    void bindsBinWhereItIsADirectoryAndWhatNixOsHas() {
        PretendHost old = new PretendHost(1000, "0.8.0", "x86_64");
        old.directory("/bin");
        old.directory("/lib");
        old.directory("/nix/store");
        old.link("/run/current-system", "/nix/store/system");
        String arguments = arguments(old, profile(old).build());
        assertTrue(arguments.contains("--ro-bind-try /bin /bin --ro-bind-try /lib /lib"), arguments);
        assertTrue(arguments.contains("--ro-bind /nix /nix"), arguments);
        assertTrue(arguments.contains("--symlink /nix/store/system /run/current-system"), arguments);
    }

    @Test
    @Tag("M14")
    void showsTheResolverWithTheNetworkOnOnly() {
        debian.file("/run/systemd/resolve/stub-resolv.conf");
        debian.link("/etc/resolv.conf", "../run/systemd/resolve/stub-resolv.conf");
        String bound = "--ro-bind-try /run/systemd/resolve/stub-resolv.conf /run/systemd/resolve/stub-resolv.conf";
        assertFalse(arguments(debian, profile(debian).build()).contains(bound));
        String online = arguments(debian, profile(debian).network(Network.ON).build());
        assertTrue(online.contains(bound), online);
        assertFalse(online.contains("--unshare-net"), online);
    }

    @Test
    @Tag("M13")
    void leavesDieWithParentOutWhereNobodyKnowsTheParent() {
        Profile profile = profile(debian).build();
        for (Purpose purpose : List.of(Purpose.WRAPPED, Purpose.HANDED_OVER)) {
            assertFalse(arguments(launch(debian, profile, Command.of("true"), purpose))
                    .contains("--die-with-parent"));
        }
    }

    @Test
    void keepsTheTerminalsSessionForAnAttachedCommandWhereTheFilterProtectsIt() {
        Profile profile = profile(debian).build();
        Command attached = Command.of("true").attached();
        assertFalse(
                arguments(launch(debian, profile, attached, Purpose.SUPERVISED)).contains("--new-session"));
        PretendHost other = new PretendHost(1000, "0.8.0", "riscv64");
        String arguments = arguments(launch(other, profile(other).build(), attached, Purpose.SUPERVISED));
        assertTrue(arguments.contains("--new-session"), arguments);
        assertFalse(arguments.contains("--seccomp"), arguments);
    }

    @Test
    @Tag("A09")
    void saysWhatStaysOpenWithoutAFilter() {
        PretendHost other = new PretendHost(1000, "0.8.0", "riscv64");
        Capabilities can =
                new BwrapBackend().assess(profile(other).build(), other).capabilities();
        assertTrue(can.canReachNetwork());
        assertTrue(can.reason(Reach.SEND_OFF_MACHINE).contains("no seccomp filter"));
        assertFalse(new BwrapBackend()
                .assess(profile(debian).build(), debian)
                .capabilities()
                .canReachNetwork());
    }

    @Test
    void worksWithAnOldBubblewrapButForWrapping() {
        PretendHost old = new PretendHost(1000, "0.4.1", "x86_64");
        old.variable("LANG", "C.UTF-8");
        Profile profile = profile(old).env("LANG").build();
        Launch launch = launch(old, profile, Command.of("true"), Purpose.SUPERVISED);
        String arguments = arguments(launch);
        assertFalse(arguments.contains("--clearenv"), arguments);
        assertFalse(arguments.contains("--disable-userns"), arguments);
        assertEquals("C.UTF-8", launch.environment().get("LANG"));
        assertFalse(launch.clearsEnvironment());
    }

    @Test
    void makesTheHomeAnewAroundWhatIsHiddenInIt() {
        debian.file("/home/u/.ssh/id");
        debian.file("/home/u/notes");
        debian.file("/home/u/.config/gh/token");
        debian.file("/home/u/.config/other");
        debian.link("/home/u/link", "/etc");
        Profile profile = profile(debian)
                .reads(Profile.Reads.HOST)
                .hidden(
                        debian.files().getPath("/home/u/.ssh"),
                        debian.files().getPath("/home/u/.aws"),
                        debian.files().getPath("/home/u/.config/gh"))
                .build();
        String arguments = arguments(debian, profile);
        assertTrue(
                arguments.contains("--tmpfs /home --tmpfs /home/u --tmpfs /home/u/.config"
                        + " --ro-bind-try /home/u/.config/other /home/u/.config/other --symlink /etc /home/u/link"
                        + " --ro-bind-try /home/u/notes /home/u/notes"),
                arguments);
        assertTrue(
                arguments.contains("--remount-ro /home/u/.config --remount-ro /home/u --remount-ro /home"), arguments);
        assertFalse(arguments.contains(".ssh"), arguments);
        assertFalse(arguments.contains("--ro-bind-try /run"), arguments);
    }

    @Test
    void makesEtcAnewForRoot() {
        PretendHost root = new PretendHost(0, "0.8.0", "x86_64");
        root.file("/etc/shadow");
        root.file("/etc/passwd");
        root.file("/etc/ssl/private/key");
        root.file("/etc/ssl/certs/ca");
        String arguments = arguments(root, profile(root).build());
        assertTrue(
                arguments.contains("--tmpfs /etc --ro-bind-try /etc/passwd /etc/passwd --tmpfs /etc/ssl"
                        + " --ro-bind-try /etc/ssl/certs /etc/ssl/certs"),
                arguments);
        assertFalse(arguments.contains("shadow"), arguments);
        assertFalse(arguments.contains("private"), arguments);
    }

    @Test
    @Tag("M05")
    void putsValuesIntoTheFeedOnly() {
        Command command = Command.of("true").environment(Map.of("TOKEN", "s3cret"));
        Launch launch = launch(debian, profile(debian).build(), command, Purpose.SUPERVISED);
        assertFalse(launch.toString().contains("s3cret"));
        assertFalse(launch.argv().toString().contains("s3cret"));
        assertTrue(arguments(launch).contains("--setenv TOKEN s3cret"));
    }

    @Test
    @Tag("M07")
    void refusesEveryLimitItCannotHoldAtOnce() {
        Limits limits = Limits.NONE.memoryBytes(1).cpus(1).processes(1);
        Assessment assessment =
                new BwrapBackend().assess(profile(debian).limits(limits).build(), debian);
        assertEquals(
                List.of("limits.memory", "limits.cpus", "limits.processes"),
                assessment.refused().stream().map(Refusal::key).toList());
    }

    @Test
    void refusesToBeConfinedByAProgramThatTheCommandCouldReplace() {
        Profile profile =
                profile(debian).writable(debian.files().getPath("/usr/bin")).build();
        assertEquals(
                List.of("writable"),
                new BwrapBackend()
                        .assess(profile, debian).refused().stream()
                                .map(Refusal::key)
                                .toList());
    }

    @Test
    @Tag("S14")
    void findsAMissingProgramBeforeAnythingStarts() {
        Profile profile = profile(debian).build();
        LaunchException failure = assertThrows(
                LaunchException.class, () -> launch(debian, profile, Command.of("missing"), Purpose.SUPERVISED));
        assertEquals(127, failure.exitStatus());
    }

    @Test
    @Tag("S20")
    @Tag("M21")
    void translatesComplaints() {
        for (Map.Entry<String, String> each : Map.of(
                        "bwrap: No permissions to create new namespace, likely because …",
                        "apparmor_restrict",
                        "bwrap: Creating new namespace failed: nesting depth or /proc/sys/user/max_*_namespaces exceeded",
                        "max_user_namespaces",
                        "bwrap: setting up uid map: Permission denied",
                        "AppArmor",
                        "bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted",
                        "loopback",
                        "bwrap: Can't mount proc on /newroot/proc: Operation not permitted",
                        "systempaths",
                        "bwrap: pivot_root: Invalid argument",
                        "initramfs",
                        "bwrap: Unknown option --disable-userns",
                        "too old")
                .entrySet()) {
            String sentence = BwrapAdvice.of(each.getKey()).orElseThrow().sentence();
            assertTrue(sentence.contains(each.getValue()), sentence);
        }
        assertTrue(BwrapAdvice.of("bwrap: something new").isEmpty());
    }

    @Test
    void decodesTheStatusChannel() {
        assertEquals(
                7,
                BwrapStatus.decode(7, "{ \"child-pid\": 9 }\n{ \"exit-code\": 7 }\n")
                        .orElseThrow()
                        .exitStatus());
        assertTrue(BwrapStatus.decode(1, "{ \"child-pid\": 9 }\n").isEmpty());
        assertTrue(BwrapStatus.decode(1, "").isEmpty());
        assertEquals(
                137,
                BwrapStatus.decode(137, "{ \"child-pid\": 9 }\n").orElseThrow().exitStatus());
    }

    @Test
    void readsVersions() {
        assertEquals(
                new BwrapVersion(0, 13, 1),
                BwrapVersion.parse("bubblewrap 0.13.1\n").orElseThrow());
        assertEquals(
                new BwrapVersion(1, 0, 0), BwrapVersion.parse("bubblewrap 1.0").orElseThrow());
        assertTrue(BwrapVersion.parse("something else").isEmpty());
        assertTrue(new BwrapVersion(0, 10, 0).compareTo(new BwrapVersion(0, 9, 9)) > 0);
    }
}
