package dev.stockade.cli;

import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** Writes the few small documents the command answers with. A library would cost more start-up than the answer. */
final class Json {

    private static final String INDENT = "  ";

    private final StringBuilder text = new StringBuilder();

    private Json() {}

    /**
     * Writes a document.
     *
     * @param value a map with strings for keys, a list, a string, a number or a boolean
     */
    static String text(Object value) {
        Json json = new Json();
        json.value(value, "\n");
        return json.text.append('\n').toString();
    }

    private void value(Object value, String newLine) {
        if (value instanceof Map<?, ?> map) {
            Iterator<? extends Map.Entry<?, ?>> entries = map.entrySet().iterator();
            text.append('{');
            while (entries.hasNext()) {
                Map.Entry<?, ?> entry = entries.next();
                text.append(newLine).append(INDENT);
                string(String.valueOf(entry.getKey()));
                text.append(": ");
                value(entry.getValue(), newLine + INDENT);
                text.append(entries.hasNext() ? "," : newLine);
            }
            text.append('}');
        } else if (value instanceof List<?> list) {
            Iterator<?> items = list.iterator();
            text.append('[');
            while (items.hasNext()) {
                text.append(newLine).append(INDENT);
                value(items.next(), newLine + INDENT);
                text.append(items.hasNext() ? "," : newLine);
            }
            text.append(']');
        } else if (value instanceof Number || value instanceof Boolean) {
            text.append(value);
        } else {
            string(String.valueOf(value));
        }
    }

    private void string(String value) {
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '"', '\\' -> text.append('\\').append(c);
                case '\n' -> text.append("\\n");
                case '\t' -> text.append("\\t");
                case '\r' -> text.append("\\r");
                default -> {
                    // A lone surrogate has no UTF-8; other characters stay readable.
                    if (c < ' ' || c == 0x7f || Character.isSurrogate(c)) {
                        text.append(String.format("\\u%04x", (int) c));
                    } else {
                        text.append(c);
                    }
                }
            }
        }
        text.append('"');
    }
}
