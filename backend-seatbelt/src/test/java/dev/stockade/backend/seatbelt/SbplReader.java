package dev.stockade.backend.seatbelt;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Reads the sandbox's language into lists, words and strings, as TinyScheme's reader does. */
final class SbplReader {

    /** A form: a {@link Many}, a {@link Word} or a {@link Text}. */
    sealed interface Form {}

    record Many(List<Form> forms) implements Form {
        String head() {
            return forms.get(0) instanceof Word word ? word.name() : "";
        }

        List<Form> rest() {
            return forms.subList(1, forms.size());
        }
    }

    record Word(String name) implements Form {}

    record Text(String value) implements Form {}

    /** What TinyScheme's buffer for string literals takes. */
    private static final int LONGEST_STRING = 255;

    private final String source;
    private int at;

    private SbplReader(String source) {
        this.source = source;
    }

    static List<Form> read(String source) {
        return new SbplReader(source).all();
    }

    private List<Form> all() {
        Deque<List<Form>> open = new ArrayDeque<>();
        open.push(new ArrayList<>());
        while (at < source.length()) {
            char c = source.charAt(at++);
            switch (c) {
                case ' ', '\n', '\t', '\r', '\'' -> {}
                case ';' -> {
                    int end = source.indexOf('\n', at);
                    at = end < 0 ? source.length() : end;
                }
                case '(' -> open.push(new ArrayList<>());
                case ')' -> {
                    Many closed = new Many(List.copyOf(open.pop()));
                    if (open.isEmpty()) {
                        throw new IllegalArgumentException("unmatched ) at " + at);
                    }
                    open.element().add(closed);
                }
                case '"' -> open.element().add(new Text(string()));
                default -> open.element().add(new Word(word(c)));
            }
        }
        if (open.size() != 1) {
            throw new IllegalArgumentException("unmatched (");
        }
        return open.element();
    }

    private String string() {
        StringBuilder value = new StringBuilder();
        while (true) {
            if (at >= source.length()) {
                throw new IllegalArgumentException("a string does not end");
            }
            char c = source.charAt(at++);
            if (c == '"') {
                if (value.length() > LONGEST_STRING) {
                    throw new IllegalArgumentException("a string is longer than the reader's buffer: " + value);
                }
                return value.toString();
            }
            value.append(c == '\\' ? source.charAt(at++) : c);
        }
    }

    private String word(char first) {
        StringBuilder name = new StringBuilder().append(first);
        while (at < source.length() && " \n\t\r();\"".indexOf(source.charAt(at)) < 0) {
            name.append(source.charAt(at++));
        }
        return name.toString();
    }
}
