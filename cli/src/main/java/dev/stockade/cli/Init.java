package dev.stockade.cli;

import dev.stockade.api.Backends;
import dev.stockade.config.Configuration;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * {@code stockade init}: a file to begin with, in which every key stands as a comment.
 *
 * @param backends those whose settings it shows
 */
record Init(Backends backends) implements Action {

    private static final Path FILE = Path.of("stockade.toml");

    @Override
    public int perform(Console console) {
        Path file = FILE.toAbsolutePath();
        try {
            Files.writeString(file, Configuration.example(backends), StandardOpenOption.CREATE_NEW);
        } catch (FileAlreadyExistsException e) {
            throw new UsageException(file + " exists already and was left as it is", e);
        } catch (IOException e) {
            throw new UsageException(file + " cannot be written: " + e.getMessage(), e);
        }
        console.out().println("wrote " + file);
        return 0;
    }
}
