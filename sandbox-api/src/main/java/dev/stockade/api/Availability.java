package dev.stockade.api;

/** Whether a backend works on this host; if not, why, and what to do about it. */
public sealed interface Availability {

    /**
     * It works.
     *
     * @param detail what was found: version, program, kernel interface
     */
    record Available(String detail) implements Availability {}

    /**
     * It does not work here.
     *
     * @param reason what is missing or refused
     * @param remedy what somebody can do about it
     */
    record Unavailable(String reason, String remedy) implements Availability {}

    /**
     * Spares Java 17 a pattern.
     *
     * @return whether this is {@link Available}
     */
    default boolean isAvailable() {
        return this instanceof Available;
    }
}
