package dev.stockade.posix;

import dev.stockade.api.LaunchException;
import dev.stockade.api.LaunchException.Fault;
import dev.stockade.api.LaunchException.Phase;
import dev.stockade.api.spi.Launch;
import java.lang.foreign.Arena;
import java.util.Map;
import java.util.TreeMap;

/**
 * Replaces this process: execve(2) ends all other threads, and the calling one, with its confinement, becomes the
 * process, whatever its number was.
 */
final class Becoming {

    private Becoming() {}

    static void now(Launch launch, Linux linux) {
        Arena arena = Arena.ofAuto();
        long environment = CStrings.environment(arena, launch.environment());
        long path = CStrings.of(arena, Program.path(launch));
        long argv = CStrings.array(arena, launch.argv());
        long shell = CStrings.of(arena, "/bin/sh");
        long shellArgv = CStrings.array(arena, Program.byShell(launch));
        long directory = CStrings.of(arena, launch.directory().toString());
        Map<Integer, Integer> feeds = new TreeMap<>();
        launch.feeds().forEach((fd, bytes) -> feeds.put(fd, high(linux, Wiring.memory(linux, arena, bytes))));
        // Nobody reads it, but without one the mechanism writes into whatever it has opened under that number itself.
        launch.statusFd().ifPresent(fd -> feeds.put(fd, high(linux, nothing(linux, arena))));
        int[] to = feeds.keySet().stream().mapToInt(fd -> fd).toArray();
        int[] from = feeds.values().stream().mapToInt(fd -> fd).toArray();
        int[] kept = new int[to.length];

        int code = launch.step().map(Launch.Step::confine).orElse(0);
        if (code != 0) {
            throw new LaunchException(
                    Phase.CONFINE, Fault.HOST, launch.step().orElseThrow().explain(code));
        }
        long error = linux.chdir(directory);
        if (error == 0) {
            // Of a table of its own: a thread that opens a file just now would add to the common one.
            linux.close_range(3, -1, Linux.CLOSE_RANGE_UNSHARE | Linux.CLOSE_RANGE_CLOEXEC);
            Signals.reset(linux, arena);
            // One of the numbers that are overwritten now is that of the file which the JVM reads its own classes from.
            // What follows has been called before (execve, of nothing, fails), so that it needs no class any more.
            linux.execve(0, 0, 0);
            for (int i = 0; i < to.length; i++) {
                kept[i] = (int) linux.fcntl(to[i], Linux.F_DUPFD_CLOEXEC, Wiring.FREE);
                linux.dup3(from[i], to[i], 0);
            }
            error = linux.execve(path, argv, environment);
            if (error == -Linux.ENOEXEC) {
                error = linux.execve(shell, shellArgv, environment);
            }
            for (int i = 0; i < to.length; i++) {
                if (kept[i] >= 0) {
                    linux.dup3(kept[i], to[i], Linux.O_CLOEXEC);
                }
            }
        }
        throw LinuxSpawner.failed((int) -error, launch);
    }

    private static int nothing(Linux linux, Arena arena) {
        return (int) linux.openat(Linux.AT_FDCWD, CStrings.of(arena, "/dev/null"), Linux.O_WRONLY | Linux.O_CLOEXEC, 0);
    }

    private static int high(Linux linux, int fd) {
        return fd >= Wiring.FREE ? fd : (int) linux.fcntl(fd, Linux.F_DUPFD_CLOEXEC, Wiring.FREE);
    }
}
