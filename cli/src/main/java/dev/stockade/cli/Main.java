package dev.stockade.cli;

import dev.stockade.api.Backends;

/** The entry of the command line. */
public final class Main {
    private Main() {}

    /**
     * Stands here until the command does.
     *
     * @param args the arguments
     */
    public static void main(String[] args) {
        System.out.println(Backends.installed().availability());
    }
}
