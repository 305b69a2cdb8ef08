package dev.stockade.backend.docker;

import dev.stockade.api.spi.Host;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The machine this test runs on, for what is tested below a sandbox. */
enum RealHost implements Host {
    INSTANCE;

    @Override
    public String os() {
        return "linux";
    }

    @Override
    public String arch() {
        return System.getProperty("os.arch");
    }

    @Override
    public int uid() {
        try {
            return (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        } catch (IOException e) {
            return -1;
        }
    }

    @Override
    public Path home() {
        return Path.of(System.getProperty("user.home"));
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
        return Stream.of("/usr/bin", "/usr/local/bin")
                .map(directory -> Path.of(directory, program))
                .filter(Files::isExecutable)
                .findFirst();
    }

    @Override
    public Optional<Printed> output(Duration limit, List<String> argv) {
        try {
            Process process = new ProcessBuilder(argv).redirectErrorStream(true).start();
            String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return Optional.of(new Printed(process.waitFor(), text));
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
