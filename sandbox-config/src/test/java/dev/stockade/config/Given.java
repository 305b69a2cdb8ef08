package dev.stockade.config;

import dev.stockade.api.Backends;
import dev.stockade.api.spi.Host;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A user with a home, a project in it, and some variables. */
record Given(Path home, Path workspace, Map<String, String> environment) implements Host {

    Given(Path directory) {
        this(directory.resolve("home"), directory.resolve("home/project"), new HashMap<>());
        directory(workspace);
    }

    static Path directory(Path path) {
        try {
            return Files.createDirectories(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Path file(Path file, String text) {
        try {
            directory(file.resolveSibling("."));
            return Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path ownFile() {
        return home.resolve(".config/stockade/stockade.toml");
    }

    Path ownFile(String text) {
        return file(ownFile(), text);
    }

    Path projectFile(String text) {
        return file(workspace.resolve("stockade.toml"), text);
    }

    Given with(String variable, String value) {
        environment.put(variable, value);
        return this;
    }

    Configuration configuration() {
        return Configuration.of(workspace, this).backends(Backends.of(new FakeBackend("docker", "image")));
    }

    @Override
    public String os() {
        return "linux";
    }

    @Override
    public String arch() {
        return "x86_64";
    }

    @Override
    public int uid() {
        return Host.local().uid();
    }

    @Override
    public FileSystem files() {
        return FileSystems.getDefault();
    }

    @Override
    public Optional<Path> find(String program) {
        return Optional.empty();
    }

    @Override
    public Optional<Printed> output(Duration limit, List<String> argv) {
        return Optional.empty();
    }
}
