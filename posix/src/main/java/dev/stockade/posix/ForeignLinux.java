package dev.stockade.posix;

import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** System calls through libc's {@code syscall(2)}. */
public final class ForeignLinux implements Linux {

    /** On Unix this holds errno and nothing else. */
    private static final MemoryLayout CAPTURED = Linker.Option.captureStateLayout();

    private static final MemorySegment SYSCALL = CLibrary.find("syscall");

    private final MemorySegment captured;
    private final ByteBuffer errno;

    /**
     * Makes the calls of one thread.
     *
     * @param arena owns the memory that an error's number is left in
     */
    public ForeignLinux(Arena arena) {
        captured = arena.allocate(CAPTURED);
        errno = captured.asByteBuffer().order(ByteOrder.nativeOrder());
    }

    @Override
    public long syscall(Syscall call, long a, long b, long c, long d, long e, long f) {
        long result = CLibrary.call(SYSCALL, captured, call.number(), a, b, c, d, e, f);
        return result == -1 ? -errno.getInt(0) : result;
    }
}
