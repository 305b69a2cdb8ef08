package dev.stockade.posix;

import dev.stockade.api.spi.Launch.Keeper;
import dev.stockade.api.spi.Launch.Step;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * One start from a thread that confines itself and ends. Landlock domains, seccomp filters and no_new_privs belong to a
 * thread, and what it starts inherits them; no other thread of this JVM is touched.
 *
 * <p>A step with a keeper takes two threads. The keeper encloses itself and starts the second, which confines itself
 * further, starts the command and ends; the keeper stays until the command has ended. The command is confined more
 * deeply than the keeper, so it can neither trace nor signal it.
 */
final class ConfinedStart {

    /** What the JVM threw at a confined thread: never seen, but no reason to say that all went well. */
    static final int BROKEN = Integer.MIN_VALUE;

    private static final int POLL_ENTRY = 8;

    private final Step step;
    private final Program program;
    private final int process;
    private final Linux starterCalls;
    private final Linux keeperCalls;
    private final MemorySegment one;
    private final MemorySegment received;
    private final MemorySegment poll;

    private volatile int code;
    private volatile int error;
    private volatile int starterTid;
    private volatile int pidfd = -1;
    private volatile int keeperFailed;

    /** The program to start, with its second try. */
    interface Program {
        /** Starts; 0 or an error's number. */
        int start();

        int pid();
    }

    ConfinedStart(Step step, Program program, Arena arena, Linux linux) {
        this.step = step;
        this.program = program;
        process = (int) linux.getpid();
        starterCalls = new ForeignLinux(arena);
        keeperCalls = new ForeignLinux(arena);
        one = arena.allocate(ValueLayout.JAVA_LONG);
        one.set(ValueLayout.JAVA_LONG, 0, 1);
        received = arena.allocate(ValueLayout.JAVA_LONG);
        poll = arena.allocate(POLL_ENTRY, 8);
    }

    /** Starts, and returns when the starting thread is gone. False if this process cannot be kept from being traced. */
    boolean runAlone(Linux linux) {
        if (!Dumpable.hold(linux)) {
            return false;
        }
        try {
            startAndEnd(linux, -1);
        } finally {
            Dumpable.release(linux);
        }
        return true;
    }

    /**
     * Starts, and returns when that is done; the keeper stays. False if this process cannot be kept from being traced.
     *
     * @param signal an eventfd, to which is said that the start is done, and then that the command and all it left have
     *     ended
     */
    boolean runKept(Keeper keeper, Linux linux, int signal) {
        if (!Dumpable.hold(linux)) {
            return false;
        }
        Threads.fresh("stockade-keeper", () -> keep(keeper, signal)).start();
        long read;
        do {
            read = linux.read(signal, received.address(), Long.BYTES);
        } while (read == -Linux.EINTR);
        return true;
    }

    private void keep(Keeper keeper, int signal) {
        try {
            code = keeper.enclose();
            if (code == 0) {
                startAndEnd(keeperCalls, signal);
            } else {
                keeperCalls.write(signal, one.address(), Long.BYTES);
            }
        } catch (Throwable broken) {
            code = BROKEN;
            keeperCalls.write(signal, one.address(), Long.BYTES);
        } finally {
            Dumpable.release(keeperCalls);
        }
        if (code == 0 && error == 0) {
            try {
                awaitCommand();
                keeperFailed = keeper.end();
            } catch (Throwable broken) {
                keeperFailed = BROKEN;
            }
            keeperCalls.write(signal, one.address(), Long.BYTES);
        }
    }

    private void awaitCommand() {
        poll.set(ValueLayout.JAVA_INT, 0, pidfd);
        poll.set(ValueLayout.JAVA_SHORT, Integer.BYTES, (short) Linux.POLLIN);
        long ready;
        do {
            ready = keeperCalls.ppoll(poll.address(), 1, 0);
        } while (ready == -Linux.EINTR);
    }

    private void startAndEnd(Linux linux, int signal) {
        Thread starter = Threads.fresh("stockade-starter", () -> confineAndStart(signal));
        starter.start();
        Threads.join(starter);
        Threads.awaitGone(linux, process, starterTid);
    }

    private void confineAndStart(int signal) {
        try {
            starterTid = (int) starterCalls.gettid();
            code = step.confine();
            if (code == 0) {
                error = program.start();
            }
            if (code == 0 && error == 0) {
                pidfd = (int) starterCalls.pidfd_open(program.pid(), 0);
            }
        } catch (Throwable broken) {
            code = BROKEN;
        }
        if (signal >= 0) {
            starterCalls.write(signal, one.address(), Long.BYTES);
        }
    }

    /** What the step said: 0, or why not. */
    int code() {
        return code;
    }

    /** What posix_spawn said: 0, or an error's number. */
    int error() {
        return error;
    }

    int pidfd() {
        return pidfd;
    }

    /** What the keeper said at the end: 0, or why not all has been ended. */
    int keeperFailed() {
        return keeperFailed;
    }
}
