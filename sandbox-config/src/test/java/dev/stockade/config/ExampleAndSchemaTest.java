package dev.stockade.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.stockade.api.Backends;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExampleAndSchemaTest {

    private static final Backends BACKENDS =
            Backends.of(new FakeBackend("docker", "image"), new FakeBackend("bwrap", "x"));

    @TempDir
    Path directory;

    private Loaded load(String text) throws IOException {
        Given given = new Given(directory.toRealPath());
        given.ownFile(text);
        return given.configuration().backends(BACKENDS).load();
    }

    @Test
    void theExampleChangesNothingAsItIs() throws IOException {
        Loaded loaded = load(Configuration.example(BACKENDS));
        assertEquals(
                dev.stockade.api.Profile.builder(directory.toRealPath().resolve("home/project"))
                        .build(),
                loaded.profile());
    }

    @Test
    void everyLineOfTheExampleIsValidOnceItIsUncommented() throws IOException {
        String example = Configuration.example(BACKENDS);
        StringBuilder uncommented = new StringBuilder();
        Set<String> keys = new TreeSet<>();
        for (String line : example.lines().toList()) {
            boolean setting = line.matches("# (\\[[a-z.]+]|[a-z_]+ = .*)");
            uncommented.append(setting ? line.substring(2) : line).append('\n');
            if (setting && line.contains(" = ")) {
                keys.add(line.substring(2, line.indexOf(" = ")));
            }
        }
        Loaded loaded = load(uncommented.toString());
        assertFalse(loaded.profile().environment().isEmpty());
        Vocabulary vocabulary = new Vocabulary(BACKENDS);
        Set<String> known = new TreeSet<>(vocabulary.keys(false));
        known.add("extends");
        vocabulary.tables().forEach(table -> known.addAll(vocabulary.keysOf(table)));
        assertEquals(known, keys);
    }

    @Test
    void theSchemaKnowsExactlyTheKeysOfTheReader() throws IOException {
        Map<?, ?> schema = (Map<?, ?>) json(Configuration.schema(BACKENDS));
        Map<?, ?> sandbox = at(schema, "properties", "sandbox");
        Map<?, ?> profile = at(schema, "properties", "profiles", "additionalProperties");
        Vocabulary vocabulary = new Vocabulary(BACKENDS);
        assertEquals(known(vocabulary, false), at(sandbox, "properties").keySet());
        assertEquals(known(vocabulary, true), at(profile, "properties").keySet());
        assertEquals(
                vocabulary.keysOf("limits"),
                at(sandbox, "properties", "limits", "properties").keySet());
        assertEquals(
                vocabulary.keysOf("docker"),
                at(profile, "properties", "docker", "properties").keySet());
        for (Key key : Key.ALL) {
            if (!key.words().isEmpty()) {
                assertEquals(key.words(), at(sandbox, "properties", key.name()).get("enum"), key.name());
            }
        }
        assertEquals(
                List.of("bwrap", "docker"), at(sandbox, "properties", "backend").get("enum"));
        assertEquals(false, sandbox.get("additionalProperties"));
    }

    /** A key that stands in the schema is taken by the reader: shown by its example. */
    @Test
    void theReaderTakesWhatTheSchemaKnows() throws IOException {
        for (Key key : Key.ALL) {
            String table = key.table().isEmpty() ? "[sandbox]" : "[sandbox." + key.table() + "]";
            assertTrue(
                    load(table + "\n" + key.last() + " = " + key.example() + "\n")
                                    .files()
                                    .size()
                            == 1,
                    key.name());
        }
    }

    private static Set<String> known(Vocabulary vocabulary, boolean inProfile) {
        Set<String> known = new TreeSet<>(vocabulary.keys(inProfile));
        known.addAll(vocabulary.tables());
        return known;
    }

    private static Map<?, ?> at(Map<?, ?> from, String... path) {
        Map<?, ?> at = from;
        for (String step : path) {
            at = (Map<?, ?>) java.util.Objects.requireNonNull(at.get(step), step);
        }
        return at;
    }

    private static Object json(String text) throws IOException {
        try (JsonParser parser = new JsonFactory().createParser(text)) {
            parser.nextToken();
            return value(parser);
        }
    }

    private static Object value(JsonParser parser) throws IOException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> {
                Map<String, Object> object = new LinkedHashMap<>();
                while (parser.nextToken() == JsonToken.FIELD_NAME) {
                    String name = parser.currentName();
                    parser.nextToken();
                    object.put(name, value(parser));
                }
                yield object;
            }
            case START_ARRAY -> {
                List<Object> list = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    list.add(value(parser));
                }
                yield list;
            }
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> parser.getText();
        };
    }
}
