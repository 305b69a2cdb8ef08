package dev.stockade.cli;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A command line that has been read.
 *
 * @param verb what to do
 * @param values the options that were given, each with its arguments
 * @param operands what follows them
 */
record Arguments(Verb verb, Map<Option, List<String>> values, List<String> operands) {

    boolean has(Option option) {
        return values.containsKey(option);
    }

    List<String> all(Option option) {
        return values.getOrDefault(option, List.of());
    }

    Optional<String> one(Option option) {
        List<String> all = all(option);
        return all.isEmpty() ? Optional.empty() : Optional.of(all.get(0));
    }
}
