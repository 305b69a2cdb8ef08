package dev.stockade.backend.docker;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stockade.api.Availability.Unavailable;
import dev.stockade.api.Backends;
import dev.stockade.api.Profile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Skips where no engine answers or it lacks the test images, unless STOCKADE_MUST_RUN names docker: then a skipped test is
 * a failure. {@code engine.sh} brings such an engine up.
 */
final class MustRun {

    static final String IMAGE = "stockade-test/busybox:1";
    static final String PYTHON = "stockade-test/python:1";

    private static final Optional<String> MISSING = missing();

    private MustRun() {}

    private static Optional<String> missing() {
        Backends backends = Backends.of(new DockerBackend());
        if (backends.availability().get("docker") instanceof Unavailable here) {
            return Optional.of(here.reason());
        }
        return docker("image", "inspect", "--format", "there", IMAGE, PYTHON).equals("there\nthere")
                ? Optional.empty()
                : Optional.of("the engine lacks " + IMAGE + " or " + PYTHON);
    }

    static Backends docker() {
        MISSING.ifPresent(reason -> {
            String must = System.getenv().getOrDefault("STOCKADE_MUST_RUN", "");
            if (List.of(must.split(",", -1)).contains("docker")) {
                throw new AssertionError("docker must run here, but " + reason);
            }
            assumeTrue(false, reason);
        });
        return Backends.of(new DockerBackend()).only("docker");
    }

    static Profile.Builder profile(Path workspace) {
        return Profile.builder(workspace).set("docker.image", IMAGE);
    }

    /** What the client prints, beside any sandbox. */
    static String docker(String... arguments) {
        List<String> argv = new ArrayList<>(List.of("docker"));
        argv.addAll(List.of(arguments));
        try {
            Process process = new ProcessBuilder(argv).redirectErrorStream(true).start();
            process.getOutputStream().close();
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** The containers of this JVM that exist in whatever state. */
    static List<String> containers() {
        String mine = "stockade-" + ProcessHandle.current().pid() + "-";
        return docker("ps", "-a", "--format", "{{.Names}}")
                .lines()
                .filter(name -> name.startsWith(mine))
                .toList();
    }
}
