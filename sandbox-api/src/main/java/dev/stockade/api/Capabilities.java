package dev.stockade.api;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * What a confined command can still do, each answer with its reason. Conservative: what nobody claimed to be closed is
 * open, and a restriction that is only partial is open. Immutable.
 */
public final class Capabilities {

    /** Nothing is known to be closed: what a command that is not confined can do. */
    public static final Capabilities EVERYTHING =
            new Capabilities(new EnumMap<>(Reach.class), new EnumMap<>(Reach.class));

    private final Map<Reach, String> closed;
    private final Map<Reach, String> open;

    private Capabilities(Map<Reach, String> closed, Map<Reach, String> open) {
        this.closed = Collections.unmodifiableMap(closed);
        this.open = Collections.unmodifiableMap(open);
    }

    /**
     * The same answers, but {@code reach} is closed.
     *
     * @param reach what the command cannot do
     * @param reason the mechanism that closes it: a sentence for people
     * @return the new answers
     */
    public Capabilities closing(Reach reach, String reason) {
        Map<Reach, String> nowClosed = copy(closed);
        Map<Reach, String> nowOpen = copy(open);
        nowClosed.put(reach, reason);
        nowOpen.remove(reach);
        return new Capabilities(nowClosed, nowOpen);
    }

    /**
     * The same answers, but {@code reach} is open.
     *
     * @param reach what the command can do
     * @param reason why: a sentence for people
     * @return the new answers
     */
    public Capabilities opening(Reach reach, String reason) {
        Map<Reach, String> nowClosed = copy(closed);
        Map<Reach, String> nowOpen = copy(open);
        nowOpen.put(reach, reason);
        nowClosed.remove(reach);
        return new Capabilities(nowClosed, nowOpen);
    }

    private static Map<Reach, String> copy(Map<Reach, String> from) {
        Map<Reach, String> copy = new EnumMap<>(Reach.class);
        copy.putAll(from);
        return copy;
    }

    /**
     * Whether the command may be able to do this.
     *
     * @param reach what is asked for
     * @return false only where a mechanism closes it
     */
    public boolean can(Reach reach) {
        return !closed.containsKey(reach);
    }

    /**
     * Why {@link #can} answers as it does.
     *
     * @param reach what is asked for
     * @return a sentence for people
     */
    public String reason(Reach reach) {
        String reason = closed.getOrDefault(reach, open.get(reach));
        return reason == null ? "nothing closes it here" : reason;
    }

    /**
     * Whether anything may get out: off this machine, to the host's loopback, or to a host program that relays.
     *
     * @return false only where all three are closed
     */
    public boolean canReachNetwork() {
        return can(Reach.SEND_OFF_MACHINE) || can(Reach.HOST_LOOPBACK) || can(Reach.HOST_UNIX_SOCKETS);
    }

    /**
     * Whether data beyond the workspace may be read or written. The read-only operating system does not count;
     * metadata is a question of its own ({@link Reach#METADATA_BEYOND}).
     *
     * @return false only where reading, writing and a shared {@code /tmp} are closed
     */
    public boolean reachesBeyondWorkspace() {
        return can(Reach.READ_BEYOND) || can(Reach.WRITE_BEYOND) || can(Reach.SHARED_TMP);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Capabilities that && closed.equals(that.closed) && open.equals(that.open);
    }

    @Override
    public int hashCode() {
        return 31 * closed.hashCode() + open.hashCode();
    }

    @Override
    public String toString() {
        return "cannot " + closed.keySet() + ", everything else can";
    }
}
