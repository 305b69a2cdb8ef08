package dev.stockade.config;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.stockade.api.Command;
import dev.stockade.api.Network;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("S03")
class CommandRuleTest {

    @TempDir
    Path directory;

    private Given given = new Given(Path.of("build"), Path.of("build"), Map.of());
    private Path tools = Path.of("build");

    @BeforeEach
    void makeTools() throws IOException {
        given = new Given(directory.toRealPath());
        tools = Given.directory(given.home().resolve("tools"));
        program(tools.resolve("cargo"));
        given.with("PATH", tools + ":/usr/bin:/bin");
        given.ownFile("""
                [sandbox]
                env = ["PATH"]
                network_allow = [["cargo", "fetch"], ["~never", "x"], ["./gradlew", "build"]]
                network_allow_prefix = [["cargo", "add"]]
                """);
    }

    private static Path program(Path file) {
        Given.file(file, "#!/bin/sh\n");
        if (!file.toFile().setExecutable(true)) {
            throw new IllegalStateException("cannot make " + file + " executable");
        }
        return file;
    }

    private Network network(Command command) {
        return given.configuration().load().profileFor(command, given).network();
    }

    @Test
    void anExactCommandGetsTheNetworkAndNoOtherDoes() {
        assertEquals(Network.ON, network(Command.of("cargo", "fetch")));
        assertEquals(Network.OFF, network(Command.of("cargo", "fetch", "--all")));
        assertEquals(Network.OFF, network(Command.of("cargo", "test")));
        assertEquals(Network.OFF, network(Command.of("cargo")));
    }

    @Test
    void aPrefixCoversWhatFollows() {
        assertEquals(Network.ON, network(Command.of("cargo", "add", "serde")));
        assertEquals(Network.OFF, network(Command.of("cargo", "addx")));
    }

    @Test
    void aProgramThatTheCommandCouldHaveWrittenIsNotMeant() {
        Path planted = program(given.workspace().resolve("bin/cargo"));
        Command fetch = Command.of("cargo", "fetch");
        assertEquals(Network.OFF, network(fetch.environment(Map.of("PATH", planted.getParent() + ":" + tools))));
        assertEquals(Network.OFF, network(fetch.environment(Map.of("PATH", "bin"))));
        assertEquals(Network.ON, network(fetch.environment(Map.of("PATH", tools.toString()))));
        assertEquals(Network.OFF, network(Command.of(planted.toString(), "fetch")));
        program(given.workspace().resolve("gradlew"));
        assertEquals(Network.OFF, network(Command.of("./gradlew", "build")));
    }

    @Test
    void aSearchPathThatLeadsThroughTheWorkspaceIsNotBelieved() throws IOException {
        program(given.workspace().resolve("bin/cargo"));
        given.with("PATH", given.workspace().resolve("bin") + ":" + tools);
        assertEquals(Network.OFF, network(Command.of("cargo", "fetch")));
    }

    @Test
    void aLinkedProgramCountsAsWhatItLeadsTo() throws IOException {
        Files.delete(tools.resolve("cargo"));
        Path planted = program(given.workspace().resolve("cargo"));
        Files.createSymbolicLink(tools.resolve("cargo"), planted);
        assertEquals(Network.OFF, network(Command.of("cargo", "fetch")));
        Files.delete(tools.resolve("cargo"));
        Files.createSymbolicLink(tools.resolve("cargo"), program(given.home().resolve("real/cargo")));
        assertEquals(Network.ON, network(Command.of("cargo", "fetch")));
    }

    @Test
    void aWritableToolDirectoryGetsNoNetwork() {
        assertEquals(Network.ON, network(Command.of("cargo", "fetch")));
        given.with("STOCKADE_FS_RW", tools.toString());
        assertEquals(Network.OFF, network(Command.of("cargo", "fetch")));
    }

    @Test
    void theRestOfTheProfileStaysAsItIs() {
        Loaded loaded = given.configuration().load();
        assertEquals(loaded.profile().withNetwork(Network.ON), loaded.profileFor(Command.of("cargo", "fetch"), given));
    }
}
