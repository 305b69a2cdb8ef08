package dev.stockade.backend.bwrap;

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

/** A host in memory, so that plans can be looked at on any system. */
final class PretendHost implements Host {

    private final FileSystem files = Jimfs.newFileSystem(Configuration.unix().toBuilder()
            .setAttributeViews("basic", "owner", "posix", "unix")
            .build());
    private final Map<String, String> environment = new HashMap<>();
    private final int uid;
    private final String version;
    private final String arch;

    PretendHost(int uid, String version, String arch) {
        this.uid = uid;
        this.version = version;
        this.arch = arch;
        directory("/etc");
        directory("/usr/bin");
        file("/usr/bin/true");
    }

    /** Debian 12: merged /usr, the user 1000, bubblewrap 0.8.0. */
    static PretendHost debian() {
        PretendHost host = new PretendHost(1000, "0.8.0", "x86_64");
        host.link("/bin", "usr/bin").link("/lib", "usr/lib").link("/lib64", "usr/lib64");
        return host;
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
            directory(String.valueOf(files.getPath(path).getParent()));
            return Files.createFile(files.getPath(path));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    PretendHost link(String path, String target) {
        try {
            directory(String.valueOf(files.getPath(path).getParent()));
            Files.createSymbolicLink(files.getPath(path), files.getPath(target));
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    PretendHost variable(String name, String value) {
        environment.put(name, value);
        return this;
    }

    @Override
    public String os() {
        return "linux";
    }

    @Override
    public String arch() {
        return arch;
    }

    @Override
    public int uid() {
        return uid;
    }

    @Override
    public Path home() {
        return files.getPath("/home/u");
    }

    @Override
    public FileSystem files() {
        return files;
    }

    @Override
    public Map<String, String> environment() {
        return environment;
    }

    @Override
    public Optional<Path> find(String program) {
        return Optional.of(files.getPath("/usr/bin", program));
    }

    @Override
    public Optional<Printed> output(Duration limit, List<String> argv) {
        return Optional.of(new Printed(0, "bubblewrap " + version + "\n"));
    }
}
