package dev.stockade.cli.trace;

import java.nio.file.Path;
import java.util.List;

/**
 * What a command was refused, each thing once.
 *
 * @param operation what was tried
 * @param target what to
 * @param around of a file: the outermost directory that the command named on the way to it, or itself
 * @param creates whether it would have been made
 * @param error the error's name, the last time
 * @param times how often
 * @param programs the names of the programs that tried, sorted
 * @param last when it was last tried: a number that grows
 * @param aside why the program can be taken to have done without; empty if nothing speaks for that
 */
public record Refusal(
        Operation operation,
        Target target,
        Path around,
        boolean creates,
        String error,
        int times,
        List<String> programs,
        long last,
        String aside) {

    /** Copies the list. */
    public Refusal {
        programs = List.copyOf(programs);
    }
}
