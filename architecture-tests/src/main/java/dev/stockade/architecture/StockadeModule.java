package dev.stockade.architecture;

import com.tngtech.archunit.core.importer.Location;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A module of this project as it stands on the class path: a jar after {@code package}, a directory before. */
record StockadeModule(ModuleReference reference) {
    static final Path ROOT = Path.of("").toAbsolutePath().getParent();

    static List<StockadeModule> all() {
        List<StockadeModule> found = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            Path path = Path.of(entry);
            if (path.startsWith(ROOT)) {
                ModuleFinder.of(path).findAll().forEach(reference -> found.add(new StockadeModule(reference)));
            }
        }
        return found;
    }

    String name() {
        return descriptor().name();
    }

    ModuleDescriptor descriptor() {
        return reference.descriptor();
    }

    Location classes() {
        URI uri = reference.location().orElseThrow();
        return Location.of(uri.getPath().endsWith(".jar") ? URI.create("jar:" + uri + "!/") : uri);
    }

    boolean isBackend() {
        return name().startsWith("dev.stockade.backend.");
    }

    /** The class file format's major version: 61 is Java 17. */
    int classVersion(String file) {
        return Short.toUnsignedInt(read(file).getShort(6));
    }

    ByteBuffer read(String file) {
        try (var reader = reference.open()) {
            ByteBuffer buffer = reader.read(file).orElseThrow(() -> new AssertionError("no " + file + " in " + this));
            return ByteBuffer.allocate(buffer.remaining()).put(buffer).flip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    List<String> files() {
        try (var reader = reference.open()) {
            return reader.list().filter(file -> !file.endsWith("/")).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String toString() {
        return name();
    }
}
