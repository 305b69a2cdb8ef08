package dev.stockade.backend.docker;

import dev.stockade.api.Profile;
import dev.stockade.api.spi.Backend;
import dev.stockade.conformance.BackendContract;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeAll;

class DockerContractTest extends BackendContract {

    @BeforeAll
    static void needsTheTestImages() {
        var unused = MustRun.docker();
    }

    @Override
    protected Backend backend() {
        return new DockerBackend();
    }

    /** In the image that has a python, which most probes are written in. */
    @Override
    protected Map<String, Function<Path, Profile>> profiles() {
        Map<String, Function<Path, Profile>> all = new TreeMap<>(super.profiles());
        all.replaceAll((name, profile) -> profile.andThen(
                made -> made.toBuilder().set("docker.image", MustRun.PYTHON).build()));
        return all;
    }

    /** A container starts within a second, but not on a machine that is busy. */
    @Override
    protected Duration patience() {
        return Duration.ofSeconds(60);
    }
}
