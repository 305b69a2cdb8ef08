package dev.stockade.backend.docker;

import java.util.Collection;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * As much JSON as the engine needs to be told, and as its answers are asked for. A key is found by its quotes: inside a
 * string, which may be a command's, they are escaped, so that no string can pass for a key.
 */
final class Json {

    private Json() {}

    static String string(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < 0x20) {
                quoted.append("\\u%04x".formatted((int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }

    static String strings(Collection<String> texts) {
        return texts.stream().map(Json::string).collect(Collectors.joining(",", "[", "]"));
    }

    /** A string's content, as it stands there; enough for ids and for messages. */
    static Optional<String> stringOf(String key, String json) {
        return find(key, "\"((?:[^\"\\\\]|\\\\.)*)\"", json)
                .map(text -> text.replace("\\\"", "\"").replace("\\n", "\n").replace("\\\\", "\\"));
    }

    /** A number or truth value. */
    static Optional<String> wordOf(String key, String json) {
        return find(key, "(-?[a-z0-9]+)", json);
    }

    private static Optional<String> find(String key, String value, String json) {
        Matcher matcher =
                Pattern.compile("(?<!\\\\)\"" + key + "\"\\s*:\\s*" + value).matcher(json);
        return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
    }
}
