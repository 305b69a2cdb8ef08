package dev.stockade.cli;

import java.util.ArrayList;
import java.util.List;

/** The options there are. Parsing and help are made from this table. */
enum Option {
    BACKEND("--backend", "NAME", Of.CHOOSING, "the mechanism that confines; else the strongest that works here"),
    PROFILE("--profile", "NAME|FILE", Of.CHOOSING, "what the command may touch; strict unless given"),
    WORKSPACE("--workspace", "DIR", Of.CONFINING, "the directory it works in; else the current directory"),
    CWD(
            "--cwd",
            "DIR",
            Of.CONFINING,
            "where it starts, in the workspace (or relative to it); else the current directory if that lies inside"),
    NETWORK(
            "--network",
            "off|loopback|on",
            Of.CHOOSING,
            "off: none; loopback: servers on this machine's loopback, as far as the backend shares it; on: everything"),
    RO("--ro", "PATH...", Of.CONFINING, "may be read; inside the workspace this makes it read-only"),
    RW("--rw", "PATH...", Of.CONFINING, "may be read and written"),
    READ_ONLY("--read-only", "", Of.CONFINING, "the workspace itself may not be written"),
    HIDE("--hide", "PATH...", Of.CONFINING, "is not seen"),
    ENV(
            "--env",
            "NAME[=VALUE]...",
            Of.CONFINING,
            "a variable that crosses; without a value it has the caller's, which keeps it out of argument lists"),
    IMAGE("--image", "IMAGE", Of.CONFINING, "the container image; chooses the backend docker"),
    PARTIAL("--partial", "", Of.CHOOSING, "accept a network that is held off only in part"),
    TIMEOUT("--timeout", "TIME", Of.RUNNING, "end it after this time, such as 500ms, 30s, 5m or 2h; the status is 124"),
    STATUS_FILE("--status-file", "FILE", Of.STARTING, "write here, as JSON, how it ended or why it was not started"),
    MECHANISM("--mechanism", "", Of.WRAPPING, "print what the backend would execute instead, to be read"),
    EVERY("--all", "", Of.PROVING, "every backend that works here, also those that must be named"),
    JSON("--json", "", Of.ANSWERING, "answer in JSON"),
    MAN_PAGES("--man-pages", "DIR", Of.DOCUMENTING, "write all of it into this directory, as manual pages, for man(1)"),
    VERBOSE("--verbose", "", Of.STARTING, "say what confines it, and everything that was skipped or added"),
    DEBUG("--debug", "", Of.ALL, "show where in Stockade an error came up"),
    HELP("--help", "", Of.ALL, "show the options");

    /** Groups of verbs. */
    private enum Of {
        STARTING,
        RUNNING,
        CONFINING,
        CHOOSING,
        PROVING,
        ANSWERING,
        WRAPPING,
        DOCUMENTING,
        ALL;

        boolean includes(Verb verb) {
            return switch (this) {
                case STARTING -> verb == Verb.RUN || verb == Verb.SHELL;
                case RUNNING -> verb == Verb.WRAP || verb == Verb.TRACE || STARTING.includes(verb);
                case CONFINING -> verb == Verb.EXPLAIN || RUNNING.includes(verb);
                case PROVING -> verb == Verb.PROVE;
                case CHOOSING -> verb == Verb.PROVE || CONFINING.includes(verb);
                case ANSWERING ->
                    verb == Verb.WRAP
                            || verb == Verb.TRACE
                            || verb == Verb.EXPLAIN
                            || verb == Verb.DOCTOR
                            || verb == Verb.PROVE
                            || verb == Verb.PROFILES;
                case WRAPPING -> verb == Verb.WRAP;
                case DOCUMENTING -> verb == Verb.HELP;
                case ALL -> true;
            };
        }
    }

    private static final String MORE = "...";

    private final String word;
    private final String argument;
    private final Of verbs;
    private final String help;

    Option(String word, String argument, Of verbs, String help) {
        this.word = word;
        this.argument = argument;
        this.verbs = verbs;
        this.help = help;
    }

    /** As it is typed. */
    String word() {
        return word;
    }

    /** What stands for its argument in help; empty if it has none. */
    String argument() {
        return isRepeatable() ? argument.substring(0, argument.length() - MORE.length()) : argument;
    }

    boolean takesArgument() {
        return !argument.isEmpty();
    }

    boolean isRepeatable() {
        return argument.endsWith(MORE);
    }

    /** The arguments it can have, if they can be counted: those that stand in the help. */
    List<String> words() {
        return argument.matches("[a-z|]+\\|[a-z|]+") ? List.of(argument.split("\\|", -1)) : List.of();
    }

    /** Whether its argument is a path that is taken from the current directory. */
    boolean isPath() {
        return this == WORKSPACE || this == RO || this == RW || this == HIDE;
    }

    String help() {
        return help;
    }

    boolean isOf(Verb verb) {
        return verbs.includes(verb);
    }

    List<Verb> verbs() {
        List<Verb> all = new ArrayList<>();
        for (Verb verb : Verb.values()) {
            if (isOf(verb)) {
                all.add(verb);
            }
        }
        return all;
    }

    static List<Option> of(Verb verb) {
        List<Option> all = new ArrayList<>();
        for (Option option : values()) {
            if (option.isOf(verb)) {
                all.add(option);
            }
        }
        return all;
    }
}
