package dev.stockade.backend.landlock;

import dev.stockade.api.Capabilities;
import dev.stockade.api.Network;
import dev.stockade.api.Profile;
import dev.stockade.api.Profile.Access;
import dev.stockade.api.Profile.Grant;
import dev.stockade.api.Reach;
import dev.stockade.api.spi.Assessment;
import dev.stockade.api.spi.Assessment.Refusal;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.util.ArrayList;
import java.util.List;

/** What is refused, and what stays open, as a function of the profile and the facts. */
final class Judgement {

    static final String PARTIAL = "partial";
    static final String WARN = "warn";

    private final Profile profile;
    private final Facts facts;
    private final FileSystem files;
    private final List<Refusal> refused = new ArrayList<>();

    private Judgement(Profile profile, Facts facts, FileSystem files) {
        this.profile = profile;
        this.facts = facts;
        this.files = files;
    }

    static Assessment of(Profile profile, Facts facts, FileSystem files) {
        Judgement judgement = new Judgement(profile, facts, files);
        judgement.refuseLimits();
        judgement.refuseOldKernel();
        judgement.refuseCarveOuts();
        return new Assessment(judgement.refused, judgement.capabilities());
    }

    private void refuse(String key, String why) {
        refused.add(new Refusal(key, why));
    }

    private void refuseLimits() {
        String why = "Landlock limits no resources; docker can, or leave it out";
        profile.limits().memoryBytes().ifPresent(limit -> refuse("limits.memory", why));
        profile.limits().cpus().ifPresent(limit -> refuse("limits.cpus", why));
        profile.limits().processes().ifPresent(limit -> refuse("limits.processes", why));
    }

    private void refuseOldKernel() {
        String partial = profile.settings().getOrDefault("landlock." + PARTIAL, "refuse");
        if (!partial.equals(WARN) && !partial.equals("refuse")) {
            refuse("landlock." + PARTIAL, "it is \"refuse\" or \"" + WARN + "\", not \"" + partial + "\"");
        }
        if (facts.abi().version() < LandlockAbi.HOLDS_FILES && !partial.equals(WARN)) {
            refuse(
                    "landlock." + PARTIAL,
                    "this kernel's Landlock (ABI " + facts.abi().version()
                            + ") does not keep a command from emptying files outside (that takes ABI 3, Linux 6.2). To"
                            + " accept that, set landlock.partial to \"warn\"");
        }
    }

    private void refuseCarveOuts() {
        for (Grant grant : Mounts.carveOuts(profile, files)) {
            String key = grant.access() == Access.HIDE ? "hidden" : "readable";
            String what = grant.path() + (grant.access() == Access.HIDE ? " hidden" : " read-only")
                    + " inside a writable tree ";
            if (!facts.mounts()) {
                refuse(
                        key,
                        what + "takes a mount namespace, which this process may not make (Landlock's rules only add):"
                                + " bwrap can hold it, or run as root");
            } else if (!Files.exists(grant.path(), LinkOption.NOFOLLOW_LINKS)) {
                refuse(key, what + "cannot be held before it exists: create it, or leave it out");
            } else if (grant.access() == Access.HIDE && isReopened(grant)) {
                refuse(key, what + "cannot be held while the profile grants a path below it: leave one of both out");
            }
        }
    }

    private boolean isReopened(Grant hidden) {
        return profile.grants().stream()
                .anyMatch(grant -> grant.access() != Access.HIDE && grant.path().startsWith(hidden.path()));
    }

    private Capabilities capabilities() {
        Capabilities open = Capabilities.EVERYTHING;
        Capabilities all = beyond(network(open));
        all = profile.tmp() == Profile.Tmp.PRIVATE
                ? all.closing(Reach.SHARED_TMP, "temporary files go to a private directory; /tmp is not granted")
                : all;
        return processes(all);
    }

    private Capabilities network(Capabilities so) {
        Capabilities all = so;
        boolean off = profile.network() == Network.OFF;
        if (!facts.filters()) {
            String none = "there is no seccomp filter for this processor, and Landlock alone leaves sockets open";
            all = all.opening(Reach.SEND_OFF_MACHINE, none).opening(Reach.HOST_LOOPBACK, none);
        } else if (facts.ownNetwork(profile)) {
            String own = "a network of its own, with nothing in it but loopback";
            all = all.closing(Reach.SEND_OFF_MACHINE, own).closing(Reach.HOST_LOOPBACK, own);
        } else if (profile.network() != Network.ON) {
            String filter = "the seccomp filter refuses every socket that leads out, and io_uring";
            all = all.closing(Reach.SEND_OFF_MACHINE, filter).closing(Reach.HOST_LOOPBACK, filter);
        }
        if (off && facts.filters()) {
            return all.closing(Reach.HOST_UNIX_SOCKETS, "the seccomp filter refuses Unix sockets");
        }
        return facts.abi().deniesHostUnixSockets()
                ? all.closing(
                        Reach.HOST_UNIX_SOCKETS, "Landlock keeps Unix sockets, by path and abstract, within the run")
                : all.opening(
                        Reach.HOST_UNIX_SOCKETS,
                        "Unix sockets are open, and Landlock tells them apart from ABI 9 (Linux 7.1) only");
    }

    private Capabilities beyond(Capabilities all) {
        boolean relayed = all.can(Reach.HOST_UNIX_SOCKETS);
        Capabilities so = all.opening(
                Reach.METADATA_BEYOND,
                facts.mounts()
                        ? "paths that it can name can be looked up; to change mode, owner or times is refused, for"
                                + " everything is mounted read-only"
                        : "Landlock does not govern it: paths that it can name can be looked up, and mode, owner and"
                                + " times of this user's own files can be changed, anywhere");
        if (relayed) {
            String relay = "host programs behind Unix sockets may do it for whoever asks";
            return so.opening(Reach.READ_BEYOND, relay).opening(Reach.WRITE_BEYOND, relay);
        }
        String denied = "Landlock denies what the profile does not grant";
        so = so.closing(Reach.READ_BEYOND, denied);
        return facts.abi().version() < LandlockAbi.HOLDS_FILES
                ? so.opening(Reach.WRITE_BEYOND, "below Landlock ABI 3 any file of this user can be truncated")
                : so.closing(Reach.WRITE_BEYOND, denied);
    }

    private Capabilities processes(Capabilities so) {
        Capabilities all = so.opening(Reach.SEE_PROCESSES, "/proc is the host's");
        if (facts.abi().scopesSignals() && facts.filters()) {
            all = all.closing(Reach.SIGNAL_PROCESSES, "Landlock keeps signals and tracing within the run")
                    .opening(
                            Reach.OUTLIVE_CALLER,
                            "what it leaves behind is ended with the run, but not if this JVM is killed");
        } else {
            all = all.opening(Reach.SIGNAL_PROCESSES, "Landlock keeps signals in from ABI 6 (Linux 6.12) only")
                    .opening(Reach.OUTLIVE_CALLER, "nothing here ends what has left the process tree");
        }
        if (!facts.filters()) {
            return all;
        }
        return all.closing(Reach.TYPE_INTO_TERMINAL, "the seccomp filter refuses TIOCSTI and TIOCLINUX")
                .closing(
                        Reach.GAIN_PRIVILEGE,
                        "no_new_privs is set, all capabilities are given up, and new user namespaces are refused");
    }
}
