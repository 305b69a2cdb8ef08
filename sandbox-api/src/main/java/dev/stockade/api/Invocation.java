package dev.stockade.api;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A confined command for libraries that start processes themselves. It holds with any environment that the starter
 * adds: the arguments themselves clear it. Valid until its sandbox is closed, since files behind it go then.
 *
 * @param argv what to execute; the arguments hold no values of variables
 * @param environment what to set, beside whatever the starter inherits
 * @param directory where to start
 */
public record Invocation(List<String> argv, Map<String, String> environment, Path directory) {

    /**
     * Copies what it is given.
     *
     * @param argv what to execute
     * @param environment what to set
     * @param directory where to start
     */
    public Invocation {
        argv = List.copyOf(argv);
        environment = Map.copyOf(environment);
    }

    /**
     * A builder with exactly this environment.
     *
     * @return a builder that can be started as it is
     */
    public ProcessBuilder toProcessBuilder() {
        ProcessBuilder builder = new ProcessBuilder(argv).directory(directory.toFile());
        builder.environment().clear();
        builder.environment().putAll(environment);
        return builder;
    }

    /** Without the values of variables. */
    @Override
    public String toString() {
        return argv + " in " + directory + " with " + environment.keySet();
    }
}
