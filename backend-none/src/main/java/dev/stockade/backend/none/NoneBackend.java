package dev.stockade.backend.none;

import dev.stockade.api.Availability;
import dev.stockade.api.Capabilities;
import dev.stockade.api.Command;
import dev.stockade.api.LaunchException;
import dev.stockade.api.Profile;
import dev.stockade.api.spi.Assessment;
import dev.stockade.api.spi.Assessment.Refusal;
import dev.stockade.api.spi.Host;
import dev.stockade.api.spi.Launch;
import dev.stockade.api.spi.Planner;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Confines nothing: the command is started as it is, with the reduced environment. Must be named to be chosen. */
public final class NoneBackend implements Planner {

    /** What an unconfined command gets of the caller's environment beside what the profile names. */
    private static final List<String> KEPT = List.of("PATH", "HOME", "LANG", "LC_ALL", "TZ");

    private static final String ENVIRONMENT = "environment";
    private static final Pattern SHELL_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    /** For the service loader. */
    public NoneBackend() {}

    @Override
    public String name() {
        return "none";
    }

    @Override
    public Availability availability(Host host) {
        return new Availability.Available("confines nothing");
    }

    @Override
    public Duration startCost() {
        return Duration.ZERO;
    }

    /** Limits are the one part whose absence no reach tells: asked for, they are refused. */
    @Override
    public Assessment assess(Profile profile, Host host) {
        List<Refusal> refused = new ArrayList<>();
        String why = "a command that is not confined cannot be limited; leave it out, or choose a backend that can";
        profile.limits().memoryBytes().ifPresent(limit -> refused.add(new Refusal("limits.memory", why)));
        profile.limits().cpus().ifPresent(limit -> refused.add(new Refusal("limits.cpus", why)));
        profile.limits().processes().ifPresent(limit -> refused.add(new Refusal("limits.processes", why)));
        return new Assessment(refused, Capabilities.EVERYTHING);
    }

    @Override
    public Plan prepare(Profile profile, Host host) {
        return (command, start) -> launch(command, start, profile, host);
    }

    private static Launch launch(Command command, Start start, Profile profile, Host host) {
        Map<String, String> kept = new LinkedHashMap<>();
        for (String name : KEPT) {
            String value = host.environment().get(name);
            if (value != null) {
                kept.put(name, value);
            }
        }
        Map<String, String> environment = host.environmentFor(profile, command, kept);
        Path directory = command.directory().orElse(profile.workspace());
        command.resolveExecutable(directory, environment.getOrDefault("PATH", ""), file -> true);
        return start.purpose() == Purpose.WRAPPED
                ? wrapped(command, start, environment, directory)
                : Launch.of(command.argv(), environment, directory);
    }

    /**
     * Whoever starts this adds to what it inherits, so everything is cleared first; the values then come from a
     * private file, since arguments are public.
     */
    private static Launch wrapped(Command command, Start start, Map<String, String> environment, Path directory) {
        StringBuilder script = new StringBuilder("unset PWD OLDPWD\n");
        environment.forEach((name, value) -> {
            if (!SHELL_NAME.matcher(name).matches()) {
                throw new LaunchException(
                        LaunchException.Phase.PREPARE,
                        LaunchException.Fault.COMMAND,
                        "the variable \"" + name + "\" cannot be set by a shell, which wrapping needs: rename it");
            }
            script.append("export ")
                    .append(name)
                    .append("='")
                    .append(value.replace("'", "'\\''"))
                    .append("'\n");
        });
        List<String> argv = new ArrayList<>(List.of(
                "/usr/bin/env",
                "-i",
                "/bin/sh",
                "-c",
                ". \"$0\"; exec \"$@\"",
                start.scratch().resolve(ENVIRONMENT).toString()));
        argv.addAll(command.argv());
        return Launch.of(argv, Map.of(), directory)
                .file(ENVIRONMENT, script.toString().getBytes(StandardCharsets.UTF_8))
                .clearingEnvironment();
    }
}
