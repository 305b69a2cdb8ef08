package dev.stockade.api.spi;

import dev.stockade.api.Availability;
import dev.stockade.api.Profile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

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

    /**
     * How it confines the JVM that it is used in. Asked only where available.
     *
     * @return empty, unless overridden: it starts confined commands, and cannot confine what runs already
     */
    default Optional<JvmBoundary> jvmBoundary() {
        return Optional.empty();
    }

    /**
     * A boundary around the whole process, for good. Where a mechanism confines single threads, or what it starts, the
     * JVM is started again in place; the second start finds a mark, and proves the boundary instead of drawing it.
     */
    interface JvmBoundary {

        /**
         * Whether a profile can be held around this JVM, and what it and all it starts could then still do. Pure.
         *
         * @param profile its paths are resolved, and the paths that widen it exist
         * @param host the facts
         * @return every part that it refuses, and its claims
         */
        Assessment assess(Profile profile, Host host);

        /**
         * Draws the boundary. Returns when every thread is confined; does not return where the JVM has to start again.
         *
         * @param profile as {@link #assess} saw it
         * @param host the facts
         * @param scratch a name for a private directory outside of all that is granted, which does not exist yet and
         *     which a later start removes; empty where there is no place for one
         * @param jvm how this JVM was started; to ask for it throws where that cannot be told
         * @throws dev.stockade.api.LaunchException if it cannot be drawn; where the message does not say otherwise
         *     nothing is confined
         */
        void confine(Profile profile, Host host, Optional<Path> scratch, Supplier<Jvm> jvm);

        /**
         * Tries, in a process that is confined, what must fail now.
         *
         * @param profile what is held
         * @param host the facts
         * @return what could not be tried, for people
         * @throws dev.stockade.api.LaunchException if something got through, with the phase PROVE
         */
        List<String> prove(Profile profile, Host host);
    }

    /**
     * How a JVM was started, as the kernel has it. Arguments and variables are bytes: which text they are depends on a
     * locale, and they have to come out as they came in.
     *
     * @param program the launcher's file
     * @param argv its arguments, the name it was called by first
     * @param environment its variables, each {@code NAME=value}
     * @param directory its working directory
     * @param descriptors those above 2 that were passed to it on purpose: by socket activation, or named by an argument
     * @param mark what the second start has to find in a memory file that it inherits
     */
    record Jvm(
            Path program,
            List<byte[]> argv,
            List<byte[]> environment,
            Path directory,
            Set<Integer> descriptors,
            String mark) {

        /**
         * Copies what it is given.
         *
         * @param program the launcher's file
         * @param argv its arguments
         * @param environment its variables
         * @param directory its working directory
         * @param descriptors those to keep
         * @param mark what the second start has to find
         */
        public Jvm {
            argv = List.copyOf(argv);
            environment = List.copyOf(environment);
            descriptors = Set.copyOf(descriptors);
        }
    }
}
