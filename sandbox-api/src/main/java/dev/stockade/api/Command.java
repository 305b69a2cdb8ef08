package dev.stockade.api;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What is to be started: program and arguments, directory, variables, how its streams are connected, for how long.
 * Immutable; each method returns a changed copy. Values of variables never appear in {@link #toString()}.
 */
public final class Command {

    /** As much of each stream as is kept, unless said otherwise: 1 MiB. */
    private static final int DEFAULT_CAPTURE = 1 << 20;

    private final List<String> argv;
    private Optional<Path> directory = Optional.empty();
    private Map<String, String> environment = Map.of();
    private Redirect stdin = Redirect.PIPE;
    private Redirect stdout = Redirect.PIPE;
    private Redirect stderr = Redirect.PIPE;
    private Optional<byte[]> input = Optional.empty();
    private Optional<Duration> timeout = Optional.empty();
    private int captureBytes = DEFAULT_CAPTURE;

    private Command(List<String> argv) {
        this.argv = argv;
    }

    private Command(Command from) {
        this(from, from.argv);
    }

    private Command(Command from, List<String> argv) {
        this.argv = argv;
        directory = from.directory;
        environment = from.environment;
        stdin = from.stdin;
        stdout = from.stdout;
        stderr = from.stderr;
        input = from.input;
        timeout = from.timeout;
        captureBytes = from.captureBytes;
    }

    /**
     * A program and its arguments. No shell reads them: an argument with spaces stays one argument.
     *
     * @param argv the program (a path, or a name to be found on the command's own {@code PATH}) and its arguments
     * @return the command
     * @throws IllegalArgumentException if there is no program, or an argument holds a NUL character
     */
    public static Command of(String... argv) {
        return of(List.of(argv));
    }

    /**
     * A program and its arguments, as {@link #of(String...)}.
     *
     * @param argv the program and its arguments
     * @return the command
     * @throws IllegalArgumentException if there is no program, or an argument holds a NUL character
     */
    public static Command of(List<String> argv) {
        List<String> copy = List.copyOf(argv);
        if (copy.isEmpty() || copy.get(0).isEmpty()) {
            throw new IllegalArgumentException("a command needs a program");
        }
        copy.forEach(argument -> refuseNul(argument, "an argument"));
        return new Command(copy);
    }

    /**
     * A line for a shell: {@code bash -lc} where the command finds a bash, else {@code sh -c}.
     *
     * @param line what the shell reads
     * @return the command
     */
    public static Command shell(String line) {
        // Which shell there is shows inside only: an image may have no bash where the host has one.
        return of("sh", "-c", "command -v bash >/dev/null 2>&1 && exec bash -lc \"$1\"; exec sh -c \"$1\"", "sh", line);
    }

    /**
     * The same with another program and arguments, say to put a wrapper in front.
     *
     * @param other the program and its arguments
     * @return the changed copy
     * @throws IllegalArgumentException if there is no program, or an argument holds a NUL character
     */
    public Command withArgv(List<String> other) {
        return new Command(this, of(other).argv);
    }

    /**
     * Starts in this directory.
     *
     * @param where inside the workspace; relative ones are taken from the workspace
     * @return the changed copy
     */
    public Command directory(Path where) {
        Command copy = new Command(this);
        copy.directory = Optional.of(where);
        return copy;
    }

    /**
     * Sets variables, beside those that the profile lets cross, which they override.
     *
     * @param variables values by name; they replace those of earlier calls
     * @return the changed copy
     * @throws IllegalArgumentException for a name that no variable can have, or a value with a NUL character
     */
    public Command environment(Map<String, String> variables) {
        Map<String, String> checked = new LinkedHashMap<>();
        variables.forEach((name, value) -> {
            refuseNul(value, "the value of " + checkedName(name));
            checked.put(name, value);
        });
        Command copy = new Command(this);
        copy.environment = Collections.unmodifiableMap(checked);
        return copy;
    }

    /**
     * Connects the command to the caller's own terminal or streams: {@link Redirect#INHERIT} for all three. The
     * command stays in the caller's session, so that job control works.
     *
     * @return the changed copy
     */
    public Command attached() {
        return redirect(Redirect.INHERIT, Redirect.INHERIT, Redirect.INHERIT);
    }

    /**
     * Connects the command's streams. A stream that is not {@link Redirect#PIPE} is not captured. A file that a stream is
     * connected to is granted with it: through its descriptor a command can change it, also one that it was to read.
     *
     * @param in where it reads from
     * @param out where it writes to
     * @param err where it writes errors to
     * @return the changed copy
     */
    public Command redirect(Redirect in, Redirect out, Redirect err) {
        Command copy = new Command(this);
        copy.stdin = Objects.requireNonNull(in);
        copy.stdout = Objects.requireNonNull(out);
        copy.stderr = Objects.requireNonNull(err);
        return copy;
    }

    /**
     * Feeds standard input, then closes it. Only {@link Sandbox#run} does so.
     *
     * @param bytes what the command reads
     * @return the changed copy
     */
    public Command input(byte[] bytes) {
        Command copy = new Command(this);
        copy.stdin = Redirect.PIPE;
        copy.input = Optional.of(bytes.clone());
        return copy;
    }

    /**
     * Ends the command and all it started when its time is up: politely first, then for good.
     *
     * @param limit more than zero
     * @return the changed copy
     * @throws IllegalArgumentException if it is not more than zero
     */
    public Command timeout(Duration limit) {
        if (limit.isNegative() || limit.isZero()) {
            throw new IllegalArgumentException("a time limit must be more than zero, not " + limit);
        }
        Command copy = new Command(this);
        copy.timeout = Optional.of(limit);
        return copy;
    }

    /**
     * Keeps at most this much of each captured stream; the rest is read and dropped, and the result says so.
     *
     * @param bytes at least 0
     * @return the changed copy
     */
    public Command captureBytes(int bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("the bytes to capture cannot be negative");
        }
        Command copy = new Command(this);
        copy.captureBytes = bytes;
        return copy;
    }

    /**
     * The program and its arguments.
     *
     * @return at least one element
     */
    public List<String> argv() {
        return argv;
    }

    /**
     * The directory to start in.
     *
     * @return empty for the workspace
     */
    public Optional<Path> directory() {
        return directory;
    }

    /**
     * The variables set for this command alone.
     *
     * @return values by name
     */
    public Map<String, String> environment() {
        return environment;
    }

    /**
     * Where standard input comes from.
     *
     * @return the redirection
     */
    public Redirect stdin() {
        return stdin;
    }

    /**
     * Where standard output goes.
     *
     * @return the redirection
     */
    public Redirect stdout() {
        return stdout;
    }

    /**
     * Where standard error goes.
     *
     * @return the redirection
     */
    public Redirect stderr() {
        return stderr;
    }

    /**
     * Whether it reads from the caller's own standard input, and so may share its terminal.
     *
     * @return whether standard input is inherited
     */
    public boolean isAttached() {
        return stdin.equals(Redirect.INHERIT);
    }

    /**
     * What is fed to standard input.
     *
     * @return a copy, if there is any
     */
    public Optional<byte[]> input() {
        return input.map(byte[]::clone);
    }

    /**
     * The time it is given.
     *
     * @return empty for any
     */
    public Optional<Duration> timeout() {
        return timeout;
    }

    /**
     * How much of each captured stream is kept.
     *
     * @return bytes
     */
    public int captureBytes() {
        return captureBytes;
    }

    /**
     * Finds the file that this command would execute, as a shell does: a program with a slash is taken from the
     * directory, any other from the first entry of the search path that holds an executable file of that name.
     *
     * @param from the directory to start in, absolute
     * @param searchPath entries separated by colons; relative and empty ones are taken from the directory
     * @param visible which files the command can see; what it cannot see is passed over
     * @return the file's real path
     * @throws LaunchException if there is none (status 127), or it cannot be executed (status 126)
     */
    public Path resolveExecutable(Path from, String searchPath, Predicate<Path> visible) {
        String program = argv.get(0);
        return program.indexOf('/') >= 0
                ? Executables.at(program, from, program, visible)
                : Executables.onPath(program, from, searchPath, visible);
    }

    static String checkedName(String name) {
        int assigned = name.indexOf('=');
        if (assigned > 0) {
            // What follows is a value, and no message shows one.
            throw new IllegalArgumentException(
                    "a variable is named without a value, as " + name.substring(0, assigned));
        }
        if (name.isEmpty() || assigned == 0 || name.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("a variable's name is not empty and holds neither = nor NUL");
        }
        return name;
    }

    private static void refuseNul(String text, String what) {
        if (text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(what + " holds a NUL character, which no program can be given");
        }
    }

    @Override
    public String toString() {
        return argv
                + directory.map(where -> " in " + where).orElse("")
                + (environment.isEmpty() ? "" : " with " + environment.keySet());
    }

    /** The search that {@link #resolveExecutable} promises. */
    private static final class Executables {

        private static Path at(String program, Path from, String file, Predicate<Path> visible) {
            Path real = real(program, from, file);
            if (!visible.test(real)) {
                throw LaunchException.notFound(
                        program, "it exists on this host, but the sandbox does not show " + real);
            }
            if (Files.isDirectory(real)) {
                throw LaunchException.notExecutable(program, "it is a directory");
            }
            if (!Files.isExecutable(real)) {
                throw LaunchException.notExecutable(program, "it lacks the permission to be executed");
            }
            return real;
        }

        private static Path onPath(String program, Path from, String searchPath, Predicate<Path> visible) {
            Optional<LaunchException> better = Optional.empty();
            for (String entry : searchPath.split(":", -1)) {
                String file = entry.isEmpty() ? program : entry + "/" + program;
                try {
                    return at(program, from, file, visible);
                } catch (LaunchException e) {
                    // A hit that can't be used says more than "not found" when nothing else turns up.
                    if (better.isEmpty() && isThere(from, file)) {
                        better = Optional.of(e);
                    }
                }
            }
            throw better.orElseGet(
                    () -> LaunchException.notFound(program, "no directory of PATH has it: " + searchPath));
        }

        private static boolean isThere(Path from, String file) {
            try {
                return Files.exists(from.resolve(file));
            } catch (InvalidPathException e) {
                return false;
            }
        }

        private static Path real(String program, Path from, String file) {
            try {
                return from.resolve(file).toRealPath();
            } catch (AccessDeniedException e) {
                throw LaunchException.notExecutable(program, "a directory on the way to it may not be searched");
            } catch (IOException e) {
                throw LaunchException.notFound(program, "there is no such file");
            } catch (InvalidPathException e) {
                throw LaunchException.notFound(program, "no file can have that name in this JVM's locale");
            }
        }
    }
}
