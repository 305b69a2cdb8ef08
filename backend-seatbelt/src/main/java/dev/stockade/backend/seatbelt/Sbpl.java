package dev.stockade.backend.seatbelt;

import java.text.Normalizer;
import java.text.Normalizer.Form;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A profile in the sandbox's own language, as it grows. What a caller names never becomes text: it is handed over as a
 * parameter ({@code sandbox-exec -D}), which nothing parses and whose length nothing limits, whereas the language's
 * reader keeps string literals in a short buffer.
 */
final class Sbpl {

    private final StringBuilder text = new StringBuilder();
    private final Map<String, String> parameters = new LinkedHashMap<>();

    Sbpl() {
        text.append("(version 1)\n");
    }

    /** A finished profile: the text, and the values of its parameters by name. */
    record Finished(String text, Map<String, String> parameters) {
        Finished {
            parameters = Map.copyOf(parameters);
        }
    }

    Finished finish() {
        return new Finished(text.toString(), parameters);
    }

    /** Says what the following rules are for. */
    Sbpl about(String constant) {
        text.append("\n; ").append(constant).append('\n');
        return this;
    }

    /** A rule about everything that its operations do. Comes before every rule with a filter, which would win anyway. */
    Sbpl rule(String actionAndOperations) {
        text.append('(').append(actionAndOperations).append(")\n");
        return this;
    }

    /** A rule about an operation that not every macOS knows: naming an unknown one fails the whole profile. */
    Sbpl ruleIfKnown(String action, String operation) {
        text.append("(if (defined? '")
                .append(operation)
                .append(") (")
                .append(action)
                .append(' ');
        text.append(operation).append("))\n");
        return this;
    }

    /** A rule about what matches one of the filters. */
    Sbpl rule(String actionAndOperations, Collection<String> filters) {
        if (!filters.isEmpty()) {
            text.append('(').append(actionAndOperations);
            filters.forEach(filter -> text.append("\n    ").append(filter));
            text.append(")\n");
        }
        return this;
    }

    /** Refers to a value under a name; one value has one name. */
    String parameter(String value) {
        for (Map.Entry<String, String> known : parameters.entrySet()) {
            if (known.getValue().equals(value)) {
                return reference(known.getKey());
            }
        }
        String name = "P" + parameters.size();
        parameters.put(name, value);
        return reference(name);
    }

    /** Refers to a value that is given later. Without one, {@code sandbox-exec} refuses the profile. */
    static String reference(String name) {
        return "(param " + string(name) + ")";
    }

    static String filter(String kind, String argument) {
        return "(" + kind + " " + argument + ")";
    }

    static List<String> filters(String kind, Collection<String> constants) {
        return constants.stream()
                .map(constant -> filter(kind, string(constant)))
                .toList();
    }

    /** Quotes a string. Any character stands for itself but these two. */
    static String string(String any) {
        return '"' + any.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    /** Quotes a piece of a regular expression (as re_format(7) has them), so that it matches itself alone. */
    static String regex(String any) {
        StringBuilder quoted = new StringBuilder();
        any.chars().forEach(c -> {
            if (".[]()*+?{}|^$\\".indexOf(c) >= 0) {
                quoted.append('\\');
            }
            quoted.append((char) c);
        });
        return quoted.toString();
    }

    /**
     * A regular expression for all spellings of a path that a volume may take for the same one: APFS ignores case unless
     * it was formatted otherwise, and always ignores how accents are composed. A file that exists is matched by the name
     * it has on disk; one that is being created, by the name that was given.
     *
     * <p>Not covered: letters that fold to several (a ligature for {@code fi}).
     */
    static String anySpelling(String path) {
        StringBuilder expression = new StringBuilder();
        Normalizer.normalize(path, Form.NFC).codePoints().forEach(c -> expression.append(spellings(c)));
        return expression.toString();
    }

    private static String spellings(int c) {
        String plain = Character.toString(c);
        Set<String> spelled = new LinkedHashSet<>();
        for (String cased : List.of(plain, plain.toLowerCase(Locale.ROOT), plain.toUpperCase(Locale.ROOT))) {
            spelled.add(Normalizer.normalize(cased, Form.NFC));
            spelled.add(Normalizer.normalize(cased, Form.NFD));
        }
        // Outside of their alphabets, and folded into them: the long s and the Kelvin sign.
        if (spelled.contains("s")) {
            spelled.add("\u017f");
        } else if (spelled.contains("k")) {
            spelled.add("\u212a");
        }
        return spelled.size() == 1
                ? regex(plain)
                : spelled.stream().map(Sbpl::regex).collect(Collectors.joining("|", "(", ")"));
    }
}
