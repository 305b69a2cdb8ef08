package dev.stockade.config;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.dataformat.toml.TomlFactory;
import dev.stockade.config.ConfigurationException.Problem;
import dev.stockade.config.Positions.Duplicate;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A TOML file, as maps, lists, strings, numbers and booleans. This is the only class that knows the library behind it.
 */
final class Document {

    private static final int MOST_BYTES = 1 << 20;
    private static final int DEEPEST = 16;

    private final Path file;
    private final String text;
    private final Map<String, Object> content;
    private @Nullable Positions positions;

    private Document(Path file, String text, Map<String, Object> content) {
        this.file = file;
        this.text = text;
        this.content = content;
    }

    /** Reads; what is wrong with the text as TOML ends it. */
    static Document read(Path file) {
        try {
            if (!Files.readAttributes(file, BasicFileAttributes.class).isRegularFile()) {
                throw refused(file, Position.NONE, "is not a file");
            }
            if (Files.size(file) > MOST_BYTES) {
                throw refused(file, Position.NONE, "is larger than 1 MiB, which no configuration is");
            }
            return of(file, decode(file, Files.readAllBytes(file)));
        } catch (NoSuchFileException e) {
            boolean link = Files.isSymbolicLink(file);
            throw refused(file, Position.NONE, link ? "is a link that leads nowhere" : "does not exist");
        } catch (AccessDeniedException e) {
            throw refused(
                    file, Position.NONE, "cannot be read: permission denied, for it or for a directory on the way");
        } catch (FileSystemException e) {
            throw refused(file, Position.NONE, "cannot be read: " + e.getReason());
        } catch (IOException e) {
            throw refused(file, Position.NONE, "cannot be read: " + e.getMessage());
        }
    }

    private static String decode(Path file, byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw refused(file, Position.NONE, "is not UTF-8, which TOML has to be");
        }
    }

    static Document of(Path file, String text) {
        if (text.startsWith("\uFEFF")) {
            throw refused(
                    file,
                    Position.START,
                    "a byte order mark stands here, which TOML does not know: save it without one");
        }
        try (JsonParser parser = new TomlFactory().createParser(text)) {
            parser.nextToken();
            return new Document(file, text, table(parser, 0));
        } catch (StreamConstraintsException e) {
            throw refused(file, Position.START, "is nested too deeply, or a name or number in it is too long");
        } catch (JsonProcessingException e) {
            throw unreadable(file, text, e);
        } catch (IOException | NumberFormatException e) {
            throw refused(file, Position.START, "not valid TOML: " + e.getMessage());
        }
    }

    Path file() {
        return file;
    }

    Map<String, Object> content() {
        return content;
    }

    /** Where a path of keys and element numbers stands. */
    synchronized Position position(List<String> path) {
        Positions known = positions;
        if (known == null) {
            known = Positions.of(text);
            positions = known;
        }
        return known.of(path);
    }

    private static Map<String, Object> table(JsonParser parser, int depth) throws IOException {
        Map<String, Object> table = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String key = parser.currentName();
            parser.nextToken();
            table.put(key, value(parser, depth));
        }
        return table;
    }

    private static List<Object> list(JsonParser parser, int depth) throws IOException {
        List<Object> list = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            list.add(value(parser, depth));
        }
        return list;
    }

    private static Object value(JsonParser parser, int depth) throws IOException {
        if (depth > DEEPEST) {
            throw new IOException("tables and lists lie more than " + DEEPEST + " deep in one another");
        }
        return switch (parser.currentToken()) {
            case START_OBJECT -> table(parser, depth + 1);
            case START_ARRAY -> list(parser, depth + 1);
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getNumberValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> parser.getText();
        };
    }

    private static ConfigurationException unreadable(Path file, String text, JsonProcessingException e) {
        String message = String.valueOf(e.getOriginalMessage());
        if (message.equals("Duplicate key") || message.equals("Table redefined")) {
            Optional<Duplicate> twice = Positions.of(text).duplicate();
            if (twice.isPresent()) {
                return refused(
                        file,
                        twice.get().second(),
                        "\"" + String.join(".", twice.get().path()) + "\" is set twice, first in line "
                                + twice.get().first().line());
            }
        }
        JsonLocation at = e.getLocation();
        Position position = at == null || at.getLineNr() < 1
                ? Position.START
                : new Position(at.getLineNr(), Math.max(1, at.getColumnNr()));
        return refused(file, position, "not valid TOML: " + plain(message));
    }

    private static String plain(String message) {
        if (message.equals("Unknown token")) {
            return "this is no value; text goes into quotes";
        }
        if (message.startsWith("Unexpected token: Got KEY_VAL_SEP")) {
            return "there is no key before the equals sign";
        }
        if (message.startsWith("Premature end of file")) {
            return "the file ends too early; a quote or a bracket is not closed, or a value is missing";
        }
        if (message.startsWith("Newline not permitted here")) {
            return "the line ends too early; a quote or a bracket is not closed, or a value is missing";
        }
        if (message.startsWith("More data after value")) {
            return "something stands behind the value; each key has a line of its own";
        }
        return message.isEmpty() ? message : message.substring(0, 1).toLowerCase(Locale.ROOT) + message.substring(1);
    }

    private static ConfigurationException refused(Path file, Position at, String message) {
        return new ConfigurationException(List.of(new Problem(file.toString(), at.line(), at.column(), message)));
    }
}
