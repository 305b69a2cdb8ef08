package dev.stockade.config;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The JSON Schema of the file, made from the table of keys. */
final class Schema {

    private final Vocabulary vocabulary;

    private Schema(Vocabulary vocabulary) {
        this.vocabulary = vocabulary;
    }

    static String of(Vocabulary vocabulary) {
        Schema schema = new Schema(vocabulary);
        String profiles = object(
                "\"type\": \"object\"",
                "\"propertyNames\": {\"pattern\": \"^[A-Za-z0-9_-]+$\"}",
                "\"additionalProperties\": " + schema.table(true));
        return object(
                        "\"$schema\": \"https://json-schema.org/draft/2020-12/schema\"",
                        "\"title\": \"stockade.toml\"",
                        "\"type\": \"object\"",
                        "\"additionalProperties\": false",
                        "\"properties\": " + object("\"sandbox\": " + schema.table(false), "\"profiles\": " + profiles))
                + "\n";
    }

    private String table(boolean inProfile) {
        List<String> properties = new ArrayList<>();
        for (String name : vocabulary.keys(inProfile)) {
            properties.add(quoted(name) + ": " + value(vocabulary.key(name)));
        }
        for (String table : vocabulary.tables()) {
            List<String> inner = vocabulary.keysOf(table).stream()
                    .map(key -> quoted(key) + ": " + value(vocabulary.key(table + "." + key)))
                    .toList();
            properties.add(quoted(table) + ": " + closed(inner));
        }
        return closed(properties);
    }

    private static String closed(List<String> properties) {
        return object(
                "\"type\": \"object\"",
                "\"additionalProperties\": false",
                "\"properties\": " + object(properties.toArray(String[]::new)));
    }

    private String value(Key key) {
        List<String> words = key.name().equals("backend") ? vocabulary.backends() : key.words();
        String type = switch (key.kind()) {
            case TEXT, WORD -> "\"type\": \"string\", \"minLength\": 1";
            case TIME -> "\"type\": \"string\", \"pattern\": \"^[0-9]{1,9}(ms|s|m|h)$\"";
            case SIZE ->
                "\"type\": [\"string\", \"integer\"], \"pattern\": \"^[0-9]{1,12} ?(B|KiB|MiB|GiB|TiB)$\","
                        + " \"minimum\": 1";
            case SHARE -> "\"type\": \"number\", \"exclusiveMinimum\": 0";
            case COUNT -> "\"type\": \"integer\", \"minimum\": 1";
            case PATHS, VARIABLES -> "\"type\": \"array\", \"items\": {\"type\": \"string\", \"minLength\": 1}";
            case COMMANDS -> commands(1);
            case PREFIXES -> commands(2);
        };
        String allowed = words.isEmpty()
                ? ""
                : ", \"enum\": " + words.stream().map(Schema::quoted).collect(Collectors.joining(", ", "[", "]"));
        return "{\"description\": " + quoted(key.help()) + ", " + type + allowed + "}";
    }

    private static String commands(int least) {
        return "\"type\": \"array\", \"items\": {\"type\": \"array\", \"minItems\": " + least
                + ", \"items\": {\"type\": \"string\"}}";
    }

    private static String object(String... members) {
        return "{\n" + String.join(",\n", members).indent(2) + "}";
    }

    private static String quoted(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"").replaceAll("\\p{Cntrl}", " ") + "\"";
    }
}
