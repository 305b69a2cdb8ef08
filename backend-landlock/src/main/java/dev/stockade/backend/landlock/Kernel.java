package dev.stockade.backend.landlock;

import dev.stockade.api.LaunchException;
import dev.stockade.api.LaunchException.Fault;
import dev.stockade.api.LaunchException.Phase;
import dev.stockade.posix.CStrings;
import dev.stockade.posix.Errors;
import dev.stockade.posix.ForeignLinux;
import dev.stockade.posix.Linux;
import dev.stockade.posix.Struct;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalInt;

/** Landlock's system calls on an ordinary thread: what is prepared once for many commands. */
final class Kernel {

    private static final int CREATE_RULESET_VERSION = 1;
    private static final int RULE_PATH_BENEATH = 1;

    /** {@code struct landlock_path_beneath_attr} is packed. */
    private static final long PATH_BENEATH = 12;

    /** limits.h, with the NUL. A longer name is cut, and then too long for the kernel. */
    private static final long PATH_MAX = 4096;

    /** {@code struct open_how}: flags, mode, resolve. */
    private static final long OPEN_HOW = 24;

    private final Arena arena = Arena.ofAuto();
    private final Linux linux = new ForeignLinux(arena);

    Linux linux() {
        return linux;
    }

    /** The version of Landlock, or the negated error: ENOSYS if not built in, EOPNOTSUPP if not enabled at boot. */
    int version() {
        return (int) linux.landlock_create_ruleset(0, 0, CREATE_RULESET_VERSION);
    }

    /** A ruleset's descriptor. */
    int ruleset(LandlockAbi abi, Rules rules, Map<Integer, Long> byDescriptor) {
        int ruleset = create(abi, rules.handledFiles(), rules.handledPorts(), abi.scopes());
        try (Arena own = Arena.ofConfined()) {
            Struct how = pathOnly(own);
            Struct beneath = new Struct(own, PATH_BENEATH);
            Struct name = new Struct(own, PATH_MAX);
            rules.allowed().forEach((path, rights) -> {
                int opened = open(path, how, name);
                if (opened >= 0) {
                    try {
                        add(ruleset, beneath.putLong(0, rights).putInt(Long.BYTES, opened), path);
                    } finally {
                        linux.close(opened);
                    }
                }
            });
            byDescriptor.forEach((fd, rights) -> {
                if ((rights & rules.handledFiles()) != 0) {
                    add(
                            ruleset,
                            beneath.putLong(0, rights & rules.handledFiles()).putInt(Long.BYTES, fd),
                            fd);
                }
            });
            return ruleset;
        } catch (RuntimeException e) {
            linux.close(ruleset);
            throw e;
        }
    }

    /** A ruleset that takes nothing away but signals to the outside. */
    int signalScope(LandlockAbi abi) {
        return create(abi, 0, 0, LandlockAbi.SCOPE_SIGNAL);
    }

    private int create(LandlockAbi abi, long files, long ports, long scopes) {
        try (Arena own = Arena.ofConfined()) {
            Struct attribute =
                    new Struct(own, 48).putLong(0, files).putLong(8, ports).putLong(16, scopes);
            long fd = linux.landlock_create_ruleset(attribute.address(), abi.attributeLength(), 0);
            return (int) checked(fd, "landlock_create_ruleset");
        }
    }

    private void add(int ruleset, Struct beneath, Object what) {
        long error = linux.landlock_add_rule(ruleset, RULE_PATH_BENEATH, beneath.address(), 0);
        if (error != 0) {
            checked(error, "landlock_add_rule for " + what);
        }
    }

    private static Struct pathOnly(Arena arena) {
        return new Struct(arena, OPEN_HOW)
                .putLong(0, Linux.O_PATH | Linux.O_CLOEXEC)
                .putLong(16, Linux.RESOLVE_NO_SYMLINKS);
    }

    /**
     * A path without following a link: all have been followed, and who makes one now is up to something.
     *
     * @return empty if it is gone, or may not be looked up
     */
    OptionalInt open(Path path) {
        try (Arena own = Arena.ofConfined()) {
            int opened = open(path, pathOnly(own), new Struct(own, PATH_MAX));
            return opened < 0 ? OptionalInt.empty() : OptionalInt.of(opened);
        }
    }

    /** The same name by name: with O_PATH a link is opened itself, and nothing can be looked up in it. */
    private long step(Path path) {
        int flags = Linux.O_PATH | Linux.O_NOFOLLOW | Linux.O_CLOEXEC;
        try (Arena own = Arena.ofConfined()) {
            long at = linux.openat(Linux.AT_FDCWD, CStrings.of(own, "/"), flags, 0);
            for (Path name : path) {
                long next = linux.openat((int) at, CStrings.of(own, name.toString()), flags, 0);
                linux.close((int) at);
                if (next < 0) {
                    return next;
                }
                at = next;
            }
            return at;
        }
    }

    private int open(Path path, Struct how, Struct name) {
        CStrings.put(name, path.toString());
        long asked = linux.openat2(Linux.AT_FDCWD, name.address(), how.address(), OPEN_HOW);
        // Under a filter of ours openat2 is not there: a JVM that is confined already, and confines itself further.
        long fd = asked == -Linux.ENOSYS ? step(path) : asked;
        if (fd < 0 && fd != -Linux.ENOENT && fd != -Linux.EACCES) {
            checked(fd, "open " + path);
        }
        return (int) fd;
    }

    /** The same again under another number, for somebody who closes it. */
    int duplicate(int fd) {
        return (int) checked(linux.fcntl(fd, Linux.F_DUPFD_CLOEXEC, 3), "dup");
    }

    static long checked(long result, String what) {
        if (result < 0) {
            throw new LaunchException(
                    Phase.CONFINE, Fault.HOST, what + " failed with " + Errors.text(-result) + "; nothing was started");
        }
        return result;
    }
}
