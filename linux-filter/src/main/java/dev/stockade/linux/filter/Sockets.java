package dev.stockade.linux.filter;

/**
 * Which sockets a confined command may open.
 *
 * <p>In every setting {@code NETLINK_ROUTE} stays open, which only describes the interfaces of the network namespace
 * the command is in (Node's {@code os.networkInterfaces} needs it), and connected pairs of Unix stream sockets. In no
 * setting are packet, raw, vsock or other families open: what is allowed is a list, not what is denied.
 *
 * <p>A refused Unix socket fails with {@code EACCES}, a raw IP socket with {@code EPERM} as it does for everyone
 * without {@code CAP_NET_RAW} (raw(7)), every other socket with {@code EAFNOSUPPORT}: wget retries for more than a
 * minute on {@code EACCES} and gives up at once on {@code EAFNOSUPPORT}.
 */
public enum Sockets {
    /**
     * No Unix socket, because a daemon behind one may relay anything, and a filter cannot tell a harmless address from
     * another: it lies behind a pointer. IP sockets only where the network is {@linkplain Isolation#NETWORK isolated}.
     */
    OFF,

    /** As {@link #OFF}, and Unix sockets. */
    LOOPBACK,

    /** Unix sockets and IP: TCP, UDP, MPTCP and the other protocols of stream and datagram sockets. */
    ON
}
