package dev.stockade.posix;

import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * One prepared <a href="https://man7.org/linux/man-pages/man3/posix_spawn.3.html">posix_spawn(3)</a>: all memory is
 * laid out before, so that a confined thread only has to call.
 *
 * <p>The child closes in its own descriptor table whatever it is not meant to have. The JVM does not set close-on-exec
 * on all that it opens, and another thread may open something between any two of our instructions.
 */
final class PosixSpawn {

    // Both libc's keep these structures well below this: glibc 80 and 336 bytes, musl 88 and 336.
    private static final long OPAQUE = 512;

    // spawn.h, of glibc and musl alike
    private static final int POSIX_SPAWN_SETSIGDEF = 0x04;
    private static final int POSIX_SPAWN_SETSIGMASK = 0x08;

    /** sigset_t of libc is larger than the kernel's: 128 bytes. */
    private static final long SIGSET = 128;

    private static final MemorySegment SPAWN = CLibrary.find("posix_spawn");
    private static final MemorySegment ACTIONS_INIT = CLibrary.find("posix_spawn_file_actions_init");
    private static final MemorySegment ACTIONS_DESTROY = CLibrary.find("posix_spawn_file_actions_destroy");
    private static final MemorySegment ADD_DUP2 = CLibrary.find("posix_spawn_file_actions_adddup2");
    private static final MemorySegment ADD_CLOSE = CLibrary.find("posix_spawn_file_actions_addclose");
    private static final MemorySegment ADD_CHDIR =
            CLibrary.find("posix_spawn_file_actions_addchdir_np"); // glibc 2.29, 2019
    private static final MemorySegment ADD_CLOSEFROM =
            CLibrary.find("posix_spawn_file_actions_addclosefrom_np"); // glibc 2.34, 2021
    private static final MemorySegment ATTR_INIT = CLibrary.find("posix_spawnattr_init");
    private static final MemorySegment ATTR_FLAGS = CLibrary.find("posix_spawnattr_setflags");
    private static final MemorySegment ATTR_MASK = CLibrary.find("posix_spawnattr_setsigmask");
    private static final MemorySegment ATTR_DEFAULT = CLibrary.find("posix_spawnattr_setsigdefault");

    private final Arena arena;
    private final long actions;
    private final long attributes;
    private final MemorySegment pid;

    /** Not looked at: these functions return their error. */
    private final MemorySegment errno;

    PosixSpawn(Arena arena) {
        this.arena = arena;
        errno = arena.allocate(Linker.Option.captureStateLayout());
        actions = arena.allocate(OPAQUE, 16).address();
        attributes = arena.allocate(OPAQUE, 16).address();
        pid = arena.allocate(ValueLayout.JAVA_INT);
        call(ACTIONS_INIT, actions);
        call(ATTR_INIT, attributes);
        call(ATTR_FLAGS, attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
        // HotSpot blocks some signals on its threads; none is to stay blocked.
        call(ATTR_MASK, attributes, arena.allocate(SIGSET, 8).address());
        MemorySegment defaults = arena.allocate(SIGSET, 8);
        defaults.set(ValueLayout.JAVA_LONG, 0, Signals.NOT_INHERITED);
        call(ATTR_DEFAULT, attributes, defaults.address());
    }

    /** Whether this libc has what is needed. */
    static boolean supported() {
        return ADD_CLOSEFROM.address() != 0 && ADD_CHDIR.address() != 0;
    }

    void chdir(String directory) {
        call(ADD_CHDIR, actions, CStrings.of(arena, directory));
    }

    void dup2(int from, int to) {
        call(ADD_DUP2, actions, from, to);
    }

    void close(int fd) {
        call(ADD_CLOSE, actions, fd);
    }

    void closeFrom(int fd) {
        call(ADD_CLOSEFROM, actions, fd);
    }

    /** Starts; 0 or an error's number. No allocation, no class that is not there yet. */
    int start(long path, long argv, long environment) {
        return call(SPAWN, pid.address(), path, actions, attributes, argv, environment);
    }

    int pid() {
        return pid.get(ValueLayout.JAVA_INT, 0);
    }

    void destroy() {
        call(ACTIONS_DESTROY, actions);
    }

    private int call(MemorySegment function, long a, long... more) {
        return call(function, a, more.length > 0 ? more[0] : 0, more.length > 1 ? more[1] : 0, 0, 0, 0);
    }

    private int call(MemorySegment function, long a, long b, long c, long d, long e, long f) {
        return (int) CLibrary.call(function, errno, a, b, c, d, e, f, 0);
    }
}
