package dev.stockade.cli;

import dev.stockade.api.Backends;
import dev.stockade.api.Command;
import dev.stockade.api.Network;
import dev.stockade.api.Profile;
import dev.stockade.api.Sandbox;
import dev.stockade.api.spi.Host;
import dev.stockade.config.Amendment;
import dev.stockade.config.Configuration;
import dev.stockade.config.Loaded;
import dev.stockade.config.Mode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the options of a confined command come to, with what configuration files say.
 *
 * @param installed the backends there are
 * @param loaded what flags, variables and files come to
 * @param directory where it starts, if not in the workspace itself
 * @param variables what it gets beside what crosses
 * @param warnings what the user should know before it runs
 */
record Request(
        Backends installed,
        Loaded loaded,
        Optional<Path> directory,
        Map<String, String> variables,
        List<String> warnings) {

    private static final String DOCKER = "docker";

    static Request of(Arguments arguments, Backends installed, Host host) {
        return of(arguments, installed, host, Optional.empty());
    }

    /** What it would come to if a file had been changed so. */
    static Request amended(Arguments arguments, Backends installed, Host host, Amendment change) {
        return of(arguments, installed, host, Optional.of(change));
    }

    private static Request of(Arguments arguments, Backends installed, Host host, Optional<Amendment> change) {
        try {
            return read(arguments, installed, host, change);
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()), e);
        }
    }

    /** The file in which a widening counts. */
    static Path widening(Arguments arguments, Host host) {
        return configuration(arguments, workspace(arguments, host), host).widening();
    }

    private static Path workspace(Arguments arguments, Host host) {
        return path(arguments.one(Option.WORKSPACE).orElse(""), host);
    }

    private static Request read(Arguments arguments, Backends installed, Host host, Optional<Amendment> change) {
        Path here = Path.of("").toAbsolutePath();
        Path asked = workspace(arguments, host);
        Backends backends = arguments.has(Option.PARTIAL) ? installed.partial() : installed;
        requireBackend(arguments, installed);
        Configuration configuration = configuration(arguments, asked, host).backends(backends);
        change.ifPresent(configuration::instead);
        flag(configuration, arguments, Option.BACKEND, "backend");
        flag(configuration, arguments, Option.NETWORK, "network");
        flag(configuration, arguments, Option.TIMEOUT, "timeout");
        if (arguments.has(Option.IMAGE)) {
            configuration.flag(Option.IMAGE.word(), "backend", DOCKER);
            flag(configuration, arguments, Option.IMAGE, DOCKER + ".image");
        }
        // Of two options for one path the stricter decides: the later one does.
        paths(configuration, arguments, Option.RW, "writable", host);
        paths(configuration, arguments, Option.RO, "readable", host);
        paths(configuration, arguments, Option.HIDE, "hidden", host);
        if (arguments.has(Option.READ_ONLY)) {
            configuration.flag(Option.READ_ONLY.word(), "read_only", asked.toString());
        }
        Map<String, String> variables = variables(arguments, configuration);
        Loaded loaded = configuration.load();
        List<String> warnings = new ArrayList<>(loaded.notices());
        Path workspace = loaded.profile().workspace();
        if (host.home().startsWith(workspace)) {
            warnings.add("the workspace " + workspace + " holds your home directory, so the command can"
                    + " read every credential in it; choose one project with --workspace");
        }
        return new Request(
                backends, loaded, directory(arguments, loaded.profile(), here, host), variables, List.copyOf(warnings));
    }

    private static Configuration configuration(Arguments arguments, Path workspace, Host host) {
        Configuration configuration;
        try {
            configuration = Configuration.of(workspace, host);
        } catch (IllegalArgumentException e) {
            throw new UsageException(e.getMessage() + "; --workspace names the directory to work in", e);
        }
        arguments.one(Option.PROFILE).ifPresent(named -> {
            if (isFile(named)) {
                configuration.file(path(named, host));
            } else {
                configuration.profile(named);
            }
        });
        return configuration;
    }

    private static void requireBackend(Arguments arguments, Backends installed) {
        Optional<String> named = arguments.one(Option.BACKEND);
        if (arguments.has(Option.IMAGE)) {
            if (named.isPresent() && !named.get().equals(DOCKER)) {
                throw new UsageException("--image is of use to the backend docker only, not to " + named.get()
                        + "; leave one of them out");
            }
            named = Optional.of(DOCKER);
        }
        List<String> names = installed.names();
        if (named.isPresent() && !names.contains(named.get())) {
            throw new UsageException("there is no backend \"" + named.get() + "\""
                    + Nearest.hint(named.get(), names) + ". Installed are " + String.join(", ", names)
                    + "; stockade doctor tells which of them work here");
        }
    }

    /** Whether {@code --profile} names a file, and not a profile. */
    static boolean isFile(String profile) {
        return profile.contains("/") || profile.endsWith(".toml");
    }

    private static void flag(Configuration configuration, Arguments arguments, Option option, String key) {
        arguments.one(option).ifPresent(value -> configuration.flag(option.word(), key, value));
    }

    private static void paths(Configuration configuration, Arguments arguments, Option option, String key, Host host) {
        for (String text : arguments.all(option)) {
            configuration.flag(option.word(), key, path(text, host).toString());
        }
    }

    /** What the command may touch if no rule gives it the network. */
    Profile profile() {
        return loaded.profile();
    }

    /** What this command may touch; without one, what any may that no rule gives the network. */
    Profile profileFor(List<String> argv, Host host) {
        return argv.isEmpty() ? profile() : loaded.profileFor(command(argv), host);
    }

    /** The backends that may be chosen from. */
    Backends backends() {
        return loaded.backends(installed);
    }

    /** The backend that was named, by whomever. */
    Optional<String> named() {
        return loaded.mode() == Mode.OFF ? Optional.of("none") : loaded.backend();
    }

    /** Whether a command may run without a sandbox, which has to be said when it does. */
    boolean mayRunUnconfined() {
        return loaded.mode() != Mode.REQUIRED;
    }

    Optional<Duration> timeout() {
        return loaded.timeout();
    }

    Command command(List<String> argv) {
        Command command = Command.of(argv).environment(variables).attached();
        return directory.map(command::directory).orElse(command);
    }

    /** Opens a sandbox for a command, which may have the network where others have not. */
    Sandbox open(Command command, Host host) {
        Profile own = loaded.profileFor(command, host);
        if (!mayRunUnconfined()) {
            return backends().open(own);
        }
        Sandbox opened = loaded.open(installed);
        return own.network() == Network.ON ? opened.withNetwork(Network.ON) : opened;
    }

    private static Map<String, String> variables(Arguments arguments, Configuration configuration) {
        Map<String, String> given = new LinkedHashMap<>();
        for (String variable : arguments.all(Option.ENV)) {
            int equals = variable.indexOf('=');
            if (equals == 0) {
                throw new UsageException("--env " + variable + " has no name before the equals sign");
            }
            String name = equals < 0 ? variable : variable.substring(0, equals);
            if (name.chars().anyMatch(Character::isWhitespace)) {
                throw new UsageException(
                        "--env " + variable + " has a space in the name; give --env for each variable");
            }
            if (equals < 0) {
                configuration.flag(Option.ENV.word(), "env", variable);
            } else {
                given.put(name, variable.substring(equals + 1));
            }
        }
        if (arguments.verb() == Verb.SHELL) {
            List.of("TERM", "COLORTERM", "LANG").forEach(name -> configuration.flag("shell", "env", name));
        }
        return given;
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
