package dev.stockade.api;

import java.util.List;

/** No backend can be used here; each says why and what to do. */
public final class NoBackendException extends SandboxException {

    private static final long serialVersionUID = 1L;

    private final transient List<Backends.Verdict> verdicts;

    NoBackendException(String message, List<Backends.Verdict> verdicts) {
        super(message);
        this.verdicts = List.copyOf(verdicts);
    }

    /**
     * What each backend said.
     *
     * @return one verdict a backend
     */
    public List<Backends.Verdict> verdicts() {
        return verdicts;
    }
}
