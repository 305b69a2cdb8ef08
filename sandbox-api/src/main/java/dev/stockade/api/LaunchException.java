package dev.stockade.api;

/** A confined command could not be started; says in which phase, and whose fault it is. */
public final class LaunchException extends SandboxException {

    private static final long serialVersionUID = 1L;

    /** How far the start had come. */
    public enum Phase {
        /** Before anything was started. */
        PREPARE,
        /** While the confinement was set up. */
        CONFINE,
        /** While the confinement was tried: it did not hold what was claimed for it. */
        PROVE,
        /** When the command itself was to be executed. */
        EXECUTE
    }

    /** Who can mend it. */
    public enum Fault {
        /** Whoever wrote the command. */
        COMMAND,
        /** Whoever wrote the profile. */
        PROFILE,
        /** Whoever runs the host. */
        HOST,
        /** Stockade, or a backend. */
        STOCKADE
    }

    /** How far the start had come. */
    private final Phase phase;

    /** Who can mend it. */
    private final Fault fault;

    /** The status that a shell would show for it. */
    private final int exitStatus;

    /**
     * Says what went wrong and what to do.
     *
     * @param phase how far the start had come
     * @param fault who can mend it
     * @param message what happened and what to do, without any variable's value
     */
    public LaunchException(Phase phase, Fault fault, String message) {
        this(phase, fault, message, 125);
    }

    /**
     * Says what went wrong and what to do.
     *
     * @param phase how far the start had come
     * @param fault who can mend it
     * @param message what happened and what to do, without any variable's value
     * @param cause what the platform said
     */
    public LaunchException(Phase phase, Fault fault, String message, Throwable cause) {
        super(message, cause);
        this.phase = phase;
        this.fault = fault;
        this.exitStatus = 125;
    }

    private LaunchException(Phase phase, Fault fault, String message, int exitStatus) {
        super(message);
        this.phase = phase;
        this.fault = fault;
        this.exitStatus = exitStatus;
    }

    /**
     * There is no such program for the command.
     *
     * @param program as it was asked for
     * @param why where it was looked for
     * @return the exception, with status 127
     */
    public static LaunchException notFound(String program, String why) {
        return new LaunchException(Phase.EXECUTE, Fault.COMMAND, program + ": not found: " + why, 127);
    }

    /**
     * The program cannot be executed.
     *
     * @param program as it was asked for
     * @param why what is wrong with it
     * @return the exception, with status 126
     */
    public static LaunchException notExecutable(String program, String why) {
        return new LaunchException(Phase.EXECUTE, Fault.COMMAND, program + ": cannot be executed: " + why, 126);
    }

    /**
     * How far the start had come.
     *
     * @return the phase
     */
    public Phase phase() {
        return phase;
    }

    /**
     * Who can mend it.
     *
     * @return the fault
     */
    public Fault fault() {
        return fault;
    }

    /**
     * The status that a shell would show for it.
     *
     * @return 127 not found, 126 found but not executable, 125 anything else
     */
    public int exitStatus() {
        return exitStatus;
    }
}
