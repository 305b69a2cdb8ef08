package dev.stockade.api.spi;

/** A mechanism that can hold a profile. */
public interface Backend {
    /**
     * The name it is asked for by.
     *
     * @return a short name in lower case
     */
    String name();
}
