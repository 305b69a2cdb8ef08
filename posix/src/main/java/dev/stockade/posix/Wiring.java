package dev.stockade.posix;

import dev.stockade.api.LaunchException;
import dev.stockade.api.LaunchException.Fault;
import dev.stockade.api.LaunchException.Phase;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The descriptors of one start. What the child gets is prepared above all numbers that it may get it under, so that
 * no move overwrites the source of another.
 */
final class Wiring {

    /** The first number that neither a standard stream nor a feed uses. */
    static final int FREE = 10;

    private final Linux linux;
    private final Arena arena;
    private final List<Integer> childEnds = new ArrayList<>();
    private final List<AutoCloseable> ours = new ArrayList<>();

    Wiring(Linux linux, Arena arena) {
        this.linux = linux;
        this.arena = arena;
    }

    /** A pipe that the child writes to. */
    record Outlet(int child, PipeInput stream) {}

    /** A pipe that the child reads from. */
    record Inlet(int child, PipeOutput stream) {}

    Outlet outlet() {
        int[] ends = pipe();
        childEnds.add(ends[1]);
        try {
            PipeInput stream = new PipeInput(new FileInputStream(path(ends[0])));
            ours.add(stream);
            return new Outlet(ends[1], stream);
        } catch (IOException e) {
            throw noDescriptor(e);
        } finally {
            linux.close(ends[0]);
        }
    }

    Inlet inlet() {
        int[] ends = pipe();
        childEnds.add(ends[0]);
        try {
            PipeOutput stream = new PipeOutput(new FileOutputStream(path(ends[1])));
            ours.add(stream);
            return new Inlet(ends[0], stream);
        } catch (IOException e) {
            throw noDescriptor(e);
        } finally {
            linux.close(ends[1]);
        }
    }

    /** The file that a redirection names. It is opened by this process, so it need not be visible to the child. */
    int file(Redirect redirect) {
        File file = redirect.file();
        if (file == null) {
            throw new IllegalArgumentException("not a redirection to a file: " + redirect);
        }
        int flags = switch (redirect.type()) {
            case READ -> Linux.O_RDONLY;
            case APPEND -> Linux.O_WRONLY | Linux.O_CREAT | Linux.O_APPEND;
            default -> Linux.O_WRONLY | Linux.O_CREAT | Linux.O_TRUNC;
        };
        long fd =
                linux.openat(Linux.AT_FDCWD, CStrings.of(arena, file.getAbsolutePath()), flags | Linux.O_CLOEXEC, 0666);
        if (fd < 0) {
            throw new LaunchException(
                    Phase.PREPARE, Fault.COMMAND, "cannot open " + file + " for redirection: " + Errors.text(-fd));
        }
        return forChild((int) fd);
    }

    /** A file in memory that holds these bytes: memfd_create(2). */
    int feed(byte[] bytes) {
        return forChild(memory(linux, arena, bytes));
    }

    static int memory(Linux linux, Arena arena, byte[] bytes) {
        int fd = (int) checked(linux.memfd_create(CStrings.of(arena, "stockade"), Linux.MFD_CLOEXEC));
        MemorySegment buffer = arena.allocate(Math.max(1, bytes.length));
        MemorySegment.copy(bytes, 0, buffer, ValueLayout.JAVA_BYTE, 0, bytes.length);
        long written = 0;
        while (written < bytes.length) {
            written += checked(linux.write(fd, buffer.address() + written, bytes.length - written));
        }
        linux.lseek(fd, 0, 0);
        return fd;
    }

    /** Closes what the child has got: after the start. */
    void closeChildEnds() {
        childEnds.forEach(linux::close);
        childEnds.clear();
    }

    /** Closes everything: the start has failed. */
    void abandon() {
        closeChildEnds();
        for (AutoCloseable end : ours) {
            try {
                end.close();
            } catch (Exception e) {
                // Nobody reads or writes it any more.
            }
        }
    }

    private int[] pipe() {
        MemorySegment ends = arena.allocate(ValueLayout.JAVA_INT, 2);
        checked(linux.pipe2(ends.address(), Linux.O_CLOEXEC));
        return new int[] {
            above(ends.getAtIndex(ValueLayout.JAVA_INT, 0)), above(ends.getAtIndex(ValueLayout.JAVA_INT, 1))
        };
    }

    private int forChild(int fd) {
        int high = above(fd);
        childEnds.add(high);
        return high;
    }

    private int above(int fd) {
        if (fd >= FREE) {
            return fd;
        }
        int high = (int) checked(linux.fcntl(fd, Linux.F_DUPFD_CLOEXEC, FREE));
        linux.close(fd);
        return high;
    }

    private static String path(int fd) {
        return Path.of("/proc/self/fd", Integer.toString(fd)).toString();
    }

    private static long checked(long result) {
        if (result < 0) {
            throw noDescriptor(new IOException(Errors.text(-result)));
        }
        return result;
    }

    private static LaunchException noDescriptor(IOException e) {
        return new LaunchException(
                Phase.PREPARE, Fault.HOST, "cannot connect the command's streams: " + e.getMessage(), e);
    }
}
