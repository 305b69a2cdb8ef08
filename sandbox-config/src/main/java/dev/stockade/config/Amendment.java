package dev.stockade.config;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A change to a configuration file that is proposed, not made: what stands there stays as it is, comments included.
 * Nothing is written. Immutable and thread-safe.
 *
 * <p>Whether what was asked for is in force afterwards is for {@link Configuration#instead} to tell: another source may
 * say otherwise.
 */
public final class Amendment {

    private static final String TABLE = "sandbox";

    private final Path file;
    private final Optional<String> before;
    private final String after;

    private Amendment(Path file, Optional<String> before, String after) {
        this.file = file;
        this.before = before;
        this.after = after;
    }

    /**
     * Begins with a file as it is.
     *
     * @param file it need not exist
     * @return no change yet
     * @throws UncheckedIOException if it exists and cannot be read
     */
    public static Amendment of(Path file) {
        try {
            String text = Files.readString(file, StandardCharsets.UTF_8);
            return new Amendment(file, Optional.of(text), text);
        } catch (NoSuchFileException e) {
            return new Amendment(file, Optional.empty(), "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Begins with a text that a file is to have.
     *
     * @param file it does not exist yet
     * @param text TOML
     * @return the file as new
     */
    public static Amendment of(Path file, String text) {
        return new Amendment(file, Optional.empty(), text);
    }

    /**
     * Adds to a list.
     *
     * @param key such as {@code readable} or {@code env}
     * @param element as it is to be written: in a path {@code ~} for the home directory
     * @return with that change
     * @throws IllegalStateException if the file is written in a way that this cannot change
     */
    public Amendment add(String key, String element) {
        return element(key, quoted(element));
    }

    /**
     * Adds a command that gets the network.
     *
     * @param argv the command, word for word
     * @return with that change
     * @throws IllegalStateException as {@link #add}
     */
    public Amendment networkFor(List<String> argv) {
        return element(
                "network_allow", argv.stream().map(Amendment::quoted).collect(Collectors.joining(", ", "[", "]")));
    }

    /**
     * Sets a word.
     *
     * @param key such as {@code network}
     * @param word such as {@code on}
     * @return with that change
     * @throws IllegalStateException as {@link #add}
     */
    public Amendment word(String key, String word) {
        Positions positions = Positions.of(after);
        Optional<Integer> value = positions.index(List.of(TABLE, key)).map(at -> valueOf(key, at));
        if (value.isEmpty()) {
            return line(positions, key, quoted(word));
        }
        int end = value.get();
        while (end < after.length() && "#\r\n".indexOf(after.charAt(end)) < 0) {
            end++;
        }
        String old = after.substring(value.get(), end).strip();
        return with(value.get(), value.get() + old.length(), quoted(word));
    }

    private Amendment element(String key, String literal) {
        Positions positions = Positions.of(after);
        Optional<Integer> value = positions.index(List.of(TABLE, key)).map(at -> valueOf(key, at));
        if (value.isEmpty()) {
            return line(positions, key, "[" + literal + "]");
        }
        int open = value.get();
        if (after.charAt(open) != '[') {
            throw new IllegalStateException(file + " has no list behind " + key);
        }
        Optional<Integer> first = positions.index(List.of(TABLE, key, "0"));
        if (first.isEmpty()) {
            return with(open + 1, open + 1, literal);
        }
        int lineStart = after.lastIndexOf('\n', first.get()) + 1;
        if (lineStart <= open) {
            return with(open + 1, open + 1, literal + ", ");
        }
        return with(
                lineStart,
                lineStart,
                after.substring(lineStart, first.get()).replaceAll("\\S.*", "") + literal + ",\n");
    }

    private int valueOf(String key, int keyAt) {
        int at = after.indexOf('=', keyAt) + 1;
        while (at < after.length() && (after.charAt(at) == ' ' || after.charAt(at) == '\t')) {
            at++;
        }
        if (at == 0 || at >= after.length()) {
            throw new IllegalStateException(file + " has no value behind " + key);
        }
        return at;
    }

    /** A line of its own: behind the comment that shows the key, else at the head of the table. */
    private Amendment line(Positions positions, String key, String literal) {
        String line = key + " = " + literal + "\n";
        Optional<Integer> table = positions.index(List.of(TABLE));
        if (table.isEmpty()) {
            String gap = after.isEmpty() || after.endsWith("\n") ? "" : "\n";
            return with(after.length(), after.length(), gap + (after.isEmpty() ? "" : "\n") + "[sandbox]\n" + line);
        }
        int header = table.get();
        if (after.charAt(header) != '[') {
            if (after.startsWith(TABLE + ".", header)) {
                return with(header, header, TABLE + "." + line);
            }
            throw new IllegalStateException(
                    file + " writes sandbox as an inline table; write it as [sandbox] for this to be added to");
        }
        int at = endOfLine(header);
        int end = after.indexOf("\n[", header);
        for (int next = at; next < (end < 0 ? after.length() : end); next = endOfLine(next)) {
            if (after.substring(next, endOfLine(next)).matches("#\\s*" + key + "\\s*=.*\\R?")) {
                at = endOfLine(next);
                break;
            }
        }
        String gap = at > 0 && after.charAt(at - 1) != '\n' ? "\n" : "";
        return with(at, at, gap + line);
    }

    /** Behind the line feed. */
    private int endOfLine(int from) {
        int end = after.indexOf('\n', from);
        return end < 0 ? after.length() : end + 1;
    }

    private Amendment with(int from, int to, String text) {
        return new Amendment(file, before, after.substring(0, from) + text + after.substring(to));
    }

    /** TOML 1.0, basic strings. */
    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        text.codePoints().forEach(c -> {
            switch (c) {
                case '"', '\\' -> quoted.append('\\').appendCodePoint(c);
                case '\n' -> quoted.append("\\n");
                case '\t' -> quoted.append("\\t");
                default -> {
                    boolean shown = c >= ' ' && c != 0x7f && Character.getType(c) != Character.FORMAT;
                    quoted.append(shown ? Character.toString(c) : String.format(c > 0xffff ? "\\U%08x" : "\\u%04x", c));
                }
            }
        });
        return quoted.append('"').toString();
    }

    /**
     * The file that would be changed.
     *
     * @return its path
     */
    public Path file() {
        return file;
    }

    /**
     * What would stand there.
     *
     * @return TOML
     */
    public String text() {
        return after;
    }

    /**
     * The change to review.
     *
     * @return a unified diff for {@code patch FILE}; empty if nothing changes
     */
    public String diff() {
        return UnifiedDiff.of(
                before.isPresent() ? file.toString() : "/dev/null", before.orElse(""), file.toString(), after);
    }
}
