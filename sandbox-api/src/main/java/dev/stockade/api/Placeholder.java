package dev.stockade.api;

import dev.stockade.api.spi.Backend;
import java.util.ServiceLoader;

/** Stands here until the API does. */
public final class Placeholder {
    private Placeholder() {}

    /**
     * Counts what is installed.
     *
     * @return how many backends were found
     */
    public static int backends() {
        return (int) ServiceLoader.load(Backend.class).stream().count();
    }
}
