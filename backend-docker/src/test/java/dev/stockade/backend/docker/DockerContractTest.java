package dev.stockade.backend.docker;

import dev.stockade.api.Profile;
import dev.stockade.api.spi.Backend;
import dev.stockade.conformance.BackendContract;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeAll;

class DockerContractTest extends BackendContract {

    @BeforeAll
    static void requireImages() {
        MustRun.docker();
    }

    @Override
    protected Backend backend() {
        return new DockerBackend();
    }

    /** In the tests' image that has a python, which is what the probes are written in. */
    @Override
    protected Map<String, Function<Path, Profile>> profiles() {
        Map<String, Function<Path, Profile>> all = new LinkedHashMap<>();
        super.profiles().forEach((name, profile) -> {
            if (name.startsWith("strict")) {
                all.put(name, profile.andThen(it ->
                        it.toBuilder().set("docker.image", MustRun.PYTHON).build()));
            }
        });
        return all;
    }

    /** A container starts in a second, but not on a machine that is busy. */
    @Override
    protected Duration patience() {
        return Duration.ofSeconds(60);
    }
}
