package dev.stockade.cli;

import java.util.List;
import java.util.regex.Pattern;

/** Colours an answer that has been laid out, so that no column moves: headings, verdicts, and the lines of a diff. */
final class Paint {

    private static final String BOLD = "\033[1m";
    private static final String RED = "\033[31m";
    private static final String GREEN = "\033[32m";
    private static final String YELLOW = "\033[33m";
    private static final String PLAIN = "\033[0m";

    private static final Pattern GOOD = Pattern.compile("^(  \\S+ +)(works)(?=:)|^(  )(held)(?= )");
    private static final Pattern BAD =
            Pattern.compile("^(  \\S+ +)(does not work here)(?=:)|^(  )(FELL|BROKEN)(?= )|^()(NOT every claim stands)");
    private static final Pattern PARTLY = Pattern.compile("^(  )(open|not probed)(?= )");

    private Paint() {}

    static String of(String text) {
        List<String> lines = text.lines().toList();
        StringBuilder painted = new StringBuilder();
        boolean diff = false;
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            diff |= line.startsWith("--- ");
            String next = i + 1 < lines.size() ? lines.get(i + 1) : "";
            painted.append(diff ? changed(line) : isHeading(line, next) ? BOLD + line + PLAIN : verdict(line))
                    .append('\n');
        }
        return painted.toString();
    }

    private static boolean isHeading(String line, String next) {
        return !line.isEmpty() && line.charAt(0) != ' ' && next.startsWith("  ") && !line.endsWith(".");
    }

    private static String changed(String line) {
        return switch (line.isEmpty() ? ' ' : line.charAt(0)) {
            case '+' -> GREEN + line + PLAIN;
            case '-' -> RED + line + PLAIN;
            default -> line;
        };
    }

    private static String verdict(String line) {
        return paint(PARTLY, YELLOW, paint(BAD, RED, paint(GOOD, GREEN, line)));
    }

    private static String paint(Pattern pattern, String colour, String line) {
        return pattern.matcher(line).replaceFirst(found -> {
            int before = found.group(1) != null ? 1 : found.group(3) != null ? 3 : 5;
            return java.util.regex.Matcher.quoteReplacement(
                    found.group(before) + colour + found.group(before + 1) + PLAIN);
        });
    }
}
