package dev.stockade.api;

/**
 * What a confined command may reach over the network.
 *
 * <p>Only {@link #OFF} can earn "cannot reach the network": it closes every address family that leads out. The other
 * two say what works, not that nothing else does; ask {@link Capabilities#canReachNetwork()}.
 */
public enum Network {
    /** Nothing off this machine, nothing on the host's loopback, no Unix socket of a host program. The default. */
    OFF,

    /**
     * Local servers and local daemons work, the outside does not. Where the backend has a network namespace, IP ends in
     * a private loopback; where it has none (Landlock without privilege) there is no IP at all, only Unix sockets.
     */
    LOOPBACK,

    /** The host's network. */
    ON
}
