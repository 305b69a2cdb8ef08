package dev.stockade.cli;

import dev.stockade.api.LaunchException;
import dev.stockade.api.NoBackendException;
import dev.stockade.api.ProfileNotSupportedException;
import dev.stockade.config.ConfigurationException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Why nothing was run.
 *
 * @param status 125, 126 or 127
 * @param kind one word for programs: usage, configuration, no-backend, profile, launch or bug
 * @param phase how far a launch came
 * @param fault whose fault it was
 * @param message what happened and what to do
 */
record Failure(int status, String kind, Optional<String> phase, Optional<String> fault, String message) {

    static final int COULD_NOT = 125;

    static Failure of(Throwable thrown) {
        return switch (thrown) {
            case UsageException e -> new Failure("usage", e, "");
            case ConfigurationException e -> new Failure("configuration", e, "");
            case NoBackendException e -> new Failure("no-backend", e, "\nMore: stockade doctor");
            case ProfileNotSupportedException e ->
                new Failure("profile", e, "\nMore: stockade explain, with the same options");
            case LaunchException e ->
                new Failure(
                        e.exitStatus(),
                        "launch",
                        Optional.of(lower(e.phase())),
                        Optional.of(lower(e.fault())),
                        text(e));
            default ->
                new Failure(
                        COULD_NOT,
                        "bug",
                        Optional.empty(),
                        Optional.of("stockade"),
                        "this is a bug in Stockade; please report it: " + thrown + " (--debug shows where)");
        };
    }

    private Failure(String kind, Throwable thrown, String more) {
        this(COULD_NOT, kind, Optional.empty(), Optional.empty(), text(thrown) + more);
    }

    private static String text(Throwable thrown) {
        return String.valueOf(thrown.getMessage());
    }

    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("kind", kind);
        phase.ifPresent(value -> json.put("phase", value));
        fault.ifPresent(value -> json.put("fault", value));
        json.put("message", message);
        return json;
    }
}
