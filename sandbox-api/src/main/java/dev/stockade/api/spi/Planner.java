package dev.stockade.api.spi;

import dev.stockade.api.Command;
import dev.stockade.api.Profile;
import dev.stockade.api.internal.PlannedConfinement;
import dev.stockade.api.internal.RestartUnder;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The easy path to a backend: say what to execute. Starting, wrapping, handing over, feeding descriptors, decoding
 * status, killing and cleaning up are done for it.
 */
public interface Planner extends Backend {

    /**
     * Does, once for many commands, the work that no command changes. Pure.
     *
     * @param profile what to hold
     * @param host the facts
     * @return the plan
     */
    Plan prepare(Profile profile, Host host);

    /** What is known once a profile is prepared. Thread-safe. */
    interface Plan {

        /**
         * Plans the start of one command. Pure.
         *
         * @param command what to start; its directory is present, absolute, and inside the workspace
         * @param start what is known of this start
         * @return what to execute
         * @throws dev.stockade.api.LaunchException if the program cannot be found or executed
         */
        Launch launch(Command command, Start start);

        /**
         * Whether the commands see the temporary directory that {@link Start#tmp()} offers.
         *
         * @return true, unless overridden
         */
        default boolean usesTmp() {
            return true;
        }

        /**
         * Turns what the mechanism complained about into advice.
         *
         * @param complaint what it printed
         * @return what happened and what to do, if it is known
         */
        default Optional<String> advice(String complaint) {
            return Optional.empty();
        }

        /**
         * Whether every start is proven from inside anyway, as {@link Confinement#provesEachStart}.
         *
         * @return false, unless overridden
         */
        default boolean provesEachStart() {
            return false;
        }

        /** Lets go of what preparing took hold of. Nothing is launched afterwards. */
        default void close() {}
    }

    /** Who will be the parent of what is started. */
    enum Purpose {
        /** A thread of the library that lasts as long as the JVM: "die with parent" is safe, and is wanted. */
        SUPERVISED,
        /** Whoever starts an invocation, perhaps from a thread that ends at once: never "die with parent". */
        WRAPPED,
        /** This process becomes the command and nobody cleans up: no directory on the host, no "die with parent". */
        HANDED_OVER
    }

    /**
     * One start.
     *
     * @param scratch a private directory, outside of all that the command sees, removed afterwards; its last name is
     *     unique on this host
     * @param tmp the confinement's own temporary directory on the host; empty where nobody would remove it
     * @param purpose who will be the parent
     */
    record Start(Path scratch, Optional<Path> tmp, Purpose purpose) {}

    @Override
    default Confinement confine(Profile profile, Host host) {
        return confinement(prepare(profile, host), profile, host);
    }

    /**
     * Carries a plan out, for a backend that needs more than one plan.
     *
     * @param plan what was prepared
     * @param profile what it was prepared for
     * @param host the facts
     * @return a confinement that starts, wraps and cleans up as the plan says; whoever asks for it closes it
     */
    static Confinement confinement(Plan plan, Profile profile, Host host) {
        return new PlannedConfinement(plan, profile, host);
    }

    /**
     * Confines a running JVM by starting it again behind what this planner puts in front of commands. For a planner
     * whose launch needs no files and no stop command.
     *
     * @param planner who knows that program
     * @return what its {@link Backend#jvmBoundary} may return
     */
    static JvmBoundary restarting(Planner planner) {
        return new RestartUnder(planner);
    }
}
