package dev.stockade.cli;

import java.time.Duration;

/** Durations as people write them. */
final class TimeLimit {

    private TimeLimit() {}

    /** The largest unit that leaves no rest: 500ms, 30s, 5m, 2h. */
    static String text(Duration limit) {
        long millis = limit.toMillis();
        if (millis % 1000 != 0) {
            return millis + "ms";
        }
        long seconds = millis / 1000;
        if (seconds % 60 != 0) {
            return seconds + "s";
        }
        return seconds % 3600 == 0 ? seconds / 3600 + "h" : seconds / 60 + "m";
    }
}
