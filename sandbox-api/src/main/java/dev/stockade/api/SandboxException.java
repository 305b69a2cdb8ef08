package dev.stockade.api;

/** No confined command was started, and no unconfined one either. */
public abstract sealed class SandboxException extends RuntimeException
        permits NoBackendException, ProfileNotSupportedException, LaunchException {

    private static final long serialVersionUID = 1L;

    SandboxException(String message) {
        super(message);
    }

    SandboxException(String message, Throwable cause) {
        super(message, cause);
    }
}
