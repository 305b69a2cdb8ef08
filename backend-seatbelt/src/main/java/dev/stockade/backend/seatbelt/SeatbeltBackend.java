package dev.stockade.backend.seatbelt;

import dev.stockade.api.Availability;
import dev.stockade.api.Availability.Available;
import dev.stockade.api.Availability.Unavailable;
import dev.stockade.api.Capabilities;
import dev.stockade.api.Network;
import dev.stockade.api.Profile;
import dev.stockade.api.Profile.Reads;
import dev.stockade.api.Profile.Tmp;
import dev.stockade.api.Reach;
import dev.stockade.api.spi.Assessment;
import dev.stockade.api.spi.Assessment.Refusal;
import dev.stockade.api.spi.Host;
import dev.stockade.api.spi.Host.Printed;
import dev.stockade.api.spi.Planner;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Confines by the sandbox of macOS, through {@code sandbox-exec}. */
public final class SeatbeltBackend implements Planner {

    /** Never another: whoever can replace this one is root already. */
    static final String SANDBOX_EXEC = "/usr/bin/sandbox-exec";

    private static final Duration TRIAL = Duration.ofSeconds(10);
    private static final String UNSEEN = "not yet run on macOS by its authors";

    /** For the service loader. */
    public SeatbeltBackend() {}

    @Override
    public String name() {
        return "seatbelt";
    }

    @Override
    public boolean automatic() {
        return true;
    }

    @Override
    public Duration startCost() {
        return Duration.ofMillis(20);
    }

    @Override
    public Availability availability(Host host) {
        if (!host.os().equals("macos")) {
            return new Unavailable(
                    "the seatbelt sandbox is a part of macOS, and this is " + host.os(),
                    "Use a backend of this system, or run on macOS");
        }
        if (!Files.isExecutable(host.files().getPath(SANDBOX_EXEC))) {
            return new Unavailable(
                    SANDBOX_EXEC + " is missing; every macOS ships it, though deprecated",
                    "Restore it by updating or reinstalling macOS");
        }
        Optional<Printed> tried =
                host.output(TRIAL, List.of(SANDBOX_EXEC, "-p", SeatbeltProfile.trial(), "/usr/bin/true"));
        if (tried.isEmpty()) {
            return new Unavailable(
                    SANDBOX_EXEC + " did not end within " + TRIAL.toSeconds() + " s, or could not be started",
                    "Try it by hand: " + SANDBOX_EXEC + " -p '(version 1)(allow default)' /usr/bin/true");
        }
        Printed printed = tried.get();
        return printed.status() == 0
                ? new Available(SANDBOX_EXEC + "; " + UNSEEN)
                : new Unavailable(
                        "a trial under " + SANDBOX_EXEC + " ended with status " + printed.status() + ": "
                                + printed.text().strip(),
                        SeatbeltPlan.remedy(printed.text()));
    }

    @Override
    public Assessment assess(Profile profile, Host host) {
        List<Refusal> refused = new ArrayList<>();
        String why =
                "the sandbox of macOS limits what is reached, not how much is used; leave it out, or choose docker";
        profile.limits().memoryBytes().ifPresent(limit -> refused.add(new Refusal("limits.memory", why)));
        profile.limits().cpus().ifPresent(limit -> refused.add(new Refusal("limits.cpus", why)));
        profile.limits().processes().ifPresent(limit -> refused.add(new Refusal("limits.processes", why)));
        return new Assessment(refused, capabilities(profile));
    }

    private static Capabilities capabilities(Profile profile) {
        boolean system = profile.reads() == Reads.SYSTEM;
        Capabilities claims = Capabilities.EVERYTHING
                .closing(
                        Reach.WRITE_BEYOND,
                        "writes go by path: to what the profile names and to new files of mktemp's, whose names cannot be"
                                + " listed; daemons that would write for it are not looked up")
                .opening(
                        Reach.METADATA_BEYOND,
                        "nothing is changed, but the error tells a path that exists from one that does not")
                .opening(
                        Reach.SEE_PROCESSES,
                        system
                                ? "the kernel tells about a process whose number is known"
                                : "processes are listed by sysctl(3)")
                .opening(
                        Reach.SIGNAL_PROCESSES,
                        "signals stay within the sandbox, but macOS does not document whether another run with the same"
                                + " profile counts as the same sandbox")
                .opening(Reach.TYPE_INTO_TERMINAL, "the terminal it inherits takes TIOCSTI")
                .opening(
                        Reach.GAIN_PRIVILEGE,
                        "macOS refuses set-user-ID programs in a sandbox by a rule of its own, which is not documented")
                .opening(Reach.OUTLIVE_CALLER, "macOS has no process namespace: what leaves its group is not found");
        if (system) {
            claims = claims.closing(
                    Reach.READ_BEYOND, "reads go by path: to the operating system and what the profile names");
        }
        if (system && profile.tmp() == Tmp.PRIVATE) {
            claims = claims.closing(
                    Reach.SHARED_TMP,
                    "it has a directory of its own; of the shared one it uses mktemp's names, which cannot be listed");
        } else if (profile.tmp() == Tmp.PRIVATE) {
            claims = claims.opening(
                    Reach.SHARED_TMP, "whoever learns the name that mktemp gave a file of another program can use it");
        }
        return network(claims, profile.network());
    }

    private static Capabilities network(Capabilities claims, Network network) {
        return switch (network) {
            case OFF ->
                claims.closing(
                                Reach.SEND_OFF_MACHINE,
                                "no socket can be connected, bound or sent from, and the daemons that would send for it,"
                                        + " the resolver among them, are not looked up")
                        .closing(Reach.HOST_LOOPBACK, "no socket can be connected, to loopback neither")
                        .closing(Reach.HOST_UNIX_SOCKETS, "no Unix socket can be connected, whichever its path");
            case LOOPBACK ->
                claims.closing(
                                Reach.SEND_OFF_MACHINE,
                                "internet sockets reach loopback only, and the daemons that would send for it are not"
                                        + " looked up")
                        .opening(
                                Reach.HOST_LOOPBACK,
                                "macOS has one loopback for all: servers of the host are reached, and may relay")
                        .opening(
                                Reach.HOST_UNIX_SOCKETS,
                                "a host program may listen inside a tree that can be written; elsewhere it is not reached");
            case ON ->
                claims.opening(
                        Reach.HOST_UNIX_SOCKETS,
                        "a host program may listen inside a tree that can be written; elsewhere it is not reached");
        };
    }

    @Override
    public Optional<JvmBoundary> jvmBoundary() {
        return Optional.of(Planner.restarting(this));
    }

    @Override
    public Plan prepare(Profile profile, Host host) {
        return SeatbeltPlan.of(profile, host);
    }
}
