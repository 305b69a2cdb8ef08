package dev.stockade.config;

/** A place in a text, both numbers from 1. */
record Position(int line, int column) {

    static final Position START = new Position(1, 1);
}
