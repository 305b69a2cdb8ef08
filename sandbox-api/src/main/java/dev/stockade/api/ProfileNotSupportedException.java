package dev.stockade.api;

import java.util.List;

/** Backends work here, but none of those that may be used can hold the profile; each lists every part. */
public final class ProfileNotSupportedException extends SandboxException {

    private static final long serialVersionUID = 1L;

    private final transient List<Backends.Verdict> verdicts;

    ProfileNotSupportedException(String message, List<Backends.Verdict> verdicts) {
        super(message);
        this.verdicts = List.copyOf(verdicts);
    }

    /**
     * What each backend said, also those that were not asked for and could hold it.
     *
     * @return one verdict a backend
     */
    public List<Backends.Verdict> verdicts() {
        return verdicts;
    }
}
