package dev.stockade.backend.landlock;

import dev.stockade.api.Network;
import dev.stockade.api.spi.Launch.Keeper;
import dev.stockade.api.spi.Launch.Step;
import dev.stockade.posix.Linux;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What the starting thread does to itself, and the proof that it has been done. Straight-line calls with memory that is
 * laid out before: on that thread no class can be loaded.
 */
final class ConfiningStep implements Step {

    /** What it works with; the descriptors are its own, and it closes them. */
    record Means(
            Facts facts,
            Network network,
            int ruleset,
            OptionalInt mounts,
            OptionalInt ownNetwork,
            Optional<Identity> identity) {

        void close(Linux linux) {
            linux.close(ruleset);
            if (mounts.isPresent()) {
                linux.close(mounts.getAsInt());
            }
            if (ownNetwork.isPresent()) {
                linux.close(ownNetwork.getAsInt());
            }
        }
    }

    // The numbers that confine() returns: the phase, and below it the error of the call.
    private static final int PHASE = 10_000;
    private static final int MOUNTS = 1;
    private static final int IDENTITY = 2;
    private static final int CAPABILITIES = 3;
    private static final int NO_NEW_PRIVILEGES = 4;
    private static final int LANDLOCK = 5;
    private static final int FILTER = 6;
    private static final int ENCLOSURE = 7;
    private static final int NETWORK = 8;
    private static final int UNPROVEN_FILES = 11;
    private static final int UNPROVEN_PRIVILEGES = 12;
    private static final int UNPROVEN_SOCKETS = 13;
    private static final int UNPROVEN_CALLS = 14;
    private static final int UNPROVEN_SIGNALS = 15;

    private static final int CAPABILITY_VERSION_3 = 0x20080522;
    private static final int NETLINK_KOBJECT_UEVENT = 15;
    private static final int ADDRESS_LENGTH = 16;
    private static final int CLONE_NEWUSER = 0x10000000;

    private final Means means;
    private final Linux linux;
    private final Linux keeperLinux;
    private final int canary;
    private final int enclosure;
    private final long none;
    private final long capabilityHeader;
    private final long root;
    private final long elsewhere;
    private final long filterProgram;
    private final Optional<ThreadGuard.Guarded> guarded;

    /**
     * Lays everything out.
     *
     * @param filter the seccomp program, where there is one for this processor
     * @param linux the calls of the thread that confines itself
     * @param keeperLinux those of the keeper
     * @param enclosure the keeper's ruleset; empty where the kernel cannot keep signals in
     * @param canary a process outside
     */
    ConfiningStep(
            Means means,
            Optional<ThreadGuard> filter,
            Linux linux,
            Linux keeperLinux,
            OptionalInt enclosure,
            OptionalInt canary,
            Arena arena) {
        this.means = means;
        this.linux = linux;
        this.keeperLinux = keeperLinux;
        this.enclosure = enclosure.orElse(-1);
        this.canary = canary.orElse(-1);
        none = arena.allocate(128, 8).address();
        MemorySegment header = arena.allocate(8, 4);
        header.set(ValueLayout.JAVA_INT, 0, CAPABILITY_VERSION_3);
        capabilityHeader = header.address();
        root = arena.allocateFrom("/").address();
        // struct sockaddr_in, ip(7): 192.0.2.1, which is nobody's (RFC 5737), port 9.
        MemorySegment address = arena.allocate(ADDRESS_LENGTH, 4);
        address.set(ValueLayout.JAVA_SHORT, 0, (short) Linux.AF_INET);
        MemorySegment.copy(new byte[] {0, 9, (byte) 192, 0, 2, 1}, 0, address, ValueLayout.JAVA_BYTE, 2, 6);
        elsewhere = address.address();
        guarded = filter.map(program -> program.in(arena));
        // struct sock_fprog: length, address.
        MemorySegment program = arena.allocate(16, 8);
        guarded.ifPresent(code -> {
            program.set(ValueLayout.JAVA_SHORT, 0, (short) code.instructions());
            program.set(ValueLayout.JAVA_LONG, 8, code.address());
        });
        filterProgram = program.address();
    }

    @Override
    public int confine() {
        int code = restrict();
        means.close(linux);
        return code != 0 ? code : proof();
    }

    private int restrict() {
        if (means.mounts().isPresent()) {
            // setns(2): not while the thread shares its root and working directory with others.
            long error = linux.unshare(Linux.CLONE_FS);
            if (error == 0) {
                error = linux.setns(means.mounts().getAsInt(), Linux.CLONE_NEWNS);
            }
            if (error != 0) {
                return failed(MOUNTS, error);
            }
        }
        if (means.ownNetwork().isPresent()) {
            long error = linux.setns(means.ownNetwork().getAsInt(), Linux.CLONE_NEWNET);
            if (error != 0) {
                return failed(NETWORK, error);
            }
        }
        // Without CAP_SETPCAP this fails, and is not needed: uid 0 gains nothing by execve then.
        linux.prctl(Linux.PR_SET_SECUREBITS, Linux.SECBIT_NOROOT | Linux.SECBIT_NOROOT_LOCKED, 0, 0, 0);
        if (means.identity().isPresent()) {
            Identity identity = means.identity().get();
            long error = linux.setgroups(0, 0);
            if (error == 0) {
                error = linux.setresgid(identity.gid(), identity.gid(), identity.gid());
            }
            if (error == 0) {
                error = linux.setresuid(identity.uid(), identity.uid(), identity.uid());
            }
            if (error != 0) {
                return failed(IDENTITY, error);
            }
        }
        linux.prctl(Linux.PR_CAP_AMBIENT, Linux.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
        long error = linux.capset(capabilityHeader, none);
        if (error != 0) {
            return failed(CAPABILITIES, error);
        }
        error = linux.prctl(Linux.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
        if (error != 0) {
            return failed(NO_NEW_PRIVILEGES, error);
        }
        error = linux.landlock_restrict_self(means.ruleset(), 0);
        if (error != 0) {
            return failed(LANDLOCK, error);
        }
        if (guarded.isPresent()) {
            guarded.get().forThread((int) linux.gettid());
            error = linux.prctl(Linux.PR_SET_SECCOMP, Linux.SECCOMP_MODE_FILTER, filterProgram, 0, 0);
            if (error != 0) {
                return failed(FILTER, error);
            }
        }
        return 0;
    }

    private static int failed(int phase, long error) {
        return phase * PHASE + (int) -error;
    }

    /** Tries what must fail now. */
    private int proof() {
        // Nothing ever grants the root directory as a whole.
        if (!refuses(linux.openat(Linux.AT_FDCWD, root, Linux.O_RDONLY | Linux.O_CLOEXEC, 0), Linux.EACCES)) {
            return UNPROVEN_FILES * PHASE;
        }
        if (linux.prctl(Linux.PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1) {
            return UNPROVEN_PRIVILEGES * PHASE;
        }
        if (canary >= 0 && means.facts().abi().scopesSignals() && linux.kill(canary, 0) != -Linux.EPERM) {
            return UNPROVEN_SIGNALS * PHASE;
        }
        return guarded.isPresent() ? proofOfFilter() : 0;
    }

    private int proofOfFilter() {
        Network network = means.network();
        if (means.ownNetwork().isPresent()) {
            if (!leadsNowhere()) {
                return UNPROVEN_SOCKETS * PHASE + 4;
            }
        } else if (network != Network.ON
                && !(refusesSocket(Linux.AF_INET, Linux.SOCK_STREAM, 0, Linux.EAFNOSUPPORT)
                        && refusesSocket(Linux.AF_INET, Linux.SOCK_DGRAM, 0, Linux.EAFNOSUPPORT)
                        && refusesSocket(Linux.AF_INET, Linux.SOCK_STREAM, Linux.IPPROTO_MPTCP, Linux.EAFNOSUPPORT))) {
            return UNPROVEN_SOCKETS * PHASE + 1;
        }
        if (network == Network.OFF && !refusesSocket(Linux.AF_UNIX, Linux.SOCK_STREAM, 0, Linux.EACCES)) {
            return UNPROVEN_SOCKETS * PHASE + 2;
        }
        if (!(refusesSocket(Linux.AF_VSOCK, Linux.SOCK_STREAM, 0, Linux.EAFNOSUPPORT)
                && refusesSocket(Linux.AF_NETLINK, Linux.SOCK_RAW, NETLINK_KOBJECT_UEVENT, Linux.EAFNOSUPPORT))) {
            return UNPROVEN_SOCKETS * PHASE + 3;
        }
        boolean refused =
                refuses(linux.io_uring_setup(1, none), Linux.EPERM) && linux.unshare(CLONE_NEWUSER) == -Linux.EPERM;
        return refused ? 0 : UNPROVEN_CALLS * PHASE;
    }

    /** Whether there is no way to an address off this machine; to connect a datagram socket sends nothing. */
    private boolean leadsNowhere() {
        long socket = linux.socket(Linux.AF_INET, Linux.SOCK_DGRAM | Linux.SOCK_CLOEXEC, 0);
        long connected = socket < 0 ? socket : linux.connect((int) socket, elsewhere, ADDRESS_LENGTH);
        if (socket >= 0) {
            linux.close((int) socket);
        }
        return connected == -Linux.ENETUNREACH;
    }

    private boolean refusesSocket(int family, int type, int protocol, int error) {
        return refuses(linux.socket(family, type | Linux.SOCK_CLOEXEC, protocol), error);
    }

    /** Whether a call that would return a descriptor has failed in that way. */
    private boolean refuses(long result, int error) {
        if (result >= 0) {
            linux.close((int) result);
        }
        return result == -error;
    }

    @Override
    public Optional<Keeper> keeper() {
        return enclosure >= 0 && canary >= 0 ? Optional.of(new DomainKeeper()) : Optional.empty();
    }

    /** Ends all processes of a Landlock domain that keeps signals in: landlock(7), LANDLOCK_SCOPE_SIGNAL. */
    private final class DomainKeeper implements Keeper {

        @Override
        public int enclose() {
            // Without CAP_SYS_ADMIN a thread may restrict itself only under no_new_privs.
            long error = keeperLinux.landlock_restrict_self(enclosure, 0);
            if (error == -Linux.EPERM) {
                keeperLinux.prctl(Linux.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
                error = keeperLinux.landlock_restrict_self(enclosure, 0);
            }
            if (error != 0) {
                return abandoned(failed(ENCLOSURE, error));
            }
            return isEnclosed() ? 0 : abandoned(UNPROVEN_SIGNALS * PHASE);
        }

        private int abandoned(int code) {
            means.close(keeperLinux);
            return code;
        }

        /**
         * The signal to "everybody" reaches this domain alone, if the kernel does what it says. Where it does not, the
         * same call would end everything this user has; so it is tried just before, each time.
         */
        @Override
        public int end() {
            if (!isEnclosed()) {
                return UNPROVEN_SIGNALS * PHASE;
            }
            keeperLinux.kill(-1, Linux.SIGKILL);
            return 0;
        }

        private boolean isEnclosed() {
            return keeperLinux.kill(canary, 0) == -Linux.EPERM;
        }
    }

    @Override
    public String explain(int code) {
        int error = code % PHASE;
        String what = switch (code / PHASE) {
            case MOUNTS -> "entering its mount namespace failed";
            case IDENTITY -> "becoming the workspace's owner failed";
            case CAPABILITIES -> "giving up capabilities failed";
            case NO_NEW_PRIVILEGES -> "giving up set-user-ID programs failed";
            case LANDLOCK -> "landlock_restrict_self failed";
            case FILTER -> "installing the seccomp filter failed";
            case ENCLOSURE -> "keeping signals in failed";
            case NETWORK -> "entering a network of its own failed";
            case UNPROVEN_FILES -> "a directory outside could be opened";
            case UNPROVEN_PRIVILEGES -> "no_new_privs is not set";
            case UNPROVEN_SOCKETS -> "a socket could be opened that is to be refused";
            case UNPROVEN_CALLS -> "io_uring or a user namespace could be used";
            case UNPROVEN_SIGNALS -> "a process outside could be signalled";
            default -> "the confinement failed";
        };
        return code / PHASE > PHASES_OF_SET_UP
                ? "the sandbox does not hold what was claimed for it: " + what + " (" + error
                        + "). Nothing was run; please report this"
                : "the confinement could not be set up: " + what + " with error " + error + ". Nothing was run";
    }

    private static final int PHASES_OF_SET_UP = 10;
}
