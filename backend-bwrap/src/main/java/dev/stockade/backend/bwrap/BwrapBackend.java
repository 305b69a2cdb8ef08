package dev.stockade.backend.bwrap;

import dev.stockade.api.spi.Backend;

/** Stands here until the backend does. */
public final class BwrapBackend implements Backend {
    @Override
    public String name() {
        return "bwrap";
    }
}
