package dev.stockade.linux.filter;

/**
 * What another mechanism isolates already, so that the filter can leave it open. bubblewrap and Docker isolate all four
 * (the network only where it is off); Landlock alone isolates none, because it has no hook for any of them.
 */
public enum Isolation {
    /** A network namespace of its own: an IP socket ends there, and may be opened with every setting. */
    NETWORK,

    /**
     * An IPC namespace of its own. Without it System V shared memory, semaphores and message queues and POSIX message
     * queues are refused with {@code ENOSYS}: another process of the same user may keep data there (sysvipc(7)).
     * PostgreSQL and fakeroot need them; POSIX shared memory and semaphores are files and are not concerned.
     */
    IPC,

    /**
     * A PID namespace of its own. Without it {@code prlimit(2)} works on the caller only: a CPU limit of zero kills any
     * process of the same user, past Landlock's scoping of signals. Not covered: priority and CPU affinity of other
     * processes of that user.
     */
    PROCESSES,

    /**
     * A file tree that holds nothing but what is granted. Without it inotify(7) and fanotify(7) watches are refused
     * with {@code EACCES}: they tell the names of files used in any directory the user may read. Programs that watch
     * files have to poll.
     */
    FILES
}
