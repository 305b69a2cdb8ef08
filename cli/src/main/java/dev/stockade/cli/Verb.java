package dev.stockade.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The first word after {@code stockade}. */
enum Verb {
    RUN("run", "[options] [--] COMMAND [ARGUMENT...]", "run a command confined"),
    SHELL("shell", "[options]", "open an interactive shell, confined"),
    WRAP("wrap", "[options] [--] COMMAND [ARGUMENT...]", "print the line that runs a command confined"),
    TRACE(
            "trace",
            "[options] [--] COMMAND [ARGUMENT...]",
            "run a command confined, list what it was refused, and propose what would allow it"),
    EXPLAIN("explain", "[options] [[--] COMMAND...]", "say what a command could read, write and reach"),
    DOCTOR("doctor", "[options]", "say which backends work here, and how to mend the others"),
    PROVE("prove", "[options]", "try from inside what a backend claims, and show claim against evidence"),
    PROFILES("profiles", "[options]", "list the named profiles"),
    INIT("init", "", "write a commented file that lets the build found here work, offline"),
    COMPLETION("completion", "bash|zsh|fish", "print what makes a shell complete this command's arguments"),
    HELP("help", "[options] [COMMAND]", "explain a command and its options"),
    VERSION("version", "", "print the version");

    private final String word;
    private final String usage;
    private final String summary;

    Verb(String word, String usage, String summary) {
        this.word = word;
        this.usage = usage;
        this.summary = summary;
    }

    static Optional<Verb> of(String word) {
        for (Verb verb : values()) {
            if (verb.word.equals(word)) {
                return Optional.of(verb);
            }
        }
        return Optional.empty();
    }

    static List<String> words() {
        List<String> words = new ArrayList<>();
        for (Verb verb : values()) {
            words.add(verb.word);
        }
        return words;
    }

    String word() {
        return word;
    }

    String usage() {
        return usage.isEmpty() ? word : word + " " + usage;
    }

    /** A sentence without its first capital and its full stop. */
    String summary() {
        return summary;
    }

    /** Whether everything from the first operand on belongs to the confined command. */
    boolean takesCommand() {
        return needsCommand() || this == EXPLAIN;
    }

    /** Whether one operand of its own may follow. */
    boolean takesOperand() {
        return this == HELP || this == COMPLETION;
    }

    /** Whether it cannot do without an operand. */
    boolean needsCommand() {
        return this == RUN || this == WRAP || this == TRACE;
    }
}
