package dev.stockade.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.stockade.api.spi.Host;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where no file is there, nothing that reads one is loaded. */
class WithoutFilesTest {

    @TempDir
    Path directory;

    /** What runs in a JVM of its own. */
    static final class Main {

        private Main() {}

        public static void main(String[] arguments) {
            Loaded loaded = Configuration.of(Path.of(arguments[0]), Host.local())
                    .flag("--network", "network", "loopback")
                    .load();
            System.out.println("came to " + loaded.profile().network());
        }
    }

    private String classesLoaded(Path home, Path workspace) throws IOException, InterruptedException {
        String path = System.getProperty("jdk.module.path", "") + ":" + System.getProperty("java.class.path") + ":"
                + System.getProperty("jdk.module.main.path", "") + ":target/test-classes:target/classes";
        ProcessBuilder builder = new ProcessBuilder(
                System.getProperty("java.home") + "/bin/java",
                "-Xlog:class+load",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                path,
                Main.class.getName(),
                workspace.toString());
        builder.environment().putAll(Map.of("HOME", home.toString(), "XDG_CONFIG_HOME", ""));
        Process process = builder.redirectErrorStream(true).start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), printed);
        assertTrue(printed.contains("came to LOOPBACK"), printed);
        return printed;
    }

    @Test
    void noTomlReaderIsLoaded() throws Exception {
        Given given = new Given(directory.toRealPath());
        String classes = classesLoaded(given.home(), given.workspace());
        for (String unwanted :
                List.of("com.fasterxml.jackson", "config.Document", "config.Reader", "config.Positions")) {
            assertFalse(classes.contains(unwanted), unwanted);
        }
        given.ownFile("[sandbox]\n");
        String twin = classesLoaded(given.home(), given.workspace());
        assertTrue(twin.contains("com.fasterxml.jackson"), "it is loaded where there is a file");
        assertFalse(twin.contains("config.Positions"), "and nothing that finds lines, as long as nobody asks");
        assertFalse(twin.contains("databind.ObjectMapper "), "nor anything that binds");
    }
}
