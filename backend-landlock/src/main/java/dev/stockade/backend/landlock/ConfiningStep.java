package dev.stockade.backend.landlock;

import dev.stockade.api.spi.Launch.Keeper;
import dev.stockade.api.spi.Launch.Step;
import dev.stockade.posix.Errors;
import dev.stockade.posix.Linux;
import dev.stockade.posix.Struct;
import java.lang.foreign.Arena;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What the starting thread does to itself, and the proof that it has been done. Straight-line calls with memory that is
 * laid out before: on that thread no class can be loaded.
 */
final class ConfiningStep implements Step {

    /** What it works with; the descriptors are its own, and it closes them. */
    record Means(int ruleset, OptionalInt mounts, OptionalInt ownNetwork, Optional<Identity> identity, Way way) {

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

    // The numbers that confine() returns: the phase, and below it the error of the call. From 11 on: ThreadProof.
    private static final int PHASE = ThreadProof.PHASE;
    private static final int MOUNTS = 1;
    private static final int IDENTITY = 2;
    private static final int CAPABILITIES = 3;
    private static final int NO_NEW_PRIVILEGES = 4;
    private static final int LANDLOCK = 5;
    private static final int FILTER = 6;
    private static final int ENCLOSURE = 7;
    private static final int NETWORK = 8;

    private static final int CAPABILITY_VERSION_3 = 0x20080522;

    private final Means means;
    private final Linux linux;
    private final Linux keeperLinux;
    private final ThreadProof proof;
    private final int canary;
    private final int enclosure;
    private final long none;
    private final long capabilityHeader;
    private final long filterProgram;
    private final int landlockFlags;
    private final int filterFlags;
    private final Optional<ThreadGuard.Guarded> guarded;

    /**
     * Lays everything out.
     *
     * @param proof what is tried when all is done
     * @param filter the seccomp program, where there is one for this processor
     * @param linux the calls of the thread that confines itself
     * @param keeperLinux those of the keeper
     * @param enclosure the keeper's ruleset; empty where the kernel cannot keep signals in
     * @param canary a process outside
     */
    ConfiningStep(
            Means means,
            ThreadProof proof,
            Optional<ThreadGuard> filter,
            Linux linux,
            Linux keeperLinux,
            OptionalInt enclosure,
            OptionalInt canary,
            Arena arena) {
        this.means = means;
        this.proof = proof;
        this.linux = linux;
        this.keeperLinux = keeperLinux;
        this.enclosure = enclosure.orElse(-1);
        this.canary = canary.orElse(-1);
        none = new Struct(arena, 128).address();
        capabilityHeader = new Struct(arena, 8).putInt(0, CAPABILITY_VERSION_3).address();
        guarded = filter.map(program -> program.in(arena));
        // struct sock_fprog: length, address.
        Struct program = new Struct(arena, 16);
        guarded.ifPresent(code -> program.putShort(0, code.instructions()).putLong(8, code.address()));
        filterProgram = program.address();
        boolean allThreads = means.way() == Way.IN_PLACE;
        // Both set no_new_privs on the other threads, too, where the calling one has it.
        landlockFlags = allThreads ? Linux.LANDLOCK_RESTRICT_SELF_TSYNC : 0;
        filterFlags = allThreads ? Linux.SECCOMP_FILTER_FLAG_TSYNC | Linux.SECCOMP_FILTER_FLAG_TSYNC_ESRCH : 0;
    }

    @Override
    public int confine() {
        int code = restrict();
        means.close(linux);
        return code != 0 ? code : proof.run(linux);
    }

    @Override
    public void discard() {
        means.close(keeperLinux);
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
        error = linux.landlock_restrict_self(means.ruleset(), landlockFlags);
        if (error != 0) {
            return failed(LANDLOCK, error);
        }
        if (guarded.isPresent()) {
            guarded.get().forThread((int) linux.gettid());
            error = linux.seccomp(Linux.SECCOMP_SET_MODE_FILTER, filterFlags, filterProgram);
            if (error != 0) {
                return failed(FILTER, error);
            }
        }
        return 0;
    }

    private static int failed(int phase, long error) {
        return phase * PHASE + (int) -error;
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
                return failed(ENCLOSURE, error);
            }
            return isEnclosed() ? 0 : ThreadProof.SIGNALS * PHASE;
        }

        /**
         * The signal to "everybody" reaches this domain alone, if the kernel does what it says. Where it does not, the
         * same call would end everything this user has; so it is tried just before, each time.
         */
        @Override
        public int end() {
            if (!isEnclosed()) {
                return ThreadProof.SIGNALS * PHASE;
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
        if (ThreadProof.isOne(code)) {
            return ThreadProof.explain(code) + ". Nothing was run; please report this";
        }
        String what = switch (code / PHASE) {
            case MOUNTS -> "entering its mount namespace failed";
            case IDENTITY -> "becoming the workspace's owner failed";
            case CAPABILITIES -> "giving up capabilities failed";
            case NO_NEW_PRIVILEGES -> "giving up set-user-ID programs failed";
            case LANDLOCK -> "landlock_restrict_self failed";
            case FILTER -> "installing the seccomp filter failed";
            case ENCLOSURE -> "keeping signals in failed";
            case NETWORK -> "entering a network of its own failed";
            default -> "the confinement failed";
        };
        return "the confinement could not be set up: " + what + " with " + Errors.text(code % PHASE)
                + ". Nothing was run";
    }
}
