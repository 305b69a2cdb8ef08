package dev.stockade.config;

/** The file that {@code init} writes. */
final class Example {

    private Example() {}

    static String of(Vocabulary vocabulary) {
        StringBuilder text = new StringBuilder("""
                # What Stockade lets commands touch. Everything is closed unless it is opened here.
                #
                # Your own file, ~/.config/stockade/stockade.toml, may open things. One that lies in a workspace, or is
                # found above it, may only close them: what it would open is an error.
                # Paths may begin with ~ and are taken from this file's directory; patterns are not supported.

                [sandbox]
                """);
        for (Key key : vocabulary.all()) {
            if (key.table().isEmpty() && !key.equals(Key.EXTENDS)) {
                line(text, key, key.name());
            }
        }
        for (String table : vocabulary.tables()) {
            text.append("\n# [sandbox.").append(table).append("]\n");
            for (Key key : vocabulary.all()) {
                if (key.table().equals(table)) {
                    line(text, key, key.last());
                }
            }
        }
        text.append("""

                # A profile of your own: profile = "ci" above, or --profile ci, chooses it.
                # [profiles.ci]
                """);
        line(text, Key.EXTENDS, Key.EXTENDS.name());
        text.append("# network = \"off\"\n");
        return text.toString();
    }

    private static void line(StringBuilder text, Key key, String name) {
        text.append("\n# ").append(key.help());
        if (!key.words().isEmpty()) {
            text.append(" (").append(String.join(", ", key.words())).append(')');
        }
        text.append("\n# ").append(name).append(" = ").append(key.example()).append('\n');
    }
}
