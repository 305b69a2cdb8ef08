package dev.stockade.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * One thing that was said. Of a list each element is one.
 *
 * @param key what about
 * @param value as {@link Values} makes it for the key's kind
 * @param origin where
 */
record Entry(Key key, Object value, Origin origin) {

    String text() {
        return (String) value;
    }

    Path path() {
        return (Path) value;
    }

    Duration time() {
        return (Duration) value;
    }

    Number number() {
        return (Number) value;
    }

    List<String> words() {
        return ((List<?>) value).stream().map(String.class::cast).toList();
    }

    <E extends Enum<E>> E word(Class<E> type) {
        return Enum.valueOf(type, text().toUpperCase(Locale.ROOT));
    }
}
