package dev.stockade.backend.landlock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/** A program that answers the Landlock calls as an older kernel would, compiled where it is to run. */
final class OlderKernel {

    private OlderKernel() {}

    /** The program; its first argument is the version. */
    static String into(Path directory) throws IOException, InterruptedException {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/gcc")), "gcc is needed");
        Path source = directory.resolve("landlock-abi.c");
        try (var in = OlderKernel.class.getResourceAsStream("landlock-abi.c")) {
            Files.write(source, Objects.requireNonNull(in).readAllBytes());
        }
        String program = directory.resolve("landlock-abi").toString();
        assertEquals(
                0,
                new ProcessBuilder("/usr/bin/gcc", "-O1", "-w", "-o", program, source.toString())
                        .inheritIO()
                        .start()
                        .waitFor());
        return program;
    }
}
