package dev.stockade.cli;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads a command line by the tables of verbs and options. */
final class Parser {

    private static final String END_OF_OPTIONS = "--";

    private final Verb verb;
    private final Map<Option, List<String>> values = new EnumMap<>(Option.class);

    private Parser(Verb verb) {
        this.verb = verb;
    }

    static Arguments parse(List<String> argv) {
        refuseUnreadable(argv);
        int first = !argv.isEmpty() && argv.get(0).equals(Option.DEBUG.word()) ? 1 : 0;
        if (argv.size() == first) {
            return new Arguments(Verb.HELP, Map.of(), List.of());
        }
        return new Parser(verb(argv.get(first))).options(argv, first + 1);
    }

    /** Asked of command lines that could not be read, too. */
    static boolean asksForDebugging(List<String> argv) {
        int end = argv.indexOf(END_OF_OPTIONS);
        return (end < 0 ? argv : argv.subList(0, end)).contains(Option.DEBUG.word());
    }

    /** Java has already put this character where bytes were no text in the locale's encoding: they are lost. */
    private static void refuseUnreadable(List<String> argv) {
        for (String argument : argv) {
            if (argument.indexOf('\uFFFD') >= 0) {
                throw new UsageException("the argument \"" + argument + "\" holds characters that the locale "
                        + "cannot express, so it would not reach the command unchanged; use a UTF-8 locale, "
                        + "such as LC_ALL=C.UTF-8");
            }
        }
    }

    private static Verb verb(String word) {
        return switch (word) {
            case "--help", "-h" -> Verb.HELP;
            case "--version", "-V" -> Verb.VERSION;
            default ->
                Verb.of(word)
                        .orElseThrow(() ->
                                new UsageException((word.startsWith("-") ? "a command comes before the options; " : "")
                                        + "there is no command \"" + word + "\"" + Nearest.hint(word, Verb.words())
                                        + ". Commands are " + String.join(", ", Verb.words())
                                        + "; to run a program confined: stockade run -- " + word));
        };
    }

    private Arguments options(List<String> argv, int from) {
        int at = from;
        while (at < argv.size()) {
            String word = argv.get(at);
            if (word.equals(END_OF_OPTIONS)) {
                at++;
                break;
            }
            if (!word.startsWith("-") || word.equals("-")) {
                break;
            }
            at += option(word, at + 1 < argv.size() ? Optional.of(argv.get(at + 1)) : Optional.empty());
        }
        if (values.containsKey(Option.HELP)) {
            return new Arguments(Verb.HELP, Map.of(), verb == Verb.HELP ? List.of() : List.of(verb.word()));
        }
        return new Arguments(verb, values, operands(argv.subList(at, argv.size())));
    }

    private List<String> operands(List<String> rest) {
        if (rest.isEmpty() && verb.needsCommand()) {
            throw new UsageException(
                    verb.word() + " needs a command: stockade " + verb.word() + " [options] -- COMMAND [ARGUMENT...]");
        }
        if (!rest.isEmpty() && rest.get(0).isEmpty() && verb.takesCommand()) {
            throw new UsageException("the command is empty; was a variable not set?");
        }
        boolean tooMany = verb.takesOperand() ? rest.size() > 1 : !verb.takesCommand() && !rest.isEmpty();
        if (tooMany) {
            String hint = verb == Verb.SHELL ? "; to run a program: stockade run -- " + rest.get(0) : "";
            throw new UsageException(verb.word() + " takes no \"" + rest.get(rest.size() - 1) + "\"" + hint);
        }
        return List.copyOf(rest);
    }

    /** Takes one option; returns how many words it was. */
    private int option(String word, Optional<String> next) {
        int equals = word.indexOf('=');
        Option option = find(equals < 0 ? word : word.substring(0, equals));
        if (!option.takesArgument()) {
            if (equals >= 0) {
                throw new UsageException(option.word() + " takes no value");
            }
            put(option, "");
            return 1;
        }
        if (equals >= 0) {
            put(option, word.substring(equals + 1));
            return 1;
        }
        if (next.isEmpty() || next.get().startsWith("--")) {
            String found = next.isEmpty() ? "nothing follows it" : next.get() + " follows it";
            throw new UsageException(option.word() + " needs " + option.argument() + ", and " + found);
        }
        put(option, next.get());
        return 2;
    }

    private Option find(String word) {
        String full = word.equals("-h") ? Option.HELP.word() : word.equals("-v") ? Option.VERBOSE.word() : word;
        List<String> words = new ArrayList<>();
        for (Option option : Option.values()) {
            if (option.word().equals(full)) {
                if (option.isOf(verb)) {
                    return option;
                }
                List<String> others = new ArrayList<>();
                option.verbs().forEach(other -> others.add(other.word()));
                throw new UsageException(
                        word + " is no option of " + verb.word() + ", only of " + String.join(", ", others));
            }
            if (option.isOf(verb)) {
                words.add(option.word());
            }
        }
        throw new UsageException("there is no option " + word + Nearest.hint(word, words) + "; stockade help "
                + verb.word() + " lists the options");
    }

    private void put(Option option, String value) {
        if (option.takesArgument() && value.isEmpty()) {
            throw new UsageException(
                    option.word() + " needs " + option.argument() + ", and it is empty; was a variable not set?");
        }
        List<String> given = values.computeIfAbsent(option, unseen -> new ArrayList<>());
        if (!given.isEmpty() && option.takesArgument() && !option.isRepeatable()) {
            throw new UsageException(
                    option.word() + " is given twice, as " + given.get(0) + " and as " + value + "; leave one out");
        }
        given.add(value);
    }
}
