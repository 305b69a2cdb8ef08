package dev.stockade.posix;

/** Threads that confine themselves. */
final class Threads {

    /** Enough for a few calls. */
    private static final long STACK = 512 * 1024;

    private Threads() {}

    /** A platform thread: confining a virtual one would confine its carrier, and whoever runs on that next. */
    static Thread fresh(String name, Runnable act) {
        return Thread.ofPlatform()
                .name(name)
                .daemon()
                .stackSize(STACK)
                .inheritInheritableThreadLocals(false)
                .unstarted(act);
    }

    /** Waits for the end of a thread, even if interrupted. */
    static void join(Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits until the kernel has no such thread any more; {@link Thread#join()} returns a little earlier. */
    static void awaitGone(Linux linux, int pid, int tid) {
        while (tid != 0 && linux.tgkill(pid, tid, 0) != -Linux.ESRCH) {
            linux.sched_yield();
        }
    }
}
