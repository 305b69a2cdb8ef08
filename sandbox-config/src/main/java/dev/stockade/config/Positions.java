package dev.stockade.config;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds where the keys and values of a TOML text stand, which its reader does not tell. Run only when there is
 * something to say about one; the text has been read before, so that whatever it does not understand it may skip.
 */
final class Positions {

    /** A key that is set twice. */
    record Duplicate(List<String> path, Position first, Position second) {}

    private final String text;
    private final List<Integer> lines;
    private final Map<List<String>, Integer> found = new HashMap<>();
    private final Map<List<String>, Integer> tables = new HashMap<>();
    private Optional<Duplicate> duplicate = Optional.empty();
    private int at;

    private Positions(String text) {
        this.text = text;
        this.lines = lines(text);
    }

    static Positions of(String text) {
        Positions positions = new Positions(text);
        positions.document();
        return positions;
    }

    /** Where a path stands, or what it lies in. Elements of a list are named by their number, from 0. */
    Position of(List<String> path) {
        for (int length = path.size(); length > 0; length--) {
            Integer index = found.get(path.subList(0, length));
            if (index != null) {
                return position(index);
            }
        }
        return Position.START;
    }

    /** Where exactly a path stands: the first character of a key, of an element, or of a table's header. */
    Optional<Integer> index(List<String> path) {
        return Optional.ofNullable(found.get(path));
    }

    Optional<Duplicate> duplicate() {
        return duplicate;
    }

    private Position position(int index) {
        int line = Collections.binarySearch(lines, index);
        line = line >= 0 ? line : -line - 2;
        return new Position(line + 1, index - lines.get(line) + 1);
    }

    private static List<Integer> lines(String text) {
        List<Integer> starts = new ArrayList<>(List.of(0));
        for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) {
            starts.add(end + 1);
        }
        return starts;
    }

    private void document() {
        List<String> table = List.of();
        while (true) {
            skipBlank();
            if (at >= text.length()) {
                return;
            }
            int before = at;
            if (peek() == '[') {
                table = header();
            } else {
                keyAndValue(table);
            }
            if (at == before) {
                at++;
            }
        }
    }

    private List<String> header() {
        int start = at;
        at++;
        boolean list = peek() == '[';
        if (list) {
            at++;
        }
        skipSpaces();
        List<String> path = key(List.of());
        skipTo("]");
        while (peek() == ']') {
            at++;
        }
        note(path, start);
        if (list) {
            int element = 0;
            while (found.containsKey(with(path, Integer.toString(element)))) {
                element++;
            }
            path = with(path, Integer.toString(element));
            found.put(path, start);
        } else {
            Integer first = tables.putIfAbsent(path, start);
            if (first != null && duplicate.isEmpty()) {
                duplicate = Optional.of(new Duplicate(path, position(first), position(start)));
            }
        }
        return path;
    }

    private void keyAndValue(List<String> table) {
        int start = at;
        List<String> path = key(table);
        skipSpaces();
        if (peek() != '=') {
            return;
        }
        at++;
        skipSpaces();
        Integer first = found.get(path);
        if (first != null && duplicate.isEmpty()) {
            duplicate = Optional.of(new Duplicate(path, position(first), position(start)));
        }
        for (int length = table.size() + 1; length <= path.size(); length++) {
            note(path.subList(0, length), start);
        }
        value(path);
    }

    /** A dotted key, behind the path of the table it stands in. */
    private List<String> key(List<String> table) {
        List<String> path = new ArrayList<>(table);
        do {
            skipSpaces();
            path.add(peek() == '"' || peek() == '\'' ? string() : bare());
            skipSpaces();
        } while (accept('.'));
        return path;
    }

    private String bare() {
        int start = at;
        while (at < text.length() && (Character.isLetterOrDigit(peek()) || peek() == '_' || peek() == '-')) {
            at++;
        }
        return text.substring(start, at);
    }

    private void value(List<String> path) {
        switch (peek()) {
            case '"', '\'' -> string();
            case '[' -> list(path);
            case '{' -> inlineTable(path);
            default -> skipTo(",]}#\n");
        }
    }

    private void list(List<String> path) {
        at++;
        for (int element = 0; ; element++) {
            skipBlankAndCommas();
            if (at >= text.length() || accept(']')) {
                return;
            }
            int before = at;
            List<String> place = with(path, Integer.toString(element));
            note(place, at);
            value(place);
            if (at == before) {
                at++;
            }
        }
    }

    private void inlineTable(List<String> path) {
        at++;
        while (true) {
            skipBlankAndCommas();
            if (at >= text.length() || accept('}')) {
                return;
            }
            int before = at;
            keyAndValue(path);
            if (at == before) {
                at++;
            }
        }
    }

    /** Its text, with escapes left as they are: no key that is known has any. */
    private String string() {
        char quote = peek();
        String three = String.valueOf(quote).repeat(3);
        boolean multiline = text.startsWith(three, at);
        String end = multiline ? three : String.valueOf(quote);
        int start = at + end.length();
        at = start;
        while (at < text.length() && !text.startsWith(end, at)) {
            at += peek() == '\\' && quote == '"' ? 2 : 1;
        }
        at = Math.min(at, text.length());
        String content = text.substring(Math.min(start, at), at);
        at = Math.min(at + end.length(), text.length());
        while (multiline && peek() == quote) {
            at++; // Up to two quotes may stand before the closing three.
        }
        return content;
    }

    private void note(List<String> path, int index) {
        found.putIfAbsent(List.copyOf(path), index);
    }

    private static List<String> with(List<String> path, String step) {
        List<String> longer = new ArrayList<>(path);
        longer.add(step);
        return List.copyOf(longer);
    }

    private char peek() {
        return at < text.length() ? text.charAt(at) : '\0';
    }

    private boolean accept(char expected) {
        boolean there = peek() == expected && at < text.length();
        at += there ? 1 : 0;
        return there;
    }

    private void skipTo(String ends) {
        while (at < text.length() && ends.indexOf(peek()) < 0) {
            at++;
        }
    }

    private void skipSpaces() {
        while (peek() == ' ' || peek() == '\t') {
            at++;
        }
    }

    private void skipBlank() {
        skipOver(" \t\r\n");
    }

    private void skipBlankAndCommas() {
        skipOver(" \t\r\n,");
    }

    private void skipOver(String blanks) {
        while (at < text.length() && (blanks.indexOf(peek()) >= 0 || peek() == '#')) {
            if (peek() == '#') {
                skipTo("\n");
            } else {
                at++;
            }
        }
    }
}
