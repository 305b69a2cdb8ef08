package dev.stockade.backend.bwrap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.stockade.api.Backends;
import dev.stockade.api.Command;
import dev.stockade.api.Invocation;
import dev.stockade.api.Network;
import dev.stockade.api.Profile;
import dev.stockade.api.Result;
import dev.stockade.api.Sandbox;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example that the documentation shows, as it stands there. */
class ApiInUseTest {

    @TempDir
    Path workspace;

    @Test
    @Tag("M08")
    @Tag("M19")
    @Tag("S18")
    void worksAsTheExampleSays() throws Exception {
        Backends installed = MustRun.bwrap();

        Profile profile = Profile.builder(workspace)
                .network(Network.OFF)
                .readable(Path.of("/opt/jdk"))
                .env("LANG", "CI")
                .build();

        try (Sandbox sandbox = installed.open(profile)) {
            assertFalse(sandbox.capabilities().canReachNetwork());
            Result result = sandbox.run(Command.of("sh", "-c", "echo tested").timeout(Duration.ofMinutes(5)));
            assertEquals("tested\n", result.stdout().text());

            Process server = sandbox.start(Command.of("sh", "-c", "echo ready; sleep 60"));
            assertEquals('r', server.getInputStream().read());
            server.destroyForcibly();
            assertTrue(server.waitFor(10, TimeUnit.SECONDS));

            Invocation argv = sandbox.wrap(Command.of("sh", "-c", "exit 7"));
            assertEquals(7, argv.toProcessBuilder().start().waitFor());

            Sandbox online = sandbox.withNetwork(Network.ON);
            assertTrue(online.capabilities().canReachNetwork());
            assertEquals(0, online.run(Command.of("true")).exitStatus());
        }
    }
}
