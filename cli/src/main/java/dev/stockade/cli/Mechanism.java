package dev.stockade.cli;

import dev.stockade.api.Profile;
import dev.stockade.api.spi.Host;
import dev.stockade.api.spi.Launch;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a backend would execute, to be read: of variables only the names.
 *
 * @param argv the arguments
 * @param environment the names of its variables
 * @param directory where it starts
 * @param feeds what it reads from descriptors: arguments, or a number of bytes
 * @param files the names of the private files it reads, with their sizes
 */
record Mechanism(
        List<String> argv,
        List<String> environment,
        String directory,
        NavigableMap<Integer, Object> feeds,
        NavigableMap<String, Integer> files) {

    /** Stands where a value was. */
    private static final String LEFT_OUT = "...";

    /** bwrap(1): takes a name and a value. */
    private static final String SETENV = "--setenv";

    static Mechanism of(Launch launch, Profile profile, Host host) {
        List<String> crossing = new ArrayList<>();
        for (String name : profile.environment()) {
            String value = host.environment().get(name);
            if (value != null && !value.isEmpty()) {
                crossing.add(value);
            }
        }
        NavigableMap<Integer, Object> feeds = new TreeMap<>();
        launch.feeds()
                .forEach((fd, bytes) -> feeds.put(
                        fd,
                        arguments(bytes)
                                .<Object>map(all -> withoutValues(all, crossing))
                                .orElse(bytes.length)));
        NavigableMap<String, Integer> files = new TreeMap<>();
        launch.files().forEach((name, bytes) -> files.put(name, bytes.length));
        return new Mechanism(
                withoutValues(launch.argv(), List.of()),
                List.copyOf(new TreeSet<>(launch.environment().keySet())),
                launch.directory().toString(),
                feeds,
                files);
    }

    /** Arguments are text, each ended by NUL; anything else is a program for the kernel. */
    private static Optional<List<String>> arguments(byte[] bytes) {
        if (bytes.length == 0 || bytes[bytes.length - 1] != 0) {
            return Optional.empty();
        }
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            boolean isText = text.chars().allMatch(c -> c == 0 || c >= ' ' || c == '\n' || c == '\t');
            return isText
                    ? Optional.of(List.of(text.substring(0, text.length() - 1).split("\0", -1)))
                    : Optional.empty();
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }

    private static List<String> withoutValues(List<String> argv, List<String> crossing) {
        List<String> shown = new ArrayList<>();
        for (int i = 0; i < argv.size(); i++) {
            String word = argv.get(i);
            boolean isValue = (i > 1 && argv.get(i - 2).equals(SETENV))
                    || crossing.stream().anyMatch(word::equals);
            shown.add(isValue ? LEFT_OUT : word);
        }
        return List.copyOf(shown);
    }

    String text() {
        StringBuilder text = new StringBuilder(ShellWords.line(argv)).append('\n');
        feeds.forEach((fd, fed) -> {
            text.append("\nread from descriptor ").append(fd).append(":\n");
            if (fed instanceof List<?> words) {
                boolean first = true;
                for (Object word : words) {
                    String quoted = ShellWords.quoted(word.toString());
                    text.append(first ? "  " : quoted.startsWith("--") ? "\n  " : " ")
                            .append(quoted);
                    first = false;
                }
                text.append('\n');
            } else {
                text.append("  ").append(fed).append(" bytes\n");
            }
        });
        files.forEach((name, size) -> text.append("\nread from a private file ")
                .append(name)
                .append(": ")
                .append(size)
                .append(" bytes\n"));
        return text.append("\nin ")
                .append(directory)
                .append("\nwith the variables ")
                .append(environment.isEmpty() ? "(none)" : String.join(" ", environment))
                .append('\n')
                .toString();
    }

    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("argv", argv);
        json.put("directory", directory);
        json.put("environment", environment);
        json.put("feeds", feeds);
        json.put("files", files);
        return json;
    }
}
