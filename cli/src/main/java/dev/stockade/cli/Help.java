package dev.stockade.cli;

import java.util.List;
import java.util.Optional;

/**
 * {@code stockade help}: made from the tables of verbs and options.
 *
 * @param about the command that is asked about; empty for all of them
 */
record Help(List<String> about) implements Action {

    private static final int OPTIONS = 30;

    static final String ABOUT = "runs commands that nobody should have to trust, confined";

    static final String EXIT_STATUS = """

            The exit status is the command's own, 128+n if signal n ended it, 124 if its
            time was up, 125 if Stockade could not or would not run it, 126 if it was found
            but cannot be executed, 127 if it was not found. --status-file tells for sure.
            """;

    @Override
    public int perform(Console console) {
        console.out().print(about.isEmpty() ? overview() : of(verb(about.get(0))));
        return 0;
    }

    private static Verb verb(String word) {
        return Verb.of(word)
                .orElseThrow(() -> new UsageException("there is no command \"" + word + "\""
                        + Nearest.hint(word, Verb.words()) + ". Commands are " + String.join(", ", Verb.words())));
    }

    private static String overview() {
        StringBuilder text = new StringBuilder("Runs commands that nobody should have to trust, confined.\n\n");
        for (Verb verb : Verb.values()) {
            text.append(Paragraph.row(verb.word(), verb.summary()));
        }
        return text.append("\nFor example: stockade run -- npm test\n")
                .append("More on one of them: stockade help run\n")
                .toString();
    }

    private static String of(Verb verb) {
        StringBuilder text = new StringBuilder("stockade ").append(verb.usage()).append('\n');
        text.append(Paragraph.of(verb.summary(), "  ", "  ")).append('\n');
        for (Option option : Option.of(verb)) {
            String words = option.takesArgument() ? option.word() + " " + option.argument() : option.word();
            String repeatable = option.isRepeatable() ? " (may be repeated)" : "";
            text.append(Paragraph.row(words, option.help() + repeatable, OPTIONS));
        }
        return text.append(more(verb).orElse("")).toString();
    }

    static Optional<String> more(Verb verb) {
        return switch (verb) {
            case RUN, SHELL -> Optional.of(EXIT_STATUS);
            case WRAP ->
                Optional.of("\nThe line can stand wherever a command is configured:\nin an MCP client's JSON, say.\n");
            case TRACE -> Optional.of("""

                    The command's own output goes to standard error, the answer to standard output,
                    and the exit status is the command's. What was refused last stands first. A diff
                    is only proposed, never applied, and never opens credentials. It needs strace,
                    on Linux. What a hostile command makes it say is not to be trusted: review it.
                    """);
            case DOCTOR -> Optional.of("\nThe exit status is 0 if a backend works that need not be named, else 1.\n");
            case EXPLAIN -> Optional.of("\nNothing is run. The exit status is 0 if run would start, else 1.\n");
            case PROVE -> Optional.of("""

                        A workspace and bait for the attempts are laid out and removed again: in the
                        home, in /tmp and /var/tmp, on the loopback. The exit status is 0 if every
                        claim stands, else 1. What could not be tried is listed as not probed.
                        """);
            case INIT -> Optional.of("""

                        Where a build is recognised (Maven, Gradle, npm, Cargo, Go, Python) the file is
                        written beside ~/.config/stockade/stockade.toml, by the directory's name, and
                        lets that build work offline: a file found from the workspace upwards may only
                        tighten. Elsewhere a stockade.toml is written here, with every key in comments.
                        """);
            case COMPLETION -> Optional.of("""

                        Where it goes:
                          bash  ~/.local/share/bash-completion/completions/stockade
                          zsh   _stockade, in a directory of $fpath
                          fish  ~/.config/fish/completions/stockade.fish
                        """);
            case PROFILES, HELP, VERSION -> Optional.empty();
        };
    }
}
