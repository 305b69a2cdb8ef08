package dev.stockade.posix;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/**
 * System calls through libc's {@code syscall(2)}: one linked handle serves them all, which is what linking costs at
 * start-up. On a 64-bit machine every argument is a register.
 */
public final class ForeignLinux implements Linux {

    private static final MemoryLayout CAPTURED = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = CAPTURED.varHandle(MemoryLayout.PathElement.groupElement("errno"));
    private static final MethodHandle SYSCALL = link();

    private final MemorySegment captured;

    /**
     * Makes the calls of one thread.
     *
     * @param arena owns the memory that an error's number is left in
     */
    public ForeignLinux(Arena arena) {
        captured = arena.allocate(CAPTURED);
    }

    @SuppressWarnings("restricted")
    private static MethodHandle link() {
        Linker linker = Linker.nativeLinker();
        ValueLayout.OfLong word = ValueLayout.JAVA_LONG;
        return linker.downcallHandle(
                linker.defaultLookup().findOrThrow("syscall"),
                FunctionDescriptor.of(word, word, word, word, word, word, word, word),
                Linker.Option.firstVariadicArg(1),
                Linker.Option.captureCallState("errno"));
    }

    @Override
    public long syscall(Syscall call, long a, long b, long c, long d, long e, long f) {
        try {
            long result = (long) SYSCALL.invokeExact(captured, (long) call.number(), a, b, c, d, e, f);
            return result == -1 ? -(int) ERRNO.get(captured, 0L) : result;
        } catch (Throwable impossible) {
            throw new AssertionError(impossible);
        }
    }
}
