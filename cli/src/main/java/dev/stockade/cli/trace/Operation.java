package dev.stockade.cli.trace;

/** What was tried. */
public enum Operation {
    /** To read a file, or to look it up. */
    READ("read"),
    /** To make, change or remove one. */
    WRITE("write"),
    /** To execute one. */
    EXECUTE("execute"),
    /** To reach an address, a name or a host program's socket. */
    CONNECT("connect"),
    /** To make a socket, before any address is known. */
    SOCKET("socket");

    private final String word;

    Operation(String word) {
        this.word = word;
    }

    /**
     * For tables and programs.
     *
     * @return one lower-case word
     */
    public String word() {
        return word;
    }
}
