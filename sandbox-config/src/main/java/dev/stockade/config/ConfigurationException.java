package dev.stockade.config;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** A configuration that cannot be used. Nothing of it was applied. */
public final class ConfigurationException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * One thing that is wrong.
     *
     * @param source the file, the flag or the variable
     * @param line its line, from 1; 0 where there are no lines
     * @param column its column, from 1; 0 where there are no lines
     * @param message what is wrong, what is allowed, and what was perhaps meant: a sentence for people
     */
    public record Problem(String source, int line, int column, String message) {

        /** Shows what would steer a terminal: a file's author chose it. */
        public Problem {
            source = Visible.line(source);
            message = Visible.line(message);
        }

        @Override
        public String toString() {
            return line == 0 ? source + ": " + message : source + ":" + line + ":" + column + ": " + message;
        }
    }

    private final transient List<Problem> problems;

    ConfigurationException(List<Problem> found) {
        super(inOrder(found).stream().map(Problem::toString).collect(Collectors.joining("\n")));
        problems = inOrder(found);
    }

    private static List<Problem> inOrder(List<Problem> found) {
        List<String> sources = found.stream().map(Problem::source).distinct().toList();
        return found.stream()
                .sorted(Comparator.comparingInt((Problem problem) -> sources.indexOf(problem.source()))
                        .thenComparingInt(Problem::line)
                        .thenComparingInt(Problem::column))
                .toList();
    }

    /**
     * Everything that is wrong, at once.
     *
     * @return at least one problem, in the order of files and lines
     */
    public List<Problem> problems() {
        return problems;
    }
}
