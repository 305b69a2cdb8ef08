package dev.stockade.api;

/** No confined command was started, and no unconfined one either. */
public abstract sealed class SandboxException extends RuntimeException
        permits NoBackendException, ProfileNotSupportedException, LaunchException {

    private static final long serialVersionUID = 1L;

    /** What happened and what to do. */
    private final String message;

    SandboxException(String message) {
        super(message);
        this.message = message;
    }

    SandboxException(String message, Throwable cause) {
        super(message, cause);
        this.message = message;
    }

    /**
     * What happened and what to do, for people.
     *
     * @return one or more lines, without any variable's value
     */
    @Override
    public String getMessage() {
        return message;
    }
}
