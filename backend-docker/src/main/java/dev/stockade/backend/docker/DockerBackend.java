package dev.stockade.backend.docker;

import dev.stockade.api.Availability;
import dev.stockade.api.Capabilities;
import dev.stockade.api.LaunchException;
import dev.stockade.api.LaunchException.Fault;
import dev.stockade.api.LaunchException.Phase;
import dev.stockade.api.Limits;
import dev.stockade.api.Network;
import dev.stockade.api.Profile;
import dev.stockade.api.Profile.Access;
import dev.stockade.api.Reach;
import dev.stockade.api.spi.Assessment;
import dev.stockade.api.spi.Assessment.Refusal;
import dev.stockade.api.spi.Backend;
import dev.stockade.api.spi.Confinement;
import dev.stockade.api.spi.Host;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Confines in containers of a Docker engine on this machine: an image's operating system, the host's files only where the
 * profile grants them, no capabilities, limits, and a seccomp filter.
 */
public final class DockerBackend implements Backend {

    private static final long LEAST_MEMORY = 6L << 20;

    /** For the service loader. */
    public DockerBackend() {}

    @Override
    public String name() {
        return "docker";
    }

    @Override
    public boolean automatic() {
        return true;
    }

    @Override
    public Duration startCost() {
        return Duration.ofMillis(100);
    }

    @Override
    public Map<String, String> settings() {
        return Settings.help();
    }

    @Override
    public Availability availability(Host host) {
        return Engine.availability(host);
    }

    @Override
    public Assessment assess(Profile profile, Host host) {
        List<Refusal> refused = new ArrayList<>(Settings.refused(profile));
        Setup setup = Setup.of(profile, host, engine(host));
        refused.addAll(setup.view().refused());
        refused.addAll(limits(profile.limits(), setup.engine()));
        refused.addAll(doors(setup));
        if (setup.engine().remapsUsers()) {
            refused.add(new Refusal(
                    "workspace",
                    "the engine maps users (userns-remap), so that files would belong to nobody here: use a rootless"
                            + " engine, or one without the mapping"));
        }
        return new Assessment(refused, capabilities(setup));
    }

    private static List<Refusal> limits(Limits limits, Engine engine) {
        List<Refusal> refused = new ArrayList<>();
        String cannot = "the engine's kernel has no such limit (`docker info` warns of it): leave it out";
        limits.memoryBytes().ifPresent(bytes -> {
            if (!engine.limits().contains("memory")) {
                refused.add(new Refusal("limits.memory", cannot));
            } else if (bytes < LEAST_MEMORY) {
                refused.add(new Refusal("limits.memory", "a container needs 6 MB at least"));
            }
        });
        limits.cpus().ifPresent(share -> {
            if (!engine.limits().contains("cpus")) {
                refused.add(new Refusal("limits.cpus", cannot));
            } else if (share < 0.01 || share > engine.processors()) {
                refused.add(new Refusal("limits.cpus", "the engine allows 0.01 to " + engine.processors() + " here"));
            }
        });
        if (limits.processes().isPresent() && !engine.limits().contains("processes")) {
            refused.add(new Refusal("limits.processes", cannot));
        }
        return refused;
    }

    /** What a command must not get at, whatever it was granted: it would command the engine, which is root. */
    private static List<Refusal> doors(Setup setup) {
        List<Refusal> refused = new ArrayList<>();
        Path client = setup.engine().client();
        if (setup.view().allows(client, Access.WRITE)) {
            refused.add(new Refusal(
                    "writable",
                    client + " is what would confine the command, and lies where the command may write: install it"
                            + " outside of it, or grant less"));
        }
        Path socket = setup.engine().socket();
        boolean refusesSockets = setup.filter().isPresent() && setup.profile().network() == Network.OFF;
        if (setup.view().allows(socket, Access.READ) && !refusesSockets) {
            refused.add(new Refusal(
                    "readable",
                    "the engine's own socket " + socket + " lies in what is granted, and who can connect to it can do"
                            + " anything on this machine: hide it, grant less, or turn the network off"));
        }
        return refused;
    }

    private static Capabilities capabilities(Setup setup) {
        String view = "only the image, the workspace and what the profile grants are mounted";
        String kept = setup.settings().reuse() ? "; runs of one sandbox share it, and can see each other" : "";
        Capabilities claims = Capabilities.EVERYTHING
                .closing(Reach.READ_BEYOND, view)
                .closing(Reach.WRITE_BEYOND, view)
                .closing(Reach.METADATA_BEYOND, "all mounts but the writable grants are read-only")
                .closing(
                        Reach.SHARED_TMP,
                        "/tmp is the container's own"
                                + (setup.settings().reuse()
                                        ? ", emptied between runs; /dev/shm is, too, and is not emptied"
                                        : ""))
                .closing(Reach.SEE_PROCESSES, "a process namespace with a /proc of its own" + kept)
                .closing(Reach.SIGNAL_PROCESSES, "a process namespace of its own" + kept)
                .closing(Reach.TYPE_INTO_TERMINAL, "a terminal inside is one of the container's own")
                .closing(Reach.GAIN_PRIVILEGE, "no_new_privs, no capabilities, no further user namespaces")
                .closing(Reach.OUTLIVE_CALLER, "its container ends with the run, or with the JVM");
        if (setup.profile().network() == Network.ON) {
            return claims.opening(Reach.HOST_LOOPBACK, "the engine's network may lead to the host's own servers")
                    .opening(
                            Reach.HOST_UNIX_SOCKETS,
                            "a host program's socket inside a granted tree can be connected to");
        }
        claims = claims.closing(Reach.HOST_LOOPBACK, "a network namespace with a loopback of its own");
        if (setup.filter().isEmpty()) {
            String missing = setup.settings().runtime().isPresent()
                    ? "another runtime than the engine's own may install no seccomp filter"
                    : "there is no seccomp filter for this engine or architecture";
            return claims.opening(Reach.SEND_OFF_MACHINE, missing + ": vsock may be open")
                    .opening(Reach.HOST_UNIX_SOCKETS, missing + ": sockets inside granted trees may be open");
        }
        claims = claims.closing(
                Reach.SEND_OFF_MACHINE,
                "a network namespace of its own; the seccomp filter refuses vsock and io_uring");
        return setup.profile().network() == Network.OFF
                ? claims.closing(Reach.HOST_UNIX_SOCKETS, "the seccomp filter refuses Unix sockets")
                : claims.opening(
                        Reach.HOST_UNIX_SOCKETS, "a host program's socket inside a granted tree can be connected to");
    }

    @Override
    public Confinement confine(Profile profile, Host host) {
        Setup setup = Setup.of(profile, host, engine(host));
        Leftovers.sweep(setup);
        return new DockerConfinement(setup);
    }

    private static Engine engine(Host host) {
        return Engine.of(host)
                .orElseThrow(() -> new LaunchException(
                        Phase.PREPARE, Fault.HOST, "no Docker engine answers here any more; see `stockade doctor`"));
    }
}
