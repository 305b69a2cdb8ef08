package dev.stockade.config;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * One key of a configuration file. The reader, the commented example and the schema for editors are all made from this
 * table, so that they cannot disagree.
 *
 * @param name as in {@code [sandbox]}; with a dot where it stands in a table of its own, such as {@code limits.memory}
 * @param kind what its value is
 * @param words the values it may have, if they can be counted
 * @param inProfile whether it also stands in {@code [profiles.NAME]}
 * @param help a sentence
 * @param example a value, as TOML
 */
record Key(String name, Kind kind, List<String> words, boolean inProfile, String help, String example) {

    /** What a value is. */
    enum Kind {
        TEXT("a string"),
        WORD("a string"),
        TIME("a time such as \"30s\", \"5m\" or \"2h\""),
        SIZE("a size such as \"512MiB\" or \"2GiB\", or a number of bytes"),
        SHARE("a number more than 0"),
        COUNT("a whole number more than 0"),
        PATHS("a list of paths"),
        VARIABLES("a list of variable names"),
        COMMANDS("a list of commands, each a list of strings"),
        PREFIXES("a list of commands, each a list of at least two strings");

        private final String text;

        Kind(String text) {
            this.text = text;
        }

        String text() {
            return text;
        }

        boolean isList() {
            return this == PATHS || this == VARIABLES || isCommand();
        }

        boolean isCommand() {
            return this == COMMANDS || this == PREFIXES;
        }
    }

    static final Key EXTENDS =
            new Key("extends", Kind.TEXT, List.of(), true, "The profile that this one changes.", "\"build\"");

    /** All that are not a backend's own. */
    static final List<Key> ALL = List.of(
            text("backend", "What confines; the strongest that works here, unless named.", "\"bwrap\""),
            word(
                    "mode",
                    false,
                    "Whether to run unconfined: never, where no sandbox works here, or always.",
                    "required",
                    "auto",
                    "off"),
            text("profile", "Where to start from; the other keys change it.", "\"strict\""),
            word("network", true, "What may be reached: nothing, this machine, or all.", "off", "loopback", "on"),
            key("network_allow", Kind.COMMANDS, "Commands that get the network, word for word.", "[[\"npm\", \"ci\"]]"),
            key(
                    "network_allow_prefix",
                    Kind.PREFIXES,
                    "Beginnings of commands that get the network, of at least two words.",
                    "[[\"git\", \"fetch\"]]"),
            word(
                    "reads",
                    true,
                    "What is readable unasked: the operating system, or all of the host.",
                    "system",
                    "host"),
            key("readable", Kind.PATHS, "What may be read and executed as well.", "[\"~/.sdkman\"]"),
            key("writable", Kind.PATHS, "What may be written as well.", "[\"~/.m2/repository\"]"),
            key(
                    "read_only",
                    Kind.PATHS,
                    "What stays as it is inside something writable.",
                    "[\"~/.m2/repository/own\"]"),
            key("hidden", Kind.PATHS, "What is not seen at all.", "[\"~/.ssh\"]"),
            key("env", Kind.VARIABLES, "Variables that cross; no other does.", "[\"LANG\", \"CI\"]"),
            word("tmp", true, "Which /tmp there is: one of its own, or the host's.", "private", "shared"),
            key("timeout", Kind.TIME, "The time a command is given.", "\"10m\""),
            key("limits.memory", Kind.SIZE, "The memory a command and all it starts may use.", "\"2GiB\""),
            key("limits.cpus", Kind.SHARE, "Processors; 0.5 is half of one.", "1.5"),
            key("limits.processes", Kind.COUNT, "Processes and threads at once.", "200"));

    private static Key text(String name, String help, String example) {
        return new Key(name, Kind.TEXT, List.of(), false, help, example);
    }

    private static Key word(String name, boolean inProfile, String help, String... words) {
        return new Key(name, Kind.WORD, List.of(words), inProfile, help, "\"" + words[0] + "\"");
    }

    private static Key key(String name, Kind kind, String help, String example) {
        return new Key(name, kind, List.of(), true, help, example);
    }

    /** A setting that a backend declares. */
    static Key setting(String name, String help) {
        return new Key(name, Kind.TEXT, List.of(), true, help, "\"…\"");
    }

    static Optional<Key> named(String name) {
        return Stream.concat(ALL.stream(), Stream.of(EXTENDS))
                .filter(key -> key.name().equals(name))
                .findFirst();
    }

    /** By its name. Written out: a record's own is linked at run time, which takes longer than to read a file. */
    @Override
    public boolean equals(Object other) {
        return other instanceof Key key && name.equals(key.name);
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }

    /** The part before the dot; empty for a key of the table itself. */
    String table() {
        return name.substring(0, Math.max(0, name.indexOf('.')));
    }

    /** The part behind the dot. */
    String last() {
        return name.substring(name.indexOf('.') + 1);
    }
}
