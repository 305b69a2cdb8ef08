package dev.stockade.backend.seatbelt;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import dev.stockade.api.spi.Host;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A Mac in memory: a user "me" with a workspace.
 *
 * @param os its operating system
 * @param files its files
 * @param environment the caller's variables
 * @param printed what every program prints
 */
record FakeMac(String os, FileSystem files, Map<String, String> environment, Optional<Host.Printed> printed)
        implements Host {

    static final String WORKSPACE = "/Users/me/work";

    static FakeMac fresh() {
        FileSystem files = Jimfs.newFileSystem(
                Configuration.unix().toBuilder().setAttributeViews("posix").build());
        FakeMac mac = new FakeMac("macos", files, Map.of("SECRET", "x"), Optional.of(new Printed(0, "")));
        mac.directory(WORKSPACE);
        List.of("/usr/bin/sandbox-exec", "/usr/bin/true", "/bin/sh").forEach(mac::program);
        return mac;
    }

    FakeMac printing(Optional<Host.Printed> what) {
        return new FakeMac(os, files, environment, what);
    }

    FakeMac with(Map<String, String> variables) {
        return new FakeMac(os, files, variables, printed);
    }

    Path path(String path) {
        return files.getPath(path);
    }

    Path workspace() {
        return path(WORKSPACE);
    }

    Path directory(String path) {
        try {
            return Files.createDirectories(path(path));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void program(String path) {
        try {
            Path file = path(path);
            Files.createDirectories(file.getParent());
            Files.writeString(file, "");
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String arch() {
        return "aarch64";
    }

    @Override
    public int uid() {
        return 501;
    }

    @Override
    public Path home() {
        return path("/Users/me");
    }

    @Override
    public Optional<Path> find(String program) {
        return Optional.empty();
    }

    @Override
    public Optional<Host.Printed> output(Duration limit, List<String> argv) {
        return printed;
    }
}
