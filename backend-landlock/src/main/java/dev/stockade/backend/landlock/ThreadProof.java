package dev.stockade.backend.landlock;

import dev.stockade.api.Network;
import dev.stockade.api.Profile;
import dev.stockade.posix.CStrings;
import dev.stockade.posix.Linux;
import dev.stockade.posix.Struct;
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
    private static final int OUTSIDER_ENDED = 16;

    private static final int ADDRESS_LENGTH = 16;
    private static final int NETLINK_KOBJECT_UEVENT = 15;
    private static final int CLONE_NEWUSER = 0x10000000;

    private final boolean filtered;
    private final boolean ownNetwork;
    private final Network network;
    private final long elsewhere;
    private final int outsider;
    private final long path;
    private final int flags;
    private final long none;

    private ThreadProof(Facts facts, Profile profile, int outsider, long path, int flags, Arena arena) {
        filtered = facts.filters();
        ownNetwork = facts.ownNetwork(profile);
        network = profile.network();
        // struct sockaddr_in, ip(7): 192.0.2.1, which is nobody's (RFC 5737), port 9; what is not the family is
        // big-endian.
        elsewhere = new Struct(arena, ADDRESS_LENGTH)
                .put(new byte[] {0, 0, 0, 9, (byte) 192, 0, 2, 1})
                .putShort(0, Linux.AF_INET)
                .address();
        this.outsider = facts.abi().scopesSignals() ? outsider : -1;
        this.path = path;
        this.flags = flags;
        none = new Struct(arena, 128).address();
    }

    /**
     * Tries to list the root directory, which nothing ever grants as a whole.
     *
     * @param outsider a process that must not be signalled; -1 if there is none
     */
    static ThreadProof byReading(Facts facts, Profile profile, int outsider, Arena arena) {
        return new ThreadProof(facts, profile, outsider, CStrings.of(arena, "/"), Linux.O_RDONLY, arena);
    }

    /**
     * Tries to write a file that could be written before.
     *
     * @param file where it is found; empty if there is none
     */
    static ThreadProof byWriting(Facts facts, Profile profile, String file, Arena arena) {
        long path = file.isEmpty() ? 0 : CStrings.of(arena, file);
        return new ThreadProof(facts, profile, -1, path, Linux.O_WRONLY, arena);
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
        long signalled = outsider >= 0 ? linux.kill(outsider, 0) : -Linux.EPERM;
        if (signalled != -Linux.EPERM) {
            return (signalled == -Linux.ESRCH ? OUTSIDER_ENDED : SIGNALS) * PHASE;
        }
        return filtered ? ofFilter(linux) : 0;
    }

    private int ofFilter(Linux linux) {
        if (ownNetwork) {
            if (!leadsNowhere(linux)) {
                return SOCKETS * PHASE + 4;
            }
        } else if (network != Network.ON
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

    /** Whether there is no way to an address off this machine; to connect a datagram socket sends nothing. */
    private boolean leadsNowhere(Linux linux) {
        long socket = linux.socket(Linux.AF_INET, Linux.SOCK_DGRAM | Linux.SOCK_CLOEXEC, 0);
        long connected = socket < 0 ? socket : linux.connect((int) socket, elsewhere, ADDRESS_LENGTH);
        if (socket >= 0) {
            linux.close((int) socket);
        }
        return connected == -Linux.ENETUNREACH;
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
        if (code / PHASE == OUTSIDER_ENDED) {
            return "the process that signals are tried on has ended meanwhile, so that they could not be tried";
        }
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
