package dev.stockade.backend.bwrap;

import dev.stockade.api.Availability;
import dev.stockade.api.Capabilities;
import dev.stockade.api.LaunchException;
import dev.stockade.api.LaunchException.Fault;
import dev.stockade.api.LaunchException.Phase;
import dev.stockade.api.Network;
import dev.stockade.api.Profile;
import dev.stockade.api.Reach;
import dev.stockade.api.spi.Assessment;
import dev.stockade.api.spi.Assessment.Refusal;
import dev.stockade.api.spi.Host;
import dev.stockade.api.spi.Planner;
import dev.stockade.linux.filter.Architecture;
import dev.stockade.linux.filter.Isolation;
import dev.stockade.linux.filter.SeccompFilter;
import dev.stockade.linux.filter.Sockets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Confines with bubblewrap: namespaces, a view of the files of its own, no capabilities, and a seccomp filter. */
public final class BwrapBackend implements Planner {

    /** For the service loader. */
    public BwrapBackend() {}

    @Override
    public String name() {
        return "bwrap";
    }

    @Override
    public boolean automatic() {
        return true;
    }

    @Override
    public Duration startCost() {
        return Duration.ofMillis(15);
    }

    @Override
    public Availability availability(Host host) {
        return Bwrap.availability(host);
    }

    @Override
    public Assessment assess(Profile profile, Host host) {
        List<Refusal> refused = new ArrayList<>();
        String why = "bubblewrap has no limits; leave it out, or use a backend that has, such as docker";
        profile.limits().memoryBytes().ifPresent(limit -> refused.add(new Refusal("limits.memory", why)));
        profile.limits().cpus().ifPresent(limit -> refused.add(new Refusal("limits.cpus", why)));
        profile.limits().processes().ifPresent(limit -> refused.add(new Refusal("limits.processes", why)));
        Bwrap.of(host).ifPresent(bwrap -> refused.addAll(programRefusals(bwrap, profile, host)));
        refused.addAll(BwrapView.of(profile, host).refused());
        return new Assessment(
                refused, capabilities(profile, Architecture.named(host.arch()).isPresent()));
    }

    private static List<Refusal> programRefusals(Bwrap bwrap, Profile profile, Host host) {
        List<Refusal> refused = new ArrayList<>();
        Path program = bwrap.program();
        boolean writable = program.startsWith(profile.workspace())
                || profile.grants().stream()
                        .anyMatch(grant -> grant.access() == Profile.Access.WRITE && program.startsWith(grant.path()));
        if (writable) {
            refused.add(new Refusal(
                    "writable",
                    program + " is what would confine the command, and lies where the command may write: install"
                            + " bubblewrap outside of it, or grant less"));
        }
        if (Bwrap.owner(profile, host).isPresent() && host.find("setpriv").isEmpty()) {
            refused.add(new Refusal(
                    "workspace",
                    "it belongs to another user, and there is no setpriv to become that user with: install util-linux,"
                            + " or start as the workspace's owner"));
        }
        return refused;
    }

    private static Capabilities capabilities(Profile profile, boolean filtered) {
        String view = "only the workspace, what the profile grants and a read-only operating system are mounted";
        Capabilities claims = Capabilities.EVERYTHING
                .closing(Reach.READ_BEYOND, view)
                .closing(Reach.WRITE_BEYOND, view)
                .closing(Reach.METADATA_BEYOND, "all mounts but the writable grants are read-only")
                .closing(Reach.SHARED_TMP, "/tmp is its own")
                .closing(Reach.SEE_PROCESSES, "a process namespace with a /proc of its own")
                .closing(Reach.SIGNAL_PROCESSES, "a process namespace of its own")
                .closing(
                        Reach.TYPE_INTO_TERMINAL,
                        filtered ? "the seccomp filter refuses TIOCSTI and TIOCLINUX" : "a session of its own")
                .closing(Reach.GAIN_PRIVILEGE, "no_new_privs, no capabilities, no further user namespaces")
                .closing(Reach.OUTLIVE_CALLER, "its process namespace ends with the run, or with the JVM");
        if (profile.network() == Network.ON) {
            return claims.opening(Reach.HOST_LOOPBACK, "the network is the host's")
                    .opening(Reach.HOST_UNIX_SOCKETS, "with the host's network come its abstract Unix sockets");
        }
        claims = claims.closing(Reach.HOST_LOOPBACK, "a network namespace with a loopback of its own");
        if (!filtered) {
            String missing = "there is no seccomp filter for this architecture";
            return claims.opening(Reach.SEND_OFF_MACHINE, missing + ": vsock stays open")
                    .opening(Reach.HOST_UNIX_SOCKETS, missing + ": sockets inside granted trees stay open");
        }
        claims = claims.closing(
                Reach.SEND_OFF_MACHINE,
                "a network namespace of its own; the seccomp filter refuses vsock and io_uring");
        return profile.network() == Network.OFF
                ? claims.closing(Reach.HOST_UNIX_SOCKETS, "the seccomp filter refuses Unix sockets")
                : claims.opening(
                        Reach.HOST_UNIX_SOCKETS, "a host program's socket inside a granted tree can be connected to");
    }

    @Override
    public Optional<JvmBoundary> jvmBoundary() {
        return Optional.of(Planner.restarting(this));
    }

    @Override
    public Plan prepare(Profile profile, Host host) {
        Bwrap bwrap = Bwrap.of(host)
                .orElseThrow(() -> new LaunchException(
                        Phase.PREPARE, Fault.HOST, "bubblewrap does not work here any more; see `stockade doctor`"));
        return new BwrapPlan(profile, host, bwrap, filter(profile.network(), host.arch()));
    }

    private static Optional<byte[]> filter(Network network, String arch) {
        Set<Isolation> isolated = EnumSet.of(Isolation.IPC, Isolation.PROCESSES, Isolation.FILES);
        if (network != Network.ON) {
            isolated.add(Isolation.NETWORK);
        }
        Sockets sockets = switch (network) {
            case OFF -> Sockets.OFF;
            case LOOPBACK -> Sockets.LOOPBACK;
            case ON -> Sockets.ON;
        };
        return Architecture.named(arch).map(architecture -> new SeccompFilter(sockets, isolated).program(architecture));
    }
}
