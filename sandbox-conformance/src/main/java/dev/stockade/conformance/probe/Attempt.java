package dev.stockade.conformance.probe;

/**
 * How one attempt ended.
 *
 * @param end the end
 * @param told what was seen
 */
record Attempt(End end, String told) {

    enum End {
        THROUGH,
        REFUSED,
        IMPOSSIBLE,
        SILENT
    }

    static Attempt through(String told) {
        return new Attempt(End.THROUGH, told);
    }

    static Attempt refused(String told) {
        return new Attempt(End.REFUSED, told);
    }

    /** It could not be made at all: a tool, or something to attack, is missing. */
    static Attempt impossible(String why) {
        return new Attempt(End.IMPOSSIBLE, why);
    }

    static Attempt silent(String told) {
        return new Attempt(End.SILENT, told);
    }

    boolean isThrough() {
        return end == End.THROUGH;
    }
}
