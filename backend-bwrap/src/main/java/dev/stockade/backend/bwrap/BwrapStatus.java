package dev.stockade.backend.bwrap;

import dev.stockade.api.Outcome;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads {@code --json-status-fd}. Every failure of bubblewrap's own, also a command that cannot be executed, ends it
 * with status 1; only a command that ran leaves an {@code exit-code} line.
 */
final class BwrapStatus {

    private static final Pattern EXIT_CODE = Pattern.compile("\"exit-code\"\\s*:\\s*(\\d+)");

    private BwrapStatus() {}

    static Optional<Outcome> decode(int status, String channel) {
        Matcher matcher = EXIT_CODE.matcher(channel);
        if (matcher.find()) {
            return Optional.of(Outcome.ofStatus(Integer.parseInt(matcher.group(1))));
        }
        // Killed before it could write: that is an end, not a failure to start.
        Outcome ended = Outcome.ofStatus(status);
        return ended instanceof Outcome.Signalled ? Optional.of(ended) : Optional.empty();
    }
}
