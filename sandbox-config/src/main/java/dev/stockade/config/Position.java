package dev.stockade.config;

/** A place in a text, both numbers from 1; or none, where there is no text to have a place in. */
record Position(int line, int column) {

    static final Position NONE = new Position(0, 0);
    static final Position START = new Position(1, 1);
}
