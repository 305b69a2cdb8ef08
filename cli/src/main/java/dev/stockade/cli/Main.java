package dev.stockade.cli;

import dev.stockade.api.Placeholder;

/** The entry of the command line. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        System.out.println(describe(new Installed(Placeholder.backends())));
    }

    static String describe(Object fact) {
        return switch (fact) {
            case Installed(int backends) -> backends + " backends";
            default -> "nothing to tell";
        };
    }

    record Installed(int backends) {}
}
