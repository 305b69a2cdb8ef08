package dev.stockade.backend.docker;

import dev.stockade.api.Profile;
import dev.stockade.api.spi.Backend;
import dev.stockade.conformance.BackendContract;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeAll;

class DockerContractTest extends BackendContract {

    @BeforeAll
    static void needsTheTestImage() {
        var unused = MustRun.docker();
    }

    @Override
    protected Backend backend() {
        return new DockerBackend();
    }

    @Override
    protected Map<String, Function<Path, Profile>> profiles() {
        Map<String, Function<Path, Profile>> all = new TreeMap<>(super.profiles());
        all.replaceAll((name, profile) -> profile.andThen(
                made -> made.toBuilder().set("docker.image", MustRun.IMAGE).build()));
        return all;
    }
}
