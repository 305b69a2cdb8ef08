package dev.stockade.backend.docker;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import dev.stockade.api.spi.Host;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A host in memory, so that plans can be looked at on any system.
 *
 * @param files its files
 * @param uid who asks
 * @param environment the caller's
 * @param client what docker prints; empty if it is not installed
 */
record PretendHost(FileSystem files, int uid, Map<String, String> environment, Optional<Printed> client)
        implements Host {

    static final String ENDPOINT = "endpoint|unix:///run/docker.sock\n";

    static PretendHost printing(int uid, int status, String text) {
        FileSystem files = Jimfs.newFileSystem(Configuration.unix().toBuilder()
                .setAttributeViews("basic", "owner", "posix", "unix")
                .build());
        return new PretendHost(files, uid, new HashMap<>(), Optional.of(new Printed(status, text)));
    }

    /** The user 1000, and an engine that can do everything. */
    static PretendHost debian() {
        return printing(
                1000, 0, ENDPOINT + "engine|28.2.2|linux|4|true|true|true|[\"name=seccomp,profile=builtin\"]\n");
    }

    Path directory(String path) {
        try {
            return Files.createDirectories(files.getPath(path));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path file(String path) {
        try {
            directory(path.substring(0, path.lastIndexOf('/')));
            return Files.createFile(files.getPath(path));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
    public Path home() {
        return files.getPath("/home/u");
    }

    @Override
    public Optional<Path> find(String program) {
        return client.map(printed -> files.getPath("/usr/bin", program));
    }

    @Override
    public Optional<Printed> output(Duration limit, List<String> argv) {
        return client;
    }
}
