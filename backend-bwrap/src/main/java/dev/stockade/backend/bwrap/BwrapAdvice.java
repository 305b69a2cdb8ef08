package dev.stockade.backend.bwrap;

import java.util.List;
import java.util.Optional;

/** What bubblewrap's complaints mean, and what to do about them. Matched loosely: kernels word them differently. */
final class BwrapAdvice {

    /**
     * One known failure.
     *
     * @param sign what the complaint holds
     * @param reason what it means
     * @param remedy what to do
     */
    record Advice(String sign, String reason, String remedy) {

        String sentence() {
            return reason + ". " + remedy;
        }
    }

    private static final String ALLOW_NAMESPACES =
            "As root, allow them: on Ubuntu 23.10 and newer `sysctl -w kernel.apparmor_restrict_unprivileged_userns=0`"
                    + " or an AppArmor profile for bwrap that has `userns,`; on older Debian `sysctl -w"
                    + " kernel.unprivileged_userns_clone=1`; in a container, start it with a seccomp profile that"
                    + " allows user namespaces. Or use the landlock backend, which needs none";

    private static final List<Advice> KNOWN = List.of(
            new Advice(
                    "namespaces exceeded",
                    "no more user namespaces may be made here (user.max_user_namespaces, or this is a sandbox already)",
                    "As root, `sysctl -w user.max_user_namespaces=15000`, or run outside the other sandbox"),
            new Advice("No permissions to create", "this user may not make user namespaces", ALLOW_NAMESPACES),
            new Advice("Creating new namespace failed", "the system refuses new namespaces", ALLOW_NAMESPACES),
            new Advice("setting up uid map", "user namespaces have no power here (AppArmor)", ALLOW_NAMESPACES),
            new Advice(
                    "loopback: Failed",
                    "the private network's loopback could not be set up: user namespaces have no power here (AppArmor)",
                    ALLOW_NAMESPACES),
            new Advice(
                    "Can't mount proc",
                    "a new /proc may not be mounted, as in a container whose /proc is partly masked",
                    "Start the container with `--security-opt systempaths=unconfined`, or use the landlock backend"),
            new Advice(
                    "pivot_root",
                    "the root file system is an initramfs, which cannot be left",
                    "Run from a real root file system, or use the landlock backend"),
            new Advice(
                    "Unknown option",
                    "this bubblewrap is too old",
                    "Install bubblewrap " + BwrapVersion.OLDEST + " or newer"),
            new Advice(
                    "Can't find source path",
                    "a path of the profile disappeared after the sandbox was opened",
                    "Open the sandbox again"),
            new Advice(
                    "Permission denied",
                    "bubblewrap was refused a path that the profile names",
                    "Check that the user who runs it may enter every directory on the way"));

    private BwrapAdvice() {}

    static Optional<Advice> of(String complaint) {
        return KNOWN.stream()
                .filter(advice -> complaint.contains(advice.sign()))
                .findFirst();
    }
}
