package dev.stockade.config;

import dev.stockade.config.ConfigurationException.Problem;
import java.util.List;

/** Where a word was said. Its line is looked for only if somebody asks. */
sealed interface Origin {

    /** For people, such as {@code /home/me/stockade.toml:7}. */
    String text();

    Problem problem(String message);

    /** In a file. */
    record InFile(Document document, List<String> path) implements Origin {

        InFile below(String step) {
            List<String> deeper = new java.util.ArrayList<>(path);
            deeper.add(step);
            return new InFile(document, deeper);
        }

        @Override
        public String text() {
            return document.file() + ":" + document.position(path).line();
        }

        @Override
        public Problem problem(String message) {
            Position at = document.position(path);
            return new Problem(document.file().toString(), at.line(), at.column(), message);
        }
    }

    /** A flag, a variable or an installed profile. */
    record Named(String text) implements Origin {

        @Override
        public Problem problem(String message) {
            return new Problem(text, 0, 0, message);
        }
    }
}
