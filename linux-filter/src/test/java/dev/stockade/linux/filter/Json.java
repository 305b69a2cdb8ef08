package dev.stockade.linux.filter;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads the JSON of a profile: objects, lists, strings without escapes, whole numbers. */
final class Json {

    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    static Object read(String text) {
        Json json = new Json(text);
        Object value = json.value();
        if (json.peek() != 0) {
            throw new IllegalArgumentException("more at " + json.at);
        }
        return value;
    }

    /** A list in an object, empty where there is none. */
    static List<?> list(Object object, String key) {
        return object instanceof Map<?, ?> map && map.get(key) instanceof List<?> list ? list : List.of();
    }

    /** A number in an object. */
    static long number(Object object, String key, long otherwise) {
        return object instanceof Map<?, ?> map && map.get(key) instanceof Long number ? number : otherwise;
    }

    private char peek() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        return at < text.length() ? text.charAt(at) : 0;
    }

    private void expect(char expected) {
        if (peek() != expected) {
            throw new IllegalArgumentException("no " + expected + " at " + at);
        }
        at++;
    }

    private boolean another(char end) {
        char next = peek();
        expect(next == ',' ? ',' : end);
        return next == ',';
    }

    private Object value() {
        return switch (peek()) {
            case '{' -> object();
            case '[' -> list();
            case '"' -> string();
            default -> number();
        };
    }

    private Map<String, Object> object() {
        Map<String, Object> object = new LinkedHashMap<>();
        expect('{');
        do {
            String key = string();
            expect(':');
            if (object.put(key, value()) != null) {
                throw new IllegalArgumentException(key + " twice");
            }
        } while (another('}'));
        return object;
    }

    private List<Object> list() {
        List<Object> list = new ArrayList<>();
        expect('[');
        if (peek() == ']') {
            expect(']');
            return list;
        }
        do {
            list.add(value());
        } while (another(']'));
        return list;
    }

    private String string() {
        expect('"');
        int end = text.indexOf('"', at);
        String string = text.substring(at, end);
        at = end + 1;
        return string;
    }

    private Long number() {
        int start = at;
        while (at < text.length() && Character.isDigit(text.charAt(at))) {
            at++;
        }
        return Long.parseLong(text, start, at, 10);
    }
}
