package dev.stockade.linux.filter;

/** Stands here until the filter does. */
public final class Placeholder {
    private Placeholder() {}

    /** The bytes of no program. */
    public static byte[] program() {
        return new byte[0];
    }
}
