package dev.stockade.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Passes on what a traced command prints, and keeps the end of it. With the network off no name is ever sent anywhere,
 * so that only the command itself tells which one it wanted.
 */
final class CommandOutput {

    private static final int KEPT = 1 << 16;

    /** As curl, git, node, npm, Java, pip, Go and glibc's own texts have it. */
    private static final Pattern UNKNOWN_HOST = Pattern.compile(
            "resolve|ENOTFOUND|EAI_AGAIN|UnknownHost|not known|name resolution|getaddrinfo|no such host|unreachable",
            Pattern.CASE_INSENSITIVE);

    private static final Pattern HOST_NAME = Pattern.compile(
            "(?<![\\w./@-])(?:https?://)?((?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z]{2,24})(?![\\w(]|\\.\\w)");

    private static final Pattern FILE =
            Pattern.compile("\\.(?:js|mjs|ts|py|java|class|go|rs|rb|c|h|so|json|xml|toml|txt)$");

    private final PrintStream to;
    private final StringBuilder kept = new StringBuilder();

    CommandOutput(PrintStream to) {
        this.to = to;
    }

    void copy(InputStream from) throws IOException {
        byte[] buffer = new byte[8192];
        for (int read = from.read(buffer); read >= 0; read = from.read(buffer)) {
            to.write(buffer, 0, read);
            to.flush();
            synchronized (kept) {
                kept.append(new String(buffer, 0, read, StandardCharsets.ISO_8859_1));
                kept.delete(0, Math.max(0, kept.length() - KEPT));
            }
        }
    }

    /** The last line. */
    String last() {
        synchronized (kept) {
            return kept.toString().lines().reduce("it said nothing", (before, line) -> line);
        }
    }

    /** Hosts that it says it could not find or reach. */
    List<String> names() {
        TreeSet<String> names = new TreeSet<>();
        synchronized (kept) {
            kept.toString()
                    .lines()
                    .filter(line -> UNKNOWN_HOST.matcher(line).find())
                    .forEach(line -> {
                        Matcher name = HOST_NAME.matcher(line.toLowerCase(Locale.ROOT));
                        while (name.find()) {
                            if (!FILE.matcher(name.group(1)).find()) {
                                names.add(name.group(1));
                            }
                        }
                    });
        }
        return names.stream().limit(10).toList();
    }
}
