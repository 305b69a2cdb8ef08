package dev.stockade.api.spi;

import dev.stockade.api.LaunchException;
import dev.stockade.api.Outcome;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a planner makes of a command, as data: everything that is needed to start it, nothing that is done yet.
 * Immutable; each method returns a changed copy.
 */
public final class Launch {

    /** The descriptors that feeds and the status channel may use: above the standard ones, one digit for sh. */
    private static final int FIRST_FD = 3;

    private static final int LAST_FD = 9;

    private static final String ENVIRONMENT = "environment";

    /** Tells how the command ended from what the mechanism says. */
    @FunctionalInterface
    public interface Decoder {

        /**
         * Decodes.
         *
         * @param status the exit value of the process that was started, 128+n after signal n
         * @param channel what was written to the status channel; empty if there is none
         * @return how the command ended; empty if it never ran
         */
        Optional<Outcome> decode(int status, String channel);
    }

    /**
     * What the starting thread does to itself just before the command exists, so that the command inherits it.
     *
     * <p>The thread may not be able to open a file any more, and so not to load a class: whatever it calls has been
     * linked before. It takes no lock, starts and wakes no thread (they could inherit its confinement), and tells errors
     * by number.
     */
    public interface Step {

        /**
         * Confines the calling thread and proves that it is confined.
         *
         * @return 0, or a number for {@link #explain}
         */
        int confine();

        /**
         * Gives back what it holds: called instead of {@link #confine} where nothing will be confined.
         */
        default void discard() {}

        /**
         * Says, on an ordinary thread, what a number means.
         *
         * @param code what {@link #confine}, or a method of the keeper, returned
         * @return what happened and what to do
         */
        String explain(int code);

        /**
         * Who ends what the command leaves behind.
         *
         * @return empty, unless overridden, if nobody can
         */
        default Optional<Keeper> keeper() {
            return Optional.empty();
        }
    }

    /**
     * Ends what a command leaves behind. Works on a thread of its own, under the rules of a {@link Step}, that lasts as
     * long as the command. The thread that confines itself is started from it, and so is confined twice: the command
     * is inside the keeper's confinement and cannot reach the keeper.
     */
    public interface Keeper {

        /**
         * Puts the calling thread into a confinement of its own.
         *
         * @return 0, or a number for {@link Step#explain}
         */
        int enclose();

        /**
         * Ends all that is inside. Called once the command itself has ended.
         *
         * @return 0, or a number for {@link Step#explain}
         */
        int end();
    }

    private final List<String> argv;
    private final Map<String, String> environment;
    private final Path directory;
    private SortedMap<Integer, byte[]> feeds = Collections.emptySortedMap();
    private SortedMap<String, byte[]> files = Collections.emptySortedMap();
    private OptionalInt statusFd = OptionalInt.empty();
    private Decoder decoder = (status, channel) -> Optional.of(Outcome.ofStatus(status));
    private List<String> stop = List.of();
    private Optional<Step> step = Optional.empty();
    private boolean clearsEnvironment;

    private Launch(List<String> argv, Map<String, String> environment, Path directory) {
        if (argv.isEmpty()) {
            throw new IllegalArgumentException("a launch needs a program");
        }
        this.argv = List.copyOf(argv);
        this.environment = Map.copyOf(environment);
        this.directory = directory;
    }

    private Launch(Launch from) {
        this(from, from.argv, from.environment);
    }

    private Launch(Launch from, List<String> argv, Map<String, String> environment) {
        this.argv = List.copyOf(argv);
        this.environment = Map.copyOf(environment);
        directory = from.directory;
        feeds = from.feeds;
        files = from.files;
        statusFd = from.statusFd;
        decoder = from.decoder;
        stop = from.stop;
        step = from.step;
        clearsEnvironment = from.clearsEnvironment;
    }

    /**
     * The least there is to a launch.
     *
     * @param argv what to execute; public to every user of the host, so never a value of a variable
     * @param environment all variables, nothing is added
     * @param directory where to start
     * @return the launch
     * @throws IllegalArgumentException if there is no program
     */
    public static Launch of(List<String> argv, Map<String, String> environment, Path directory) {
        return new Launch(argv, environment, directory);
    }

    /**
     * Lets the process read bytes from a descriptor.
     *
     * @param fd 3 to 9, each used once
     * @param bytes what it reads
     * @return the changed copy
     * @throws IllegalArgumentException for another descriptor, or one that is used already
     */
    public Launch feed(int fd, byte[] bytes) {
        Launch copy = new Launch(this);
        SortedMap<Integer, byte[]> more = new TreeMap<>(feeds);
        more.put(free(fd), bytes.clone());
        copy.feeds = Collections.unmodifiableSortedMap(more);
        return copy;
    }

    /**
     * Puts a file into the start's scratch directory.
     *
     * @param name a plain name, not beginning with a dot
     * @param bytes its contents
     * @return the changed copy
     * @throws IllegalArgumentException for another name
     */
    public Launch file(String name, byte[] bytes) {
        if (name.isEmpty() || name.contains("/") || name.startsWith(".")) {
            throw new IllegalArgumentException("not a plain file name: " + name);
        }
        Launch copy = new Launch(this);
        SortedMap<String, byte[]> more = new TreeMap<>(files);
        more.put(name, bytes.clone());
        copy.files = Collections.unmodifiableSortedMap(more);
        return copy;
    }

    /**
     * Opens a channel on which the mechanism says how it fared. The process that is started is then taken for a front
     * of the command: a polite end is asked of what it started, not of itself.
     *
     * @param fd the descriptor it writes to, 3 to 9, no feed's
     * @param how reads what it wrote
     * @return the changed copy
     * @throws IllegalArgumentException for another descriptor, or one that is used already
     */
    public Launch status(int fd, Decoder how) {
        Launch copy = new Launch(this);
        copy.statusFd = OptionalInt.of(free(fd));
        copy.decoder = how;
        return copy;
    }

    /**
     * Decodes without a channel.
     *
     * @param how reads the exit value
     * @return the changed copy
     */
    public Launch decodedBy(Decoder how) {
        Launch copy = new Launch(this);
        copy.decoder = how;
        return copy;
    }

    /**
     * Ends the command where killing the started process is not enough.
     *
     * @param command executed to end it for good
     * @return the changed copy
     */
    public Launch stoppedBy(List<String> command) {
        Launch copy = new Launch(this);
        copy.stop = List.copyOf(command);
        return copy;
    }

    /**
     * Confines the starting thread. Needs a {@link Spawner}.
     *
     * @param what the step
     * @return the changed copy
     */
    public Launch onThread(Step what) {
        Launch copy = new Launch(this);
        copy.step = Optional.of(what);
        return copy;
    }

    /**
     * Promises that what is executed gives the command its whole environment by itself, so that nothing a starter
     * adds gets through. Only such a launch can be handed to other starters.
     *
     * @return the changed copy
     */
    public Launch clearingEnvironment() {
        Launch copy = new Launch(this);
        copy.clearsEnvironment = true;
        return copy;
    }

    /**
     * Clears the environment by a shell in front, for a mechanism that lets its own environment through. The variables
     * lie in a private file, since arguments are public; what was fed or written to the scratch directory stays.
     *
     * @param scratch the start's scratch directory
     * @return the changed copy, which clears the environment
     * @throws LaunchException for a variable whose name a shell cannot set
     */
    public Launch settingEnvironmentByShell(Path scratch) {
        StringBuilder script = new StringBuilder("unset PWD OLDPWD\n");
        environment.forEach((name, value) -> {
            if (!name.matches("[A-Za-z_][A-Za-z0-9_]*")) {
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
        List<String> front = new ArrayList<>(List.of("/usr/bin/env", "-i", "/bin/sh", "-c", ". \"$0\"; exec \"$@\""));
        front.add(scratch.resolve(ENVIRONMENT).toString());
        front.addAll(argv);
        Launch copy = new Launch(this, front, Map.of());
        return copy.file(ENVIRONMENT, script.toString().getBytes(StandardCharsets.UTF_8))
                .clearingEnvironment();
    }

    /**
     * Starts with other variables.
     *
     * @param variables all of them
     * @return the changed copy
     */
    public Launch withEnvironment(Map<String, String> variables) {
        return new Launch(this, argv, variables);
    }

    private int free(int fd) {
        if (fd < FIRST_FD || fd > LAST_FD) {
            throw new IllegalArgumentException("descriptors are " + FIRST_FD + " to " + LAST_FD + ", not " + fd);
        }
        if (feeds.containsKey(fd) || statusFd.equals(OptionalInt.of(fd))) {
            throw new IllegalArgumentException("descriptor " + fd + " is used already");
        }
        return fd;
    }

    /**
     * What to execute.
     *
     * @return the program and its arguments
     */
    public List<String> argv() {
        return argv;
    }

    /**
     * All variables.
     *
     * @return values by name
     */
    public Map<String, String> environment() {
        return environment;
    }

    /**
     * Where to start.
     *
     * @return a directory
     */
    public Path directory() {
        return directory;
    }

    /**
     * What can be read from descriptors. The arrays are not copied: do not change them.
     *
     * @return bytes by descriptor
     */
    public SortedMap<Integer, byte[]> feeds() {
        return feeds;
    }

    /**
     * What lies in the scratch directory. The arrays are not copied: do not change them.
     *
     * @return bytes by name
     */
    public SortedMap<String, byte[]> files() {
        return files;
    }

    /**
     * The status channel.
     *
     * @return its descriptor, if there is one
     */
    public OptionalInt statusFd() {
        return statusFd;
    }

    /**
     * Reads how it ended.
     *
     * @return the decoder
     */
    public Decoder decoder() {
        return decoder;
    }

    /**
     * What ends it for good.
     *
     * @return a command, empty if killing is enough
     */
    public List<String> stop() {
        return stop;
    }

    /**
     * What the starting thread does to itself.
     *
     * @return the step, if there is one
     */
    public Optional<Step> step() {
        return step;
    }

    /**
     * Whether the starter's environment is irrelevant to the command.
     *
     * @return as promised by {@link #clearingEnvironment}
     */
    public boolean clearsEnvironment() {
        return clearsEnvironment;
    }

    /** Without the values of variables and the feeds' bytes. */
    @Override
    public String toString() {
        return argv + " in " + directory + " with " + environment.keySet() + ", fed on " + feeds.keySet();
    }
}
