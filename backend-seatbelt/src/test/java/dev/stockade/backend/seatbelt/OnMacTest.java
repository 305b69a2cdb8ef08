package dev.stockade.backend.seatbelt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stockade.api.Backends;
import dev.stockade.api.Command;
import dev.stockade.api.Invocation;
import dev.stockade.api.Network;
import dev.stockade.api.Profile;
import dev.stockade.api.Profile.Reads;
import dev.stockade.api.Result;
import dev.stockade.api.Sandbox;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The sandbox itself, on a Mac. Skipped elsewhere, unless STOCKADE_MUST_RUN names seatbelt: then it must work.
 */
class OnMacTest {

    @TempDir
    Path workspace;

    @TempDir
    Path outside;

    @BeforeEach
    void isOnAMac() {
        String mustRun = System.getenv().getOrDefault("STOCKADE_MUST_RUN", "");
        boolean must = List.of(mustRun.split(",", -1)).contains("seatbelt");
        assumeTrue(must || System.getProperty("os.name").startsWith("Mac"), "the seatbelt sandbox is a part of macOS");
    }

    private Profile.Builder strict() {
        return Profile.builder(workspace);
    }

    private static int run(Profile.Builder profile, String script, String... arguments) throws InterruptedException {
        List<String> argv = new ArrayList<>(List.of("sh", "-c", script, "sh"));
        argv.addAll(List.of(arguments));
        try (Sandbox sandbox = open(profile)) {
            Result result = sandbox.run(Command.of(argv.toArray(String[]::new)));
            return result.exitStatus();
        }
    }

    private static Sandbox open(Profile.Builder profile) {
        return Backends.of(new SeatbeltBackend()).only("seatbelt").open(profile.build());
    }

    @Test
    @Tag("S11")
    void readsAndWritesTheWorkspaceAndNothingElse() throws Exception {
        Path canary = Files.writeString(outside.resolve("canary"), "sings");
        assertEquals(0, run(strict(), "echo x >a && cat a && ln a b && mv a c"));
        for (Reads reads : Reads.values()) {
            assertNotEquals(0, run(strict().reads(reads), "echo x >>\"$1\"", canary.toString()));
            assertNotEquals(0, run(strict().reads(reads), "ln \"$1\" linked && echo x >>linked", canary.toString()));
            assertNotEquals(0, run(strict().reads(reads), "chmod 600 \"$1\"", canary.toString()));
        }
        assertNotEquals(0, run(strict(), "cat \"$1\"", canary.toString()));
        assertEquals(0, run(strict().readable(outside), "cat \"$1\"", canary.toString()));
        assertEquals("sings", Files.readString(canary));
    }

    @Test
    @Tag("S08")
    @Tag("S09")
    void holdsWhatIsCarvedOut() throws Exception {
        Files.createDirectories(workspace.resolve("a/.git"));
        Files.writeString(workspace.resolve("a/secret"), "sings");
        Profile.Builder profile = strict().readable(workspace.resolve("a/.git"), workspace.resolve("none/.git"))
                .hidden(workspace.resolve("a/secret"));
        assertEquals(0, run(profile, "echo x >a/file && ls a/.git"));
        for (String attempt : List.of(
                "echo x >a/.git/config",
                "mv a b",
                "mv a/.git a/x",
                "cat a/secret",
                "ln a/secret x && cat x",
                "mv a/secret x && cat x",
                "mkdir none",
                "mkdir NONE")) {
            assertNotEquals(0, run(profile, attempt), attempt);
        }
    }

    @Test
    @Tag("S01")
    void loopbackIsReachedOnlyWhereItIsOpen() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            String connect = "/usr/bin/nc -z -w 5 127.0.0.1 " + server.getLocalPort();
            assertNotEquals(0, run(strict(), connect));
            assertEquals(0, run(strict().network(Network.LOOPBACK), connect));
        }
    }

    @Test
    @Tag("S07")
    void temporaryFilesWork() throws Exception {
        for (Reads reads : Reads.values()) {
            assertEquals(0, run(strict().reads(reads), "f=$(mktemp) && echo x >\"$f\" && rm \"$f\""));
            assertEquals(0, run(strict().reads(reads), "echo x >\"$TMPDIR/a\" && cat <<END\nx\nEND\n"));
            assertNotEquals(0, run(strict().reads(reads), "echo x >/tmp/stockade-test-must-not-exist"));
        }
    }

    @Test
    void wrapsSoThatWhatTheStarterAddsIsNotSeen() throws IOException, InterruptedException {
        try (Sandbox sandbox = open(strict())) {
            Invocation invocation = sandbox.wrap(Command.of("env").environment(Map.of("NAMED", "it's")));
            ProcessBuilder builder = new ProcessBuilder(invocation.argv());
            builder.environment().put("LEAKED", "yes");
            Process process = builder.directory(workspace.toFile()).start();
            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertEquals(0, process.waitFor());
            assertTrue(printed.contains("NAMED=it's"), printed);
            assertFalse(printed.contains("LEAKED"), printed);
        }
    }
}
