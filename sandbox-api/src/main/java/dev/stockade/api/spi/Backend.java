package dev.stockade.api.spi;

import dev.stockade.api.Availability;
import dev.stockade.api.Profile;
import java.time.Duration;
import java.util.Map;

/**
 * A mechanism that can hold a profile. Found by {@link java.util.ServiceLoader}: named in {@code module-info} and in
 * {@code META-INF/services}. Stateless and thread-safe, with a public constructor that takes and does nothing.
 */
public interface Backend {

    /**
     * The name callers choose it by.
     *
     * @return lower case, unique among the installed backends
     */
    String name();

    /**
     * Whether it works here. Never throws and changes nothing; asks at most one short process or socket, through
     * {@link Host#output}, which remembers the answer.
     *
     * @param host the facts
     * @return available, or why not and what to do
     */
    Availability availability(Host host);

    /**
     * Whether it can hold a profile, and what a command could then still do. Pure; asked only where available.
     *
     * @param profile its paths are resolved, and the paths that widen it exist
     * @param host the facts
     * @return every part that it refuses, and its claims
     */
    Assessment assess(Profile profile, Host host);

    /**
     * Prepares, once for many commands, to hold a profile. Called only where {@link #assess} refused nothing.
     *
     * @param profile as {@link #assess} saw it
     * @param host the facts
     * @return the confinement
     * @throws dev.stockade.api.LaunchException if preparing fails
     */
    Confinement confine(Profile profile, Host host);

    /**
     * Whether it may be chosen without being named.
     *
     * @return false, unless overridden
     */
    default boolean automatic() {
        return false;
    }

    /**
     * What starting one command typically costs, to choose between backends that close equally much.
     *
     * @return one second, unless overridden
     */
    default Duration startCost() {
        return Duration.ofSeconds(1);
    }

    /**
     * The settings that only this backend understands, without its name and the dot. To leave one out must allow no
     * more than any value of it: a profile without a setting counts as narrower than one with it.
     *
     * @return a sentence of help by key; none unless overridden
     */
    default Map<String, String> settings() {
        return Map.of();
    }
}
