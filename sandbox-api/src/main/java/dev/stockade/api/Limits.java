package dev.stockade.api;

import java.util.Objects;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Ceilings for one command and all it starts. A backend that cannot hold one that is set refuses the profile. */
public final class Limits {

    /** No ceiling. */
    public static final Limits NONE = new Limits(OptionalLong.empty(), OptionalDouble.empty(), OptionalInt.empty());

    private final OptionalLong memoryBytes;
    private final OptionalDouble cpus;
    private final OptionalInt processes;

    private Limits(OptionalLong memoryBytes, OptionalDouble cpus, OptionalInt processes) {
        this.memoryBytes = memoryBytes;
        this.cpus = cpus;
        this.processes = processes;
    }

    /**
     * With this much memory.
     *
     * @param bytes bytes, more than 0
     * @return the new limits
     */
    public Limits memoryBytes(long bytes) {
        require(bytes > 0, "memory", bytes);
        return new Limits(OptionalLong.of(bytes), cpus, processes);
    }

    /**
     * With this much processor time a second.
     *
     * @param share processors, more than 0; 0.5 is half of one
     * @return the new limits
     */
    public Limits cpus(double share) {
        require(share > 0 && Double.isFinite(share), "cpus", share);
        return new Limits(memoryBytes, OptionalDouble.of(share), processes);
    }

    /**
     * With this many processes and threads at once.
     *
     * @param count more than 0
     * @return the new limits
     */
    public Limits processes(int count) {
        require(count > 0, "processes", count);
        return new Limits(memoryBytes, cpus, OptionalInt.of(count));
    }

    private static void require(boolean holds, String what, Number value) {
        if (!holds) {
            throw new IllegalArgumentException("limits." + what + " must be more than 0, not " + value);
        }
    }

    /**
     * The memory ceiling.
     *
     * @return bytes, if limited
     */
    public OptionalLong memoryBytes() {
        return memoryBytes;
    }

    /**
     * The processor ceiling.
     *
     * @return processors, if limited
     */
    public OptionalDouble cpus() {
        return cpus;
    }

    /**
     * The ceiling on processes and threads.
     *
     * @return their number, if limited
     */
    public OptionalInt processes() {
        return processes;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Limits that
                && memoryBytes.equals(that.memoryBytes)
                && cpus.equals(that.cpus)
                && processes.equals(that.processes);
    }

    @Override
    public int hashCode() {
        return Objects.hash(memoryBytes, cpus, processes);
    }

    @Override
    public String toString() {
        return "memory " + memoryBytes + ", cpus " + cpus + ", processes " + processes;
    }
}
