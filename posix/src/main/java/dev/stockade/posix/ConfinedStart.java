package dev.stockade.posix;

import dev.stockade.api.LaunchException;
import dev.stockade.api.LaunchException.Fault;
import dev.stockade.api.LaunchException.Phase;
import dev.stockade.api.spi.Launch.Keeper;
import dev.stockade.api.spi.Launch.Step;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;

/**
 * One start from a thread that confines itself and ends. Landlock domains, seccomp filters and no_new_privs belong to a
 * thread, and what it starts inherits them; no other thread of this JVM is touched.
 *
 * <p>A step with a keeper takes two threads. The first encloses itself and starts the second, the keeper, which is
 * enclosed with it; then it confines itself further, starts the command and ends. The keeper stays until the command
 * has ended. The command is confined more deeply than the keeper, so it can neither trace nor signal it.
 */
final class ConfinedStart {

    /** What the JVM threw at a confined thread: never seen, but no reason to say that all went well. */
    static final int BROKEN = Integer.MIN_VALUE;

    private static final int NO_THREAD = BROKEN + 1;

    private static final int POLL_ENTRY = 8;

    private final Step step;
    private final Optional<Keeper> keeper;
    private final int process;
    private final Linux callerCalls;
    private final Linux starterCalls;
    private final Linux keeperCalls;
    private final Thread starter;
    private final MemorySegment one;
    private final MemorySegment received;
    private final MemorySegment poll;

    /** An eventfd each: that the program is laid out; that the start is done, and then that all has ended. */
    private final int ready;

    private final int signal;

    private volatile Optional<Program> program = Optional.empty();
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

    private ConfinedStart(Step step, Arena arena, Linux linux, int ready, int signal) {
        this.step = step;
        this.ready = ready;
        this.signal = signal;
        keeper = step.keeper();
        callerCalls = linux;
        process = (int) linux.getpid();
        starterCalls = new ForeignLinux(arena);
        keeperCalls = new ForeignLinux(arena);
        one = arena.allocate(ValueLayout.JAVA_LONG);
        one.set(ValueLayout.JAVA_LONG, 0, 1);
        received = arena.allocate(ValueLayout.JAVA_LONG, 2);
        poll = arena.allocate(POLL_ENTRY, 8);
        starter = Threads.fresh("stockade-starter", this::encloseAndStart);
    }

    /**
     * Has a thread confine itself, while the caller lays out what it is to start then. To be followed by {@link #start}
     * or {@link #abandon}.
     *
     * @param linux the calls of the calling thread
     */
    static ConfinedStart begin(Step step, Arena arena, Linux linux) {
        int ready = (int) linux.eventfd(0, Linux.O_CLOEXEC);
        int signal = (int) linux.eventfd(0, Linux.O_CLOEXEC | Linux.EFD_SEMAPHORE);
        try {
            if (ready < 0 || signal < 0) {
                throw refused("no event descriptor: " + Errors.text(-Math.min(ready, signal)));
            }
            if (!Dumpable.hold(linux)) {
                throw refused("this process cannot be kept from being traced by what it starts");
            }
            ConfinedStart start = new ConfinedStart(step, arena, linux, ready, signal);
            try {
                start.starter.start();
            } catch (OutOfMemoryError e) {
                Dumpable.release(linux);
                throw refused(explain(step, NO_THREAD));
            }
            return start;
        } catch (LaunchException e) {
            step.discard();
            linux.close(ready);
            linux.close(signal);
            throw e;
        }
    }

    private static LaunchException refused(String why) {
        return new LaunchException(Phase.CONFINE, Fault.HOST, why);
    }

    /** What a number means that the step or its keeper has returned, or this class instead. */
    static String explain(Step step, int code) {
        return switch (code) {
            case BROKEN -> "the confined thread broke down; please report this";
            // What the JVM throws is an OutOfMemoryError, whatever the memory.
            case NO_THREAD -> "the system allows no more threads: see ulimit -u, and pids.max of the control group";
            default -> step.explain(code);
        };
    }

    /** A descriptor of a child; where there is none to be had the child is ended, and the error negated returned. */
    static int track(Linux linux, int pid) {
        int pidfd = (int) linux.pidfd_open(pid, 0);
        if (pidfd < 0) {
            linux.kill(pid, Linux.SIGKILL);
            linux.wait4(pid, 0, 0, 0);
        }
        return pidfd;
    }

    /** Starts, and returns when that is done; without a keeper, when the starting thread is gone. */
    void start(Program what) {
        program = Optional.of(what);
        proceed();
    }

    /** Starts nothing, and returns when the starting thread will do no more. */
    void abandon() {
        proceed();
    }

    private void proceed() {
        callerCalls.write(ready, one.address(), Long.BYTES);
        await(callerCalls, signal, received.address());
        callerCalls.close(ready);
        if (keeper.isEmpty()) {
            awaitStarter(callerCalls);
        }
        if (keeper.isEmpty() || pidfd < 0) {
            callerCalls.close(signal);
        }
    }

    private static void await(Linux linux, int event, long into) {
        long read;
        do {
            read = linux.read(event, into, Long.BYTES);
        } while (read == -Linux.EINTR);
    }

    /** Until this thread is gone the command could trace it, and with it this process. */
    private void awaitStarter(Linux linux) {
        Threads.join(starter);
        Threads.awaitGone(linux, process, starterTid);
        Dumpable.release(linux);
    }

    /** Its caller waits for this thread, and for no other: who keeps is of no use before the command is there. */
    private void encloseAndStart() {
        boolean kept = keeper.isEmpty();
        try {
            starterTid = (int) starterCalls.gettid();
            code = keeper.isPresent() ? keeper.get().enclose() : 0;
            if (code == 0 && keeper.isPresent()) {
                Threads.fresh("stockade-keeper", () -> keep(keeper.get())).start();
                kept = true;
            }
        } catch (OutOfMemoryError e) {
            code = NO_THREAD;
        } catch (Throwable broken) {
            code = BROKEN;
        }
        if (code == 0) {
            confineAndStart();
        } else {
            step.discard();
        }
        if (!kept) {
            Dumpable.release(keeperCalls); // Nothing has been started.
        }
        starterCalls.write(signal, one.address(), Long.BYTES);
    }

    private void confineAndStart() {
        try {
            code = step.confine();
            if (code == 0) {
                await(starterCalls, ready, received.address() + Long.BYTES);
            }
            if (code == 0 && program.isPresent()) {
                error = program.get().start();
                if (error == 0) {
                    pidfd = track(starterCalls, program.get().pid());
                    error = Math.max(0, -pidfd);
                }
            }
        } catch (Throwable broken) {
            code = BROKEN;
        }
    }

    private void keep(Keeper keeper) {
        awaitStarter(keeperCalls);
        if (pidfd >= 0) {
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

    /** What can be read, once more, when the command has ended, with all it left where somebody keeps it. */
    int end() {
        return keeper.isPresent() ? signal : pidfd;
    }

    /** What the keeper said at the end: 0, or why not all has been ended. */
    int keeperFailed() {
        return keeperFailed;
    }
}
