package dev.stockade.cli;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people write them: a number and a unit. */
final class TimeLimit {

    private static final Pattern FORM = Pattern.compile("([0-9]{1,9})(ms|s|m|h)");

    private TimeLimit() {}

    static Duration parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new UsageException(
                    "\"" + text + "\" is no time: write a number and a unit, such as 500ms, 30s, 5m or 2h");
        }
        long number = Long.parseLong(matcher.group(1));
        Duration limit = switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            default -> Duration.ofHours(number);
        };
        if (limit.isZero()) {
            throw new UsageException("a time limit must be more than zero; leave it out for none");
        }
        return limit;
    }
}
