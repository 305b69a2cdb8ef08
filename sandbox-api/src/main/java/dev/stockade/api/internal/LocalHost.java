package dev.stockade.api.internal;

import dev.stockade.api.spi.Host;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The machine this JVM runs on. */
public final class LocalHost implements Host {

    /** The one there is. */
    public static final Host INSTANCE = new LocalHost();

    /** Looked at before PATH, which may hold a directory of the repository that is being confined. */
    private static final List<String> SYSTEM_DIRECTORIES =
            List.of("/usr/bin", "/bin", "/usr/local/bin", "/usr/sbin", "/sbin", "/run/current-system/sw/bin");

    private final Map<List<String>, Printed> printed = new ConcurrentHashMap<>();
    private final int uid = readUid();

    private LocalHost() {}

    private static int readUid() {
        try {
            return (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        } catch (IOException | UnsupportedOperationException e) {
            // No /proc (macOS): the home belongs to its user.
            try {
                return (Integer) Files.getAttribute(Path.of(System.getProperty("user.home")), "unix:uid");
            } catch (IOException | UnsupportedOperationException none) {
                return -1;
            }
        }
    }

    @Override
    public String os() {
        String name = System.getProperty("os.name");
        return name.startsWith("Mac") ? "macos" : name.toLowerCase(Locale.ROOT);
    }

    @Override
    public String arch() {
        String name = System.getProperty("os.arch");
        return name.equals("amd64") ? "x86_64" : name;
    }

    @Override
    public int uid() {
        return uid;
    }

    @Override
    public Path home() {
        String home = environment().get("HOME");
        return Path.of(home == null || !home.startsWith("/") ? System.getProperty("user.home") : home);
    }

    @Override
    public FileSystem files() {
        return FileSystems.getDefault();
    }

    @Override
    public Map<String, String> environment() {
        return System.getenv();
    }

    @Override
    public Optional<Path> find(String program) {
        Stream<String> path = Stream.of(environment().getOrDefault("PATH", "").split(":"));
        return Stream.concat(SYSTEM_DIRECTORIES.stream(), path.filter(entry -> entry.startsWith("/")))
                .flatMap(directory -> file(directory, program))
                .filter(file -> Files.isExecutable(file) && !Files.isDirectory(file))
                .findFirst();
    }

    private static Stream<Path> file(String directory, String program) {
        try {
            return Stream.of(Path.of(directory, program));
        } catch (InvalidPathException e) {
            return Stream.empty(); // A name that this JVM's locale cannot spell.
        }
    }

    @Override
    public Optional<Printed> output(Duration limit, List<String> argv) {
        // Only an answer is remembered: that there was none may be the interrupted caller's own doing.
        List<String> key = List.copyOf(argv);
        Printed known = printed.get(key);
        if (known != null) {
            return Optional.of(known);
        }
        Optional<Printed> answer = print(limit, key);
        answer.ifPresent(text -> printed.put(key, text));
        return answer;
    }

    private static Optional<Printed> print(Duration limit, List<String> argv) {
        try {
            Process process = Launchers.start(
                    new ProcessBuilder(argv).redirectErrorStream(true).redirectInput(ProcessBuilder.Redirect.PIPE));
            process.getOutputStream().close();
            BoundedCapture text = BoundedCapture.of(process.getInputStream(), 1 << 16);
            try {
                if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                    return Optional.empty();
                }
                // Read first: destroying also a process that has ended closes its streams, whether read or not.
                return Optional.of(new Printed(
                        process.exitValue(), text.await(Duration.ofSeconds(5)).text()));
            } finally {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
