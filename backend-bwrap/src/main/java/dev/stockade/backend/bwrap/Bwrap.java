package dev.stockade.backend.bwrap;

import dev.stockade.api.Availability;
import dev.stockade.api.Availability.Available;
import dev.stockade.api.Availability.Unavailable;
import dev.stockade.api.Profile;
import dev.stockade.api.spi.Host;
import dev.stockade.api.spi.Host.Printed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The bubblewrap of a host.
 *
 * @param program the executable
 * @param version what it can do
 * @param setuid whether it runs as root for everybody, as some distributions have it
 */
record Bwrap(Path program, BwrapVersion version, boolean setuid) {

    private static final Duration LIMIT = Duration.ofSeconds(5);

    private static final String INSTALL =
            "Install it: `apt-get install bubblewrap`, `dnf install bubblewrap` or `pacman -S bubblewrap`";

    /** The bubblewrap that works here, if one does: asked of {@link #availability}, remembered by the host. */
    static Optional<Bwrap> of(Host host) {
        return host.find("bwrap")
                .flatMap(program -> trial(program, host)
                        .filter(printed -> printed.status() == 0)
                        .flatMap(printed -> BwrapVersion.parse(printed.text()))
                        .map(version -> new Bwrap(program, version, isSetuid(program))));
    }

    static Availability availability(Host host) {
        if (!host.os().equals("linux")) {
            return new Unavailable("bubblewrap exists on Linux only, and this is " + host.os(), "Use another backend");
        }
        Optional<Path> program = host.find("bwrap");
        if (program.isEmpty()) {
            return new Unavailable("bubblewrap is not installed", INSTALL);
        }
        Optional<Printed> printed = trial(program.get(), host);
        if (printed.isEmpty()) {
            return new Unavailable(
                    program.get() + " does not answer within " + LIMIT.toSeconds() + " s", "Try `bwrap --version`");
        }
        if (printed.get().status() != 0) {
            String complaint = printed.get().text().strip();
            return BwrapAdvice.of(complaint)
                    .map(advice -> new Unavailable(advice.reason() + " (" + complaint + ")", advice.remedy()))
                    .orElseGet(() -> new Unavailable("bubblewrap fails: " + complaint, "Mend what it complains of"));
        }
        Optional<BwrapVersion> version = BwrapVersion.parse(printed.get().text());
        if (version.isEmpty() || version.get().compareTo(BwrapVersion.OLDEST) < 0) {
            return new Unavailable(
                    "this bubblewrap is too old: " + printed.get().text().strip(),
                    "Install version " + BwrapVersion.OLDEST + " or newer");
        }
        return new Available("bubblewrap " + version.get() + " at " + program.get());
    }

    /** One start says both: that namespaces can be made here, and which version makes them. */
    private static Optional<Printed> trial(Path program, Host host) {
        String self = program.toString();
        return host.output(
                LIMIT,
                List.of(
                        self,
                        "--unshare-user",
                        "--unshare-pid",
                        "--unshare-net",
                        "--unshare-ipc",
                        "--cap-drop",
                        "ALL",
                        "--ro-bind",
                        "/",
                        "/",
                        "--proc",
                        "/proc",
                        "--dev",
                        "/dev",
                        "--",
                        self,
                        "--version"));
    }

    private static boolean isSetuid(Path program) {
        try {
            return ((Integer) Files.getAttribute(program, "unix:mode") & 04000) != 0;
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            return false;
        }
    }

    /**
     * Whether {@code --disable-userns} works: it writes to {@code user.max_user_namespaces} in the new namespace, which
     * a set-user-ID bubblewrap is refused. The filter denies new user namespaces as well.
     */
    boolean disablesUserNamespaces() {
        return version.disablesUserNamespaces() && !setuid;
    }

    /**
     * What goes in front: root, confined and so without the power to override permissions, could not write the
     * workspace of another user, and becomes that user.
     */
    List<String> front(Profile profile, Host host) {
        return owner(profile, host)
                .flatMap(owner -> host.find("setpriv")
                        .map(setpriv -> List.of(
                                setpriv.toString(),
                                "--reuid=" + owner.uid(),
                                "--regid=" + owner.gid(),
                                "--clear-groups",
                                "--")))
                .orElse(List.of());
    }

    /**
     * A user and a group.
     *
     * @param uid the user's number
     * @param gid the group's number
     */
    record Owner(int uid, int gid) {}

    /** The workspace's owner, where that is somebody else and this is root. */
    static Optional<Owner> owner(Profile profile, Host host) {
        if (host.uid() != 0) {
            return Optional.empty();
        }
        try {
            int uid = (Integer) Files.getAttribute(profile.workspace(), "unix:uid");
            int gid = (Integer) Files.getAttribute(profile.workspace(), "unix:gid");
            return uid == 0 ? Optional.empty() : Optional.of(new Owner(uid, gid));
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
