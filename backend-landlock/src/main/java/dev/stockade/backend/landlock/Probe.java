package dev.stockade.backend.landlock;

import dev.stockade.api.Availability;
import dev.stockade.api.Availability.Available;
import dev.stockade.api.Availability.Unavailable;
import dev.stockade.api.Profile;
import dev.stockade.api.spi.Host;
import dev.stockade.linux.filter.Architecture;
import dev.stockade.posix.Errors;
import dev.stockade.posix.Linux;
import dev.stockade.posix.PosixSpawnerProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** What this machine and this JVM can do: looked up once. */
final class Probe {

    private static final class Found {
        static final int VERSION = new Kernel().version();
        static final boolean MOUNTS = Namespace.possible();
    }

    private Probe() {}

    static Availability availability(Host host) {
        if (!host.os().equals("linux")) {
            return new Unavailable("Landlock is a part of Linux", "choose another backend");
        }
        if (new PosixSpawnerProvider().availability() instanceof Unavailable spawner) {
            return spawner;
        }
        return answer(Found.VERSION, Architecture.named(host.arch()), host.arch());
    }

    /** What a kernel's answer means. */
    static Availability answer(int version, Optional<Architecture> filter, String arch) {
        if (version == -Linux.ENOSYS) {
            return new Unavailable(
                    "this kernel has no Landlock (ENOSYS)",
                    "use Linux 6.2 or newer, built with CONFIG_SECURITY_LANDLOCK; inside a container its seccomp profile"
                            + " may hide it");
        }
        if (version == -Linux.EOPNOTSUPP) {
            return new Unavailable(
                    "this kernel has Landlock, but it was not enabled at boot (EOPNOTSUPP)",
                    "add landlock to the kernel's lsm= argument, as in lsm=landlock,yama,apparmor");
        }
        if (version <= 0) {
            return new Unavailable(
                    "Landlock answers with " + Errors.text(-version), "see what denies landlock_create_ruleset here");
        }
        String newer = version > LandlockAbi.NEWEST ? ", used as " + LandlockAbi.NEWEST : "";
        String seccomp = filter.isPresent() ? ", seccomp filter for " + arch : ", no seccomp filter for " + arch;
        return new Available("Landlock ABI " + version + newer + seccomp);
    }

    static Facts facts(Host host) {
        boolean root = host.uid() == 0;
        boolean namespaces = root && Found.MOUNTS;
        return new Facts(
                LandlockAbi.reported(Found.VERSION),
                Architecture.named(host.arch()),
                root,
                namespaces,
                false,
                // namespaces(7): there where the kernel has them
                namespaces && Files.exists(Path.of("/proc/self/ns/net")));
    }

    /** What there is for a profile: whether a user namespace can be had is asked where only that would hold it. */
    static Facts facts(Profile profile, Host host) {
        Facts facts = facts(host);
        boolean helps = !facts.mounts()
                && !facts.root()
                && !Mounts.carveOuts(profile, host.files()).isEmpty();
        return helps && FrontJvm.canHaveNamespace(host)
                ? new Facts(facts.abi(), facts.filter(), false, false, true, false)
                : facts;
    }
}
