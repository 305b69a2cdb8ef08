package dev.stockade.backend.none;

import dev.stockade.api.spi.Backend;

/** Stands here until the backend does. */
public final class NoneBackend implements Backend {
    @Override
    public String name() {
        return "none";
    }
}
