package dev.stockade.posix;

import java.lang.foreign.Arena;

/** What a command inherits of this process's signals, and what it must not. */
final class Signals {

    // Ignored by nohup(1), and by a shell for what it puts into the background: that is meant for the command.
    private static final long INHERITED = bit(Linux.SIGHUP) | bit(Linux.SIGINT) | bit(Linux.SIGQUIT);

    /** The signals that are set to their default action, as a set of the kernel's. */
    static final long NOT_INHERITED = ~INHERITED;

    private static final long SIG_DFL = 0;
    private static final long SIG_IGN = 1;
    private static final int SIG_SETMASK = 2;

    // The kernel's struct sigaction: handler, flags, restorer (not on the generic ABI), mask.
    private static final long SIGACTION = 32;

    private Signals() {}

    private static long bit(int signal) {
        return 1L << (signal - 1);
    }

    /**
     * Makes the ends of children known again. A process started with SIGCHLD ignored, as some supervisors and
     * {@code perl} do it, never learns their status: sigaction(2), under SA_NOCLDWAIT.
     */
    static void listenToChildren(Linux linux) {
        try (Arena arena = Arena.ofConfined()) {
            setDefaultIfIgnored(linux, arena, Linux.SIGCHLD);
        }
    }

    /** Before an execve in place: nothing blocked, nothing ignored that the caller's own caller did not ask for. */
    static void reset(Linux linux, Arena arena) {
        for (int signal = 1; signal <= Linux.SIGNALS; signal++) {
            if ((NOT_INHERITED & bit(signal)) != 0) {
                setDefaultIfIgnored(linux, arena, signal);
            }
        }
        linux.sigprocmask(SIG_SETMASK, new Struct(arena, Long.BYTES).address(), 0);
    }

    private static void setDefaultIfIgnored(Linux linux, Arena arena, int signal) {
        Struct action = new Struct(arena, SIGACTION);
        if (linux.sigaction(signal, 0, action.address()) == 0 && action.getLong(0) == SIG_IGN) {
            Struct standard = new Struct(arena, SIGACTION).putLong(0, SIG_DFL);
            linux.sigaction(signal, standard.address(), 0);
        }
    }
}
