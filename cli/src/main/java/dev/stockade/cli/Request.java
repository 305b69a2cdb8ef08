package dev.stockade.cli;

import dev.stockade.api.Backends;
import dev.stockade.api.Command;
import dev.stockade.api.Network;
import dev.stockade.api.Profile;
import dev.stockade.api.spi.Host;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the options of a confined command come to.
 *
 * @param backends those it may be confined by
 * @param profile what it may touch
 * @param directory where it starts, if not in the workspace itself
 * @param variables what it gets beside what crosses
 * @param skipped paths that were named and do not exist, for the user to know before it runs
 * @param warnings what else the user should know
 */
record Request(
        Backends backends,
        Profile profile,
        Optional<Path> directory,
        Map<String, String> variables,
        List<String> skipped,
        List<String> warnings) {

    private static final String DOCKER = "docker";

    static Request of(Arguments arguments, Backends installed, Host host) {
        try {
            return read(arguments, installed, host);
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()), e);
        }
    }

    private static Request read(Arguments arguments, Backends installed, Host host) {
        Path here = Path.of("").toAbsolutePath();
        Path asked = path(arguments.one(Option.WORKSPACE).orElse(""), host);
        Profile.Builder builder = inherited(arguments, asked, host);
        List<String> skipped = new ArrayList<>();
        // Of two options for one path the stricter decides: the later call does.
        for (Path path : paths(arguments, Option.RW, host, skipped)) {
            builder.writable(path);
        }
        for (Path path : paths(arguments, Option.RO, host, skipped)) {
            builder.readable(path);
        }
        for (String path : arguments.all(Option.HIDE)) {
            builder.hidden(path(path, host));
        }
        if (arguments.has(Option.READ_ONLY)) {
            builder.workspaceReadOnly();
        }
        arguments.one(Option.NETWORK).ifPresent(word -> builder.network(network(word)));
        arguments.one(Option.IMAGE).ifPresent(image -> builder.set(DOCKER + ".image", image));
        Map<String, String> variables = variables(arguments, builder);
        Profile profile = builder.build();
        List<String> warnings = host.home().startsWith(profile.workspace())
                ? List.of("the workspace " + profile.workspace() + " holds your home directory, so the command can"
                        + " read every credential in it; choose one project with --workspace")
                : List.of();
        return new Request(
                chosen(arguments, installed),
                profile,
                directory(arguments, profile, here, host),
                variables,
                List.copyOf(skipped),
                warnings);
    }

    private static Profile.Builder inherited(Arguments arguments, Path workspace, Host host) {
        Optional<String> named = arguments.one(Option.PROFILE);
        try {
            return named.isPresent()
                    ? ProfileSource.of(named.get(), workspace, host).toBuilder()
                    : Profile.builder(workspace);
        } catch (IllegalArgumentException e) {
            throw new UsageException(e.getMessage() + "; --workspace names the directory to work in", e);
        }
    }

    Command command(List<String> argv) {
        Command command = Command.of(argv).environment(variables).attached();
        return directory.map(command::directory).orElse(command);
    }

    static Backends chosen(Arguments arguments, Backends installed) {
        Optional<String> named = arguments.one(Option.BACKEND);
        if (arguments.has(Option.IMAGE)) {
            if (named.isPresent() && !named.get().equals(DOCKER)) {
                throw new UsageException("--image is of use to the backend docker only, not to " + named.get()
                        + "; leave one of them out");
            }
            named = Optional.of(DOCKER);
        }
        Backends backends = arguments.has(Option.PARTIAL) ? installed.partial() : installed;
        if (named.isEmpty()) {
            return backends;
        }
        List<String> names = backends.names();
        if (!names.contains(named.get())) {
            throw new UsageException("there is no backend \"" + named.get() + "\""
                    + Nearest.hint(named.get(), names) + ". Installed are " + String.join(", ", names)
                    + "; stockade doctor tells which of them work here");
        }
        return backends.only(named.get());
    }

    static Network network(String word) {
        return switch (word) {
            case "off" -> Network.OFF;
            case "loopback" -> Network.LOOPBACK;
            case "on" -> Network.ON;
            default ->
                throw new UsageException("--network is off, loopback or on, not \"" + word + "\""
                        + Nearest.hint(word, List.of("off", "loopback", "on")));
        };
    }

    private static Map<String, String> variables(Arguments arguments, Profile.Builder builder) {
        Map<String, String> given = new LinkedHashMap<>();
        for (String variable : arguments.all(Option.ENV)) {
            int equals = variable.indexOf('=');
            if (equals == 0) {
                throw new UsageException("--env " + variable + " has no name before the equals sign");
            }
            if (equals < 0) {
                builder.env(variable);
            } else {
                given.put(variable.substring(0, equals), variable.substring(equals + 1));
            }
        }
        if (arguments.verb() == Verb.SHELL) {
            builder.env("TERM", "COLORTERM", "LANG");
        }
        return given;
    }

    private static List<Path> paths(Arguments arguments, Option option, Host host, List<String> skipped) {
        List<Path> paths = new ArrayList<>();
        for (String text : arguments.all(option)) {
            Path path = path(text, host);
            if (!Files.exists(path)) {
                skipped.add(option.word() + " " + text + ": does not exist and is skipped");
            }
            paths.add(path);
        }
        return paths;
    }

    private static Optional<Path> directory(Arguments arguments, Profile profile, Path here, Host host) {
        Optional<String> asked = arguments.one(Option.CWD);
        if (asked.isPresent()) {
            return Optional.of(profile.workspace().resolve(home(asked.get(), host)));
        }
        try {
            Path real = here.toRealPath();
            return real.startsWith(profile.workspace()) ? Optional.of(real) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** A path from the command line, absolute. */
    static Path path(String text, Host host) {
        return Path.of(home(text, host)).toAbsolutePath().normalize();
    }

    /** The shell does this too, but not behind an equals sign, and not for programs that start this one. */
    private static String home(String text, Host host) {
        if (!text.startsWith("~")) {
            return text;
        }
        if (text.equals("~") || text.startsWith("~/")) {
            return host.home() + text.substring(1);
        }
        throw new UsageException("\"" + text + "\" names another user's home, which is not looked up; write the path"
                + " out, or ./" + text + " for a file of that name");
    }
}
