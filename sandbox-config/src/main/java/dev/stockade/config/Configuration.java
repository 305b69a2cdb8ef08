package dev.stockade.config;

import dev.stockade.api.Backends;
import dev.stockade.api.Profile;
import dev.stockade.api.spi.Host;
import dev.stockade.api.spi.ProfileProvider;
import dev.stockade.config.ConfigurationException.Problem;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Asks what a command may touch: of the user's own file, of variables, of flags, and of the file that is found from the
 * workspace upwards. Collects what the caller knows, then {@link #load() loads}. Not thread-safe.
 *
 * <p>Files are looked for by name first; where there is none, no TOML is read and nothing is loaded that could.
 */
public final class Configuration {

    private final Path workspace;
    private final Host host;
    private final List<Entry> flags = new ArrayList<>();
    private final List<Problem> problems = new ArrayList<>();
    private Supplier<Backends> backends = Backends::installed;
    private Optional<Path> file = Optional.empty();
    private Optional<String> profile = Optional.empty();
    private Optional<Amendment> amended = Optional.empty();

    private Configuration(Path workspace, Host host) {
        this.workspace = workspace;
        this.host = host;
    }

    /**
     * Starts with nothing but the workspace.
     *
     * @param workspace a directory that exists
     * @param host the facts
     * @return a new question
     * @throws IllegalArgumentException if the workspace cannot be one
     */
    public static Configuration of(Path workspace, Host host) {
        return new Configuration(Profile.builder(workspace).build().workspace(), host);
    }

    /**
     * Checks names and settings against these backends, not the installed ones.
     *
     * @param known the backends
     * @return this
     */
    public Configuration backends(Backends known) {
        backends = () -> known;
        return this;
    }

    /**
     * Reads this file, too. It may widen, unless it lies in the workspace.
     *
     * @param named the file that the user named; it has to exist
     * @return this
     */
    public Configuration file(Path named) {
        file = Optional.of(named.toAbsolutePath().normalize());
        return this;
    }

    /**
     * Starts from this profile, whatever the files say.
     *
     * @param name an installed one, or one that a file defines
     * @return this
     */
    public Configuration profile(String name) {
        profile = Optional.of(name);
        return this;
    }

    /**
     * Reads a file as if it had been changed so, to see what that would come to.
     *
     * @param change the change, to a file that counts here
     * @return this
     */
    public Configuration instead(Amendment change) {
        amended = Optional.of(change);
        return this;
    }

    /**
     * The file in which a widening counts: the one that was named, where it may widen, else the user's own.
     *
     * @return its path; it need not exist
     */
    public Path widening() {
        return file.filter(named -> !Search.liesIn(named, workspace)
                        && Search.writtenByOthers(named, host).isEmpty())
                .orElseGet(() -> Search.ofUser(host));
    }

    /**
     * Adds what a flag says. It is stronger than all files and variables.
     *
     * @param flag as the user wrote it, for messages: {@code --rw}
     * @param key the key it stands for: {@code writable}, {@code network}, {@code limits.memory}, {@code docker.image}
     * @param value its value; of a list, one element. Relative paths are taken from the current directory
     * @return this
     * @throws IllegalArgumentException for an unknown key, or one that takes commands
     */
    public Configuration flag(String flag, String key, String value) {
        Key known = Key.named(key).orElseGet(() -> new Vocabulary(backends.get()).key(key));
        if (known.kind().isCommand()) {
            throw new IllegalArgumentException(key + " cannot be given by a flag");
        }
        Origin origin = new Origin.Named(flag);
        try {
            flags.add(new Entry(known, values().one(known, value), origin));
        } catch (Unfit unfit) {
            problems.add(origin.problem(unfit.message()));
        }
        return this;
    }

    /** Of flags and variables. */
    private Values values() {
        return new Values(new PathWords(host.files().getPath("").toAbsolutePath(), host.home()));
    }

    /**
     * Reads, checks and puts together.
     *
     * @return what it comes to
     * @throws ConfigurationException if anything is wrong; nothing is applied then
     */
    public Loaded load() {
        Sources sources = Sources.find(workspace, host, file, amended, backends, problems);
        return new Assembly(workspace, host, sources, profile, flags, values(), problems).load();
    }

    /**
     * The profiles that can be chosen: those that are installed, and those that the files define.
     *
     * @return a sentence about each, by name
     * @throws ConfigurationException if a file is wrong
     */
    public SortedMap<String, String> profiles() {
        SortedMap<String, String> all = new TreeMap<>();
        ProfileProvider.installed()
                .forEach((name, provider) ->
                        all.put(name, String.valueOf(provider.names().get(name))));
        Sources sources = Sources.find(workspace, host, file, amended, backends, problems);
        if (!problems.isEmpty()) {
            throw new ConfigurationException(problems);
        }
        for (Sources.Source source : sources.all()) {
            source.layer().profiles().keySet().forEach(name -> all.put(name, "from " + source.file()));
        }
        return Collections.unmodifiableSortedMap(all);
    }

    /**
     * A file with every key in comments, to begin with.
     *
     * @param known the backends whose settings it shows
     * @return TOML that is valid as it is
     */
    public static String example(Backends known) {
        return Example.of(new Vocabulary(known));
    }

    /**
     * A JSON Schema (draft 2020-12) of the file, for editors.
     *
     * @param known the backends whose names and settings it knows
     * @return JSON
     */
    public static String schema(Backends known) {
        return Schema.of(new Vocabulary(known));
    }
}
