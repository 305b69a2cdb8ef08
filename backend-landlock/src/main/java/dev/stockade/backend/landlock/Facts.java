package dev.stockade.backend.landlock;

import dev.stockade.linux.filter.Architecture;
import java.util.Optional;

/**
 * What decides how much can be held here.
 *
 * @param abi the kernel's Landlock
 * @param filter the architecture, where there is a seccomp filter for it
 * @param root whether this process runs as root
 * @param mounts whether a thread of it can have a mount namespace of its own
 */
record Facts(LandlockAbi abi, Optional<Architecture> filter, boolean root, boolean mounts) {

    boolean filters() {
        return filter.isPresent();
    }
}
