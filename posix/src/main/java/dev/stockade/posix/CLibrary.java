package dev.stockade.posix;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * Functions of the C library, all called by one linked handle: linking is what a start of the JVM pays for, several
 * times as much as for all calls together. On a 64-bit machine every argument is a register, one that a function does
 * not take is not looked at, and to call a function as if it had variable arguments, as {@code syscall(2)} does, costs
 * nothing where it has not.
 */
final class CLibrary {

    private static final Linker LINKER = Linker.nativeLinker();
    private static final MethodHandle CALL = link();

    private CLibrary() {}

    @SuppressWarnings("restricted")
    private static MethodHandle link() {
        ValueLayout.OfLong word = ValueLayout.JAVA_LONG;
        return LINKER.downcallHandle(
                FunctionDescriptor.of(word, word, word, word, word, word, word, word),
                Linker.Option.firstVariadicArg(1),
                Linker.Option.captureCallState("errno"));
    }

    /**
     * A function's address.
     *
     * @return {@link MemorySegment#NULL} if this library has none of that name
     */
    static MemorySegment find(String function) {
        return LINKER.defaultLookup().find(function).orElse(MemorySegment.NULL);
    }

    /**
     * Calls.
     *
     * @param errno where the number of an error is left, an {@code int}; used by one thread at a time
     * @return what the function returns; of a shorter type, its lower half
     */
    static long call(
            MemorySegment function, MemorySegment errno, long a, long b, long c, long d, long e, long f, long g) {
        try {
            return (long) CALL.invokeExact(function, errno, a, b, c, d, e, f, g);
        } catch (Throwable impossible) {
            throw new AssertionError(impossible);
        }
    }
}
