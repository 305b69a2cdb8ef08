package dev.stockade.backend.none;

import dev.stockade.api.Availability;
import dev.stockade.api.Capabilities;
import dev.stockade.api.Command;
import dev.stockade.api.Profile;
import dev.stockade.api.spi.Assessment;
import dev.stockade.api.spi.Assessment.Refusal;
import dev.stockade.api.spi.Host;
import dev.stockade.api.spi.Launch;
import dev.stockade.api.spi.Planner;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Confines nothing: the command is started as it is, with the reduced environment. Must be named to be chosen. */
public final class NoneBackend implements Planner {

    /** Where execvp(3) looks if there is no PATH. */
    private static final String DEFAULT_PATH = "/bin:/usr/bin";

    /** What an unconfined command gets of the caller's environment beside what the profile names. */
    private static final List<String> KEPT = List.of("PATH", "HOME", "LANG", "LC_ALL", "TZ");

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
        command.resolveExecutable(directory, environment.getOrDefault("PATH", DEFAULT_PATH), file -> true);
        if (start.purpose() == Purpose.WRAPPED) {
            return Launch.of(command.argv(), environment, directory).settingEnvironmentByShell(start.scratch());
        }
        return Launch.of(found(command.argv(), environment, host), environment, directory);
    }

    /** The JDK looks for a program on the PATH this JVM was started with, whatever the command's own says. */
    private static List<String> found(List<String> argv, Map<String, String> environment, Host host) {
        boolean own = Objects.equals(environment.get("PATH"), host.environment().get("PATH"));
        if (own || argv.get(0).contains("/")) {
            return argv;
        }
        List<String> searching = new ArrayList<>(List.of("/bin/sh", "-c", "exec \"$@\"", "sh"));
        searching.addAll(argv);
        return searching;
    }
}
