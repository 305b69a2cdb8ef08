package dev.stockade.cli.trace;

import dev.stockade.cli.trace.Event.Call;
import dev.stockade.cli.trace.Event.Ended;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads what {@code strace -f -y -o FILE} writes (strace(1)). The traced command can write into it as well, so nothing
 * in here is believed to be well formed, or short.
 */
final class StraceLog {

    /** strace's own lines are shorter: strings are cut off, and paths end at PATH_MAX. */
    private static final int LONGEST = 1 << 16;

    private static final int MOST_UNFINISHED = 1 << 12;

    private static final Pattern TASK = Pattern.compile("(\\d{1,9}) +(.*)");
    private static final Pattern BEGINNING = Pattern.compile("(\\w+)\\((.*)");
    private static final Pattern RESUMED = Pattern.compile("<\\.\\.\\. (\\w+) resumed>(.*)");
    private static final Pattern END = Pattern.compile("\\+\\+\\+ (?:exited with (\\d{1,3})|killed by (SIG\\w+)).*");
    private static final String UNFINISHED = "<unfinished ...>";

    /** signal(7), those that programs die of; what has another number somewhere is left out. */
    private static final Map<String, Integer> SIGNALS = Map.ofEntries(
            Map.entry("SIGHUP", 1),
            Map.entry("SIGINT", 2),
            Map.entry("SIGQUIT", 3),
            Map.entry("SIGILL", 4),
            Map.entry("SIGTRAP", 5),
            Map.entry("SIGABRT", 6),
            Map.entry("SIGFPE", 8),
            Map.entry("SIGKILL", 9),
            Map.entry("SIGSEGV", 11),
            Map.entry("SIGPIPE", 13),
            Map.entry("SIGALRM", 14),
            Map.entry("SIGTERM", 15));

    /** By task: a call that another task's line has interrupted. */
    private final Map<Integer, String> unfinished = new HashMap<>();

    /** Reads to the end. */
    void read(InputStream log, Consumer<Event> reader) throws IOException {
        InputStream in = new BufferedInputStream(log);
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c >= 0; c = in.read()) {
            if (c != '\n') {
                if (line.length() <= LONGEST) {
                    line.append((char) c);
                }
                continue;
            }
            if (line.length() <= LONGEST) {
                event(line.toString()).ifPresent(reader);
            }
            line.setLength(0);
        }
    }

    /** What a line completes; most do so for themselves. */
    Optional<Event> event(String line) {
        Matcher numbered = TASK.matcher(line);
        if (!numbered.matches()) {
            return Optional.empty();
        }
        int task = Integer.parseInt(numbered.group(1));
        String rest = numbered.group(2);
        Matcher end = END.matcher(rest);
        if (end.matches()) {
            unfinished.remove(task);
            int status =
                    end.group(1) != null ? Integer.parseInt(end.group(1)) : 128 + SIGNALS.getOrDefault(end.group(2), 0);
            return Optional.of(new Ended(task, status));
        }
        Matcher resumed = RESUMED.matcher(rest);
        if (resumed.matches()) {
            String begun = unfinished.remove(task);
            return begun == null ? Optional.empty() : call(task, begun + resumed.group(2));
        }
        if (rest.endsWith(UNFINISHED)) {
            if (unfinished.size() < MOST_UNFINISHED) {
                unfinished.put(task, rest.substring(0, rest.length() - UNFINISHED.length()));
            }
            return Optional.empty();
        }
        return call(task, rest);
    }

    private static Optional<Event> call(int task, String text) {
        Matcher beginning = BEGINNING.matcher(text);
        if (!beginning.matches()) {
            return Optional.empty();
        }
        List<String> arguments = new ArrayList<>();
        String rest = beginning.group(2);
        int after = split(rest, arguments);
        int equals = rest.indexOf("= ", after);
        return equals < 0 || !rest.substring(after, equals).isBlank()
                ? Optional.empty()
                : Optional.of(new Call(
                        task,
                        beginning.group(1),
                        arguments,
                        rest.substring(equals + 2).strip()));
    }

    /** Collects the arguments up to the closing parenthesis; returns where it goes on. */
    private static int split(String text, List<String> arguments) {
        int depth = 0;
        int from = 0;
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            switch (c) {
                case '"' -> at = endOfString(text, at);
                // Behind a descriptor its path follows; strace escapes what would end it too early.
                case '<' -> at = at > 0 && Character.isLetterOrDigit(text.charAt(at - 1)) ? endOfPath(text, at) : at;
                case '[', '{', '(' -> depth++;
                case ']', '}' -> depth--;
                case ',' -> {
                    if (depth == 0) {
                        arguments.add(text.substring(from, at).strip());
                        from = at + 1;
                    }
                }
                case ')' -> {
                    if (depth-- == 0) {
                        String last = text.substring(from, at).strip();
                        if (!last.isEmpty()) {
                            arguments.add(last);
                        }
                        return at + 1;
                    }
                }
                default -> {}
            }
        }
        return text.length();
    }

    private static int endOfString(String text, int opening) {
        int at = opening + 1;
        while (at < text.length() && text.charAt(at) != '"') {
            at += text.charAt(at) == '\\' ? 2 : 1;
        }
        return at;
    }

    private static int endOfPath(String text, int opening) {
        int end = text.indexOf('>', opening);
        return end < 0 ? opening : end;
    }

    /** The first string in an argument, its escapes undone; empty if there is none. */
    static Optional<byte[]> bytes(String argument) {
        int opening = argument.indexOf('"');
        if (opening < 0) {
            return Optional.empty();
        }
        return Optional.of(unescaped(
                argument.substring(opening + 1, Math.min(endOfString(argument, opening), argument.length()))));
    }

    static Optional<String> text(String argument) {
        return bytes(argument).map(bytes -> new String(bytes, StandardCharsets.UTF_8));
    }

    /** The path of a descriptor, as {@code -y} shows it. */
    static Optional<String> pathOf(String descriptor) {
        int opening = descriptor.indexOf('<');
        if (opening < 0 || !descriptor.startsWith("/", opening + 1) || !descriptor.endsWith(">")) {
            return Optional.empty();
        }
        String escaped = descriptor.substring(opening + 1, descriptor.length() - 1);
        return Optional.of(new String(unescaped(escaped), StandardCharsets.UTF_8));
    }

    /** As in C: octal, hexadecimal, and single letters. */
    private static byte[] unescaped(String escaped) {
        byte[] bytes = new byte[escaped.length()];
        int length = 0;
        for (int at = 0; at < escaped.length(); ) {
            char c = escaped.charAt(at++);
            if (c != '\\' || at == escaped.length()) {
                bytes[length++] = (byte) c;
                continue;
            }
            char kind = escaped.charAt(at++);
            int simple = "abtnvfr".indexOf(kind);
            if (simple >= 0) {
                bytes[length++] = (byte) (7 + simple);
            } else if (kind == 'x') {
                int end = Math.min(at + 2, escaped.length());
                bytes[length++] = (byte) number(escaped.substring(at, end), 16);
                at = end;
            } else if (kind >= '0' && kind <= '7') {
                int end = at;
                while (end < escaped.length()
                        && end < at + 2
                        && escaped.charAt(end) >= '0'
                        && escaped.charAt(end) <= '7') {
                    end++;
                }
                bytes[length++] = (byte) number(escaped.substring(at - 1, end), 8);
                at = end;
            } else {
                bytes[length++] = (byte) kind;
            }
        }
        return java.util.Arrays.copyOf(bytes, length);
    }

    private static int number(String digits, int radix) {
        try {
            return Integer.parseInt(digits, radix);
        } catch (NumberFormatException e) {
            return '?';
        }
    }
}
