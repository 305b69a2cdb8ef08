package dev.stockade.backend.landlock;

import dev.stockade.api.Network;
import dev.stockade.api.Profile;
import dev.stockade.linux.filter.Architecture;
import java.util.Optional;

/**
 * What decides how much can be held here.
 *
 * @param abi the kernel's Landlock
 * @param filter the architecture, where there is a seccomp filter for it
 * @param root whether this process runs as root
 * @param mounts whether a thread of it can have a mount namespace of its own
 * @param networks whether it can have a network of its own as well
 */
record Facts(LandlockAbi abi, Optional<Architecture> filter, boolean root, boolean mounts, boolean networks) {

    /** Whether a profile's commands share a network of their own: there only can local servers be told from the host's. */
    boolean ownNetwork(Profile profile) {
        return networks && filters() && profile.network() == Network.LOOPBACK;
    }

    boolean filters() {
        return filter.isPresent();
    }
}
