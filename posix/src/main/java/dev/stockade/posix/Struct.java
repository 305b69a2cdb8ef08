package dev.stockade.posix;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Memory that the kernel reads or writes, aligned for any of its structures. Through a buffer: the variable handles of
 * {@link java.lang.foreign.ValueLayout} are linked when they are first used, which is slow at start-up, and not to be
 * done on a thread that has confined itself.
 */
public final class Struct {

    private static final long ALIGNED = 8;

    private final long address;
    private final ByteBuffer bytes;

    /**
     * Zeroed memory.
     *
     * @param arena owns it
     * @param size in bytes
     */
    public Struct(Arena arena, long size) {
        MemorySegment memory = arena.allocate(size, ALIGNED);
        address = memory.address();
        bytes = memory.asByteBuffer().order(ByteOrder.nativeOrder());
    }

    /** Where it is. */
    public long address() {
        return address;
    }

    /** Its size in bytes. */
    public int size() {
        return bytes.capacity();
    }

    public Struct putLong(int at, long value) {
        bytes.putLong(at, value);
        return this;
    }

    public Struct putInt(int at, int value) {
        bytes.putInt(at, value);
        return this;
    }

    public Struct putShort(int at, int value) {
        bytes.putShort(at, (short) value);
        return this;
    }

    public Struct put(byte[] all) {
        bytes.put(0, all);
        return this;
    }

    long getLong(int at) {
        return bytes.getLong(at);
    }

    int getInt(int at) {
        return bytes.getInt(at);
    }
}
