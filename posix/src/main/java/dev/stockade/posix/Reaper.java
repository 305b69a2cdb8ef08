package dev.stockade.posix;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Learns of the end of processes: one thread waits for all descriptors that tell of one, epoll(7). */
final class Reaper {

    /** The one there is. Made before any thread confines itself, since its thread inherits from its maker. */
    static final Reaper INSTANCE = new Reaper();

    // struct epoll_event is packed on x86-64 alone: epoll_event(3type)
    private static final boolean PACKED = System.getProperty("os.arch").matches("amd64|x86_64");
    private static final int EVENT = PACKED ? 12 : 16;
    private static final int DATA = PACKED ? 4 : 8;
    private static final int AT_ONCE = 64;
    private static final int EPOLL_CLOEXEC = Linux.O_CLOEXEC;

    private final Map<Integer, Runnable> watched = new ConcurrentHashMap<>();
    private final int epoll;

    private Reaper() {
        epoll = (int) new ForeignLinux(Arena.ofAuto()).epoll_create1(EPOLL_CLOEXEC);
        Thread thread = new Thread(null, this::run, "stockade-reaper", 0, false);
        thread.setDaemon(true);
        thread.start();
    }

    /** Has this done, once and on the reaper's thread, when the descriptor can be read. The act closes it. */
    void watch(Linux linux, int fd, Runnable act) {
        watched.put(fd, act);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment event = arena.allocate(EVENT, 8);
            event.set(ValueLayout.JAVA_INT, 0, Linux.POLLIN);
            event.set(ValueLayout.JAVA_INT_UNALIGNED, DATA, fd);
            if (linux.epoll_ctl(epoll, Linux.EPOLL_CTL_ADD, fd, event.address()) != 0) {
                watched.remove(fd);
                throw new IllegalStateException("the end of a process cannot be waited for");
            }
        }
    }

    private void run() {
        Linux linux = new ForeignLinux(Arena.ofAuto());
        MemorySegment events = Arena.ofAuto().allocate((long) EVENT * AT_ONCE, 8);
        while (true) {
            long ready = linux.epoll_wait(epoll, events.address(), AT_ONCE, -1);
            for (int i = 0; i < ready; i++) {
                int fd = events.get(ValueLayout.JAVA_INT_UNALIGNED, (long) i * EVENT + DATA);
                linux.epoll_ctl(epoll, Linux.EPOLL_CTL_DEL, fd, 0);
                Runnable act = watched.remove(fd);
                if (act != null) {
                    act.run();
                }
            }
        }
    }
}
