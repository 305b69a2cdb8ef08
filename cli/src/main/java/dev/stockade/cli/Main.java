package dev.stockade.cli;

import java.util.List;

/** The entry of the command line. */
public final class Main {

    private Main() {}

    /**
     * Does what the arguments say and ends the JVM with the status that came of it.
     *
     * @param args the arguments
     */
    public static void main(String[] args) {
        HeadStart.take(args);
        System.exit(run(List.of(args), Console.standard()));
    }

    /** The one place where failures end: nothing is thrown, and nothing but text reaches the user. */
    static int run(List<String> argv, Console console) {
        try {
            return Action.of(Parser.parse(argv)).perform(console);
        } catch (Throwable thrown) {
            Failure failure = Failure.of(thrown);
            console.say(failure.message());
            if (Parser.asksForDebugging(argv)) {
                thrown.printStackTrace(console.err());
            }
            return failure.status();
        }
    }
}
