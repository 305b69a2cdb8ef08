package dev.stockade.cli;

import dev.stockade.api.spi.Host;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** This machine, but for its kind. */
record PretendHost(String os, String arch) implements Host {

    @Override
    public int uid() {
        return 1000;
    }

    @Override
    public Path home() {
        return Host.local().home();
    }

    @Override
    public FileSystem files() {
        return Host.local().files();
    }

    @Override
    public Map<String, String> environment() {
        return Map.of();
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
