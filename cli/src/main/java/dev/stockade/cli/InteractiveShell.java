package dev.stockade.cli;

import java.util.List;
import java.util.Optional;

/**
 * What {@code stockade shell} runs: bash, or sh where there is no bash. Which there is shows inside only; started on a
 * terminal, both are interactive.
 *
 * <p>Its home is the workspace, where its history would be left for everybody to read; so it keeps none.
 */
final class InteractiveShell {

    private static final String NO_HISTORY = """
            export HISTFILE="${HISTFILE-}" LESSHISTFILE="${LESSHISTFILE--}"
            """;

    /** Bash sets its prompt anew when it starts, and does this before each prompt, so also for one within it. */
    private static final String MARKED = """
            export PROMPT_COMMAND='PS1="(stockade) ${PS1#"(stockade) "}"' PS1='(stockade) $ '
            """;

    private static final String START = """
            command -v bash >/dev/null 2>&1 && exec bash
            exec sh
            """;

    private InteractiveShell() {}

    /** The prompt tells that it is confined, unless it may be that it is not. */
    static List<String> argv(Request request) {
        boolean confined = !request.mayRunUnconfined() && !request.named().equals(Optional.of("none"));
        return List.of("sh", "-c", NO_HISTORY + (confined ? MARKED : "") + START);
    }
}
