package dev.stockade.api.spi;

import dev.stockade.api.Command;
import dev.stockade.api.Profile;
import dev.stockade.api.internal.LocalHost;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a planner may ask about the machine. Facts of one mechanism (a kernel interface, a daemon) come from that
 * backend's own probe. Thread-safe. A test gives its own, with an in-memory file system.
 */
public interface Host {

    /**
     * What a program printed.
     *
     * @param status its exit status
     * @param text standard output and standard error, as they came
     */
    record Printed(int status, String text) {}

    /**
     * The machine this JVM runs on.
     *
     * @return always the same
     */
    static Host local() {
        return LocalHost.INSTANCE;
    }

    /**
     * The operating system.
     *
     * @return {@code linux}, {@code macos}, or the name Java gives it
     */
    String os();

    /**
     * The processor.
     *
     * @return {@code x86_64}, {@code aarch64}, or the name Java gives it
     */
    String arch();

    /**
     * The user this process runs as.
     *
     * @return the numeric id, 0 for root
     */
    int uid();

    /**
     * The user's home.
     *
     * @return a path of {@link #files()}
     */
    Path home();

    /**
     * The files.
     *
     * @return the host's file system, or a test's
     */
    FileSystem files();

    /**
     * The caller's environment.
     *
     * @return values by name
     */
    Map<String, String> environment();

    /**
     * Finds a mechanism's own program: in the system's directories first, then in the absolute entries of the
     * caller's {@code PATH}.
     *
     * @param program a plain name
     * @return an executable file
     */
    Optional<Path> find(String program);

    /**
     * Runs a short program of the host's and remembers what it printed, for the life of the JVM; that there was no
     * answer is not remembered.
     *
     * @param limit the time it is given
     * @param argv the program and its arguments
     * @return what it printed; empty if it could not be started or took too long
     */
    Optional<Printed> output(Duration limit, List<String> argv);

    /**
     * The one rule about the environment: nothing of the caller's crosses unless it is named.
     *
     * @param profile names what crosses
     * @param command adds its own, which win
     * @param fixed what the backend sets by itself, such as {@code PATH} and {@code HOME}; weakest
     * @return all variables, in a stable order
     */
    default Map<String, String> environmentFor(Profile profile, Command command, Map<String, String> fixed) {
        Map<String, String> all = new LinkedHashMap<>(fixed);
        for (String name : profile.environment()) {
            String value = environment().get(name);
            if (value != null) {
                all.put(name, value);
            }
        }
        all.putAll(command.environment());
        return all;
    }
}
