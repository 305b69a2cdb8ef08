package dev.stockade.backend.landlock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The program that tries things, compiled where it is to run. */
final class CProbe {

    private CProbe() {}

    static Path into(Path directory) throws IOException, InterruptedException {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/gcc")), "gcc is needed");
        Path source = directory.resolve("probe.c");
        try (var in = CProbe.class.getResourceAsStream("probe.c")) {
            Files.write(source, java.util.Objects.requireNonNull(in).readAllBytes());
        }
        Path program = directory.resolve("probe");
        Process gcc = new ProcessBuilder("/usr/bin/gcc", "-O1", "-w", "-o", program.toString(), source.toString())
                .inheritIO()
                .start();
        assertEquals(0, gcc.waitFor());
        Files.delete(source);
        return program;
    }

    /** Whether it works without any confinement. */
    static boolean worksOutside(Path probe, String... arguments) throws IOException, InterruptedException {
        List<String> argv = new ArrayList<>(List.of(probe.toString()));
        argv.addAll(List.of(arguments));
        return new ProcessBuilder(argv)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }
}
