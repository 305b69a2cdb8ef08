package dev.stockade.backend.landlock;

import dev.stockade.api.Network;
import dev.stockade.posix.Linux;
import java.lang.foreign.Arena;

/**
 * What a confined thread tries, and must be refused. Straight-line calls with memory that is laid out before: on that
 * thread no class can be loaded.
 */
final class ThreadProof {

    /** The numbers that it returns: what got through, and below it which. */
    static final int PHASE = 10_000;

    static final int SIGNALS = 15;

    private static final int FILES = 11;
    private static final int PRIVILEGES = 12;
    private static final int SOCKETS = 13;
    private static final int CALLS = 14;

    private static final int NETLINK_KOBJECT_UEVENT = 15;
    private static final int CLONE_NEWUSER = 0x10000000;

    private final boolean filtered;
    private final Network network;
    private final int outsider;
    private final long path;
    private final int flags;
    private final long none;

    private ThreadProof(Facts facts, Network network, int outsider, long path, int flags, Arena arena) {
        filtered = facts.filters();
        this.network = network;
        this.outsider = facts.abi().scopesSignals() ? outsider : -1;
        this.path = path;
        this.flags = flags;
        none = arena.allocate(128, 8).address();
    }

    /**
     * Tries to list the root directory, which nothing ever grants as a whole.
     *
     * @param outsider a process that must not be signalled; -1 if there is none
     */
    static ThreadProof byReading(Facts facts, Network network, int outsider, Arena arena) {
        return new ThreadProof(facts, network, outsider, arena.allocateFrom("/").address(), Linux.O_RDONLY, arena);
    }

    /**
     * Tries to write a file that could be written before.
     *
     * @param file where it is found; empty if there is none
     */
    static ThreadProof byWriting(Facts facts, Network network, String file, Arena arena) {
        long path = file.isEmpty() ? 0 : arena.allocateFrom(file).address();
        return new ThreadProof(facts, network, -1, path, Linux.O_WRONLY, arena);
    }

    /** Returns 0, or a number for {@link #explain}. */
    int run(Linux linux) {
        if (path != 0
                && !refuses(linux, linux.openat(Linux.AT_FDCWD, path, flags | Linux.O_CLOEXEC, 0), Linux.EACCES)) {
            return FILES * PHASE;
        }
        if (linux.prctl(Linux.PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1) {
            return PRIVILEGES * PHASE;
        }
        if (outsider >= 0 && linux.kill(outsider, 0) != -Linux.EPERM) {
            return SIGNALS * PHASE;
        }
        return filtered ? ofFilter(linux) : 0;
    }

    private int ofFilter(Linux linux) {
        if (network != Network.ON
                && !(refusesSocket(linux, Linux.AF_INET, Linux.SOCK_STREAM, 0, Linux.EAFNOSUPPORT)
                        && refusesSocket(linux, Linux.AF_INET, Linux.SOCK_DGRAM, 0, Linux.EAFNOSUPPORT)
                        && refusesSocket(
                                linux, Linux.AF_INET, Linux.SOCK_STREAM, Linux.IPPROTO_MPTCP, Linux.EAFNOSUPPORT))) {
            return SOCKETS * PHASE + 1;
        }
        if (network == Network.OFF && !refusesSocket(linux, Linux.AF_UNIX, Linux.SOCK_STREAM, 0, Linux.EACCES)) {
            return SOCKETS * PHASE + 2;
        }
        if (!(refusesSocket(linux, Linux.AF_VSOCK, Linux.SOCK_STREAM, 0, Linux.EAFNOSUPPORT)
                && refusesSocket(
                        linux, Linux.AF_NETLINK, Linux.SOCK_RAW, NETLINK_KOBJECT_UEVENT, Linux.EAFNOSUPPORT))) {
            return SOCKETS * PHASE + 3;
        }
        boolean refused = refuses(linux, linux.io_uring_setup(1, none), Linux.EPERM)
                && linux.unshare(CLONE_NEWUSER) == -Linux.EPERM;
        return refused ? 0 : CALLS * PHASE;
    }

    private static boolean refusesSocket(Linux linux, int family, int type, int protocol, int error) {
        return refuses(linux, linux.socket(family, type | Linux.SOCK_CLOEXEC, protocol), error);
    }

    /** Whether a call that would return a descriptor has failed in that way. */
    private static boolean refuses(Linux linux, long result, int error) {
        if (result >= 0) {
            linux.close((int) result);
        }
        return result == -error;
    }

    /** Whether a number is one of these. */
    static boolean isOne(int code) {
        return code / PHASE >= FILES;
    }

    static String explain(int code) {
        String what = switch (code / PHASE) {
            case FILES -> "a file or directory outside could be opened";
            case PRIVILEGES -> "no_new_privs is not set";
            case SOCKETS -> "a socket could be opened that is to be refused";
            case CALLS -> "io_uring or a user namespace could be used";
            default -> "a process outside could be signalled";
        };
        return "the sandbox does not hold what was claimed for it: " + what + " (" + code % PHASE + ")";
    }
}
