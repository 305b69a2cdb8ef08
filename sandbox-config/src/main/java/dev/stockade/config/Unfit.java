package dev.stockade.config;

/** A value that cannot be used; the message says what can. */
final class Unfit extends Exception {

    private static final long serialVersionUID = 1L;

    Unfit(String message) {
        super(message);
    }

    String message() {
        return String.valueOf(getMessage());
    }
}
