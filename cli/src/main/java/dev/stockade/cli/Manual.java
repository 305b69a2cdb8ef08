package dev.stockade.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * {@code stockade help --man-pages}: the help as manual pages, man(7): one of the command and one of each verb.
 *
 * @param directory where they go; made if it does not exist
 */
record Manual(Path directory) implements Action {

    private static final String LF = "\n";

    @Override
    public int perform(Console console) {
        try {
            Files.createDirectories(directory);
            Files.writeString(directory.resolve("stockade.1"), overview());
            for (Verb verb : Verb.values()) {
                Files.writeString(directory.resolve("stockade-" + verb.word() + ".1"), page(verb));
            }
        } catch (IOException e) {
            throw new UsageException("--man-pages " + directory + " cannot be written: " + e, e);
        }
        console.out().println("wrote " + (Verb.values().length + 1) + " manual pages into " + directory);
        return 0;
    }

    static String overview() {
        StringBuilder page = head("stockade", Help.ABOUT);
        page.append(".SH SYNOPSIS\n.B stockade\n.I COMMAND\n[\\fIoptions\\fR]\n.SH COMMANDS\n");
        for (Verb verb : Verb.values()) {
            page.append(".TP\n.BR stockade\\-").append(escaped(verb.word())).append(" (1)\n");
            page.append(line(verb.summary())).append(LF);
        }
        page.append(".SH EXIT STATUS\n").append(text(Help.EXIT_STATUS));
        page.append("""
                .SH FILES
                .TP
                .I ~/.config/stockade/stockade.toml
                What is allowed; may widen.
                .TP
                .I stockade.toml
                In the workspace or above it; may only tighten.
                """);
        return page.append(seeAlso(null)).toString();
    }

    static String page(Verb verb) {
        StringBuilder page = head("stockade-" + verb.word(), verb.summary());
        page.append(".SH SYNOPSIS\n.B stockade ").append(escaped(verb.word())).append(LF);
        String rest = verb.usage().substring(verb.word().length()).strip();
        page.append(rest.isEmpty() ? "" : line(rest) + LF).append(".SH OPTIONS\n");
        for (Option option : Option.of(verb)) {
            page.append(".TP\n\\fB").append(escaped(option.word())).append("\\fR");
            page.append(option.takesArgument() ? " \\fI" + escaped(option.argument()) + "\\fR" : "")
                    .append(LF);
            page.append(line(option.help() + (option.isRepeatable() ? " (may be repeated)" : "")))
                    .append(LF);
        }
        Help.more(verb).ifPresent(more -> page.append(".SH NOTES\n").append(text(more)));
        return page.append(seeAlso(verb)).toString();
    }

    private static StringBuilder head(String name, String summary) {
        StringBuilder page = new StringBuilder();
        page.append(".TH ").append(escaped(name.toUpperCase(Locale.ROOT))).append(" 1 \"\" \"stockade ");
        page.append(escaped(Version.text())).append("\" \"Stockade\"\n");
        return page.append(".SH NAME\n")
                .append(escaped(name))
                .append(" \\- ")
                .append(line(summary))
                .append(LF);
    }

    private static String seeAlso(@Nullable Verb verb) {
        String others = Stream.of(Verb.values())
                .filter(other -> other != verb)
                .map(other -> ".BR stockade\\-" + escaped(other.word()) + " (1)")
                .collect(Collectors.joining(",\n"));
        return ".SH SEE ALSO\n" + (verb == null ? "" : ".BR stockade (1),\n") + others + LF;
    }

    /** Lines that are laid out by hand stay as they are. */
    private static String text(String paragraph) {
        String stripped = paragraph.strip();
        boolean laidOut = stripped.lines().anyMatch(each -> each.contains("  ") || each.contains(" > "));
        String body = stripped.lines().map(Manual::line).collect(Collectors.joining(LF));
        return laidOut ? ".nf\n" + body + "\n.fi\n" : body + LF;
    }

    private static String line(String text) {
        String escaped = escaped(text);
        return escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" + escaped : escaped;
    }

    /** groff_char(7): a bare hyphen, quote or tilde may become another character. */
    private static String escaped(String text) {
        return text.replace("\\", "\\e")
                .replace("-", "\\-")
                .replace("~", "\\(ti")
                .replace("^", "\\(ha")
                .replace("'", "\\(aq");
    }
}
