package dev.stockade.posix;

/**
 * Keeps a command from tracing the thread that has just started it.
 *
 * <p>That thread is confined exactly as the command is, so Landlock lets the command trace it, and with it write this
 * whole process's memory. The kernel refuses to trace a process that is not dumpable: ptrace(2), "Ptrace access mode
 * checking". Until the thread is gone this process takes no debugger and leaves no core dump.
 */
final class Dumpable {

    private static int holders;
    private static boolean changed;

    private Dumpable() {}

    /** Makes this process untraceable until as many have let go as have taken hold. */
    static synchronized boolean hold(Linux linux) {
        if (holders == 0) {
            changed = linux.prctl(Linux.PR_GET_DUMPABLE, 0, 0, 0, 0) == 1;
            if (changed && linux.prctl(Linux.PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) {
                return false;
            }
        }
        holders++;
        return true;
    }

    static synchronized void release(Linux linux) {
        if (--holders == 0 && changed) {
            linux.prctl(Linux.PR_SET_DUMPABLE, 1, 0, 0, 0);
        }
    }
}
