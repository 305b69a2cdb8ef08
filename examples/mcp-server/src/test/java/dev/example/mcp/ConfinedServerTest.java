package dev.example.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.stockade.api.Command;
import dev.stockade.api.Profile;
import dev.stockade.api.Sandbox;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.client.transport.StdioClientTransport;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The server's own list allows the whole file system, so it is the sandbox that holds. */
@Timeout(60)
class ConfinedServerTest {

    private static final Path NODE = Path.of(System.getProperty("node"));
    private static final Path SERVER = Path.of(System.getProperty("server"));

    @TempDir
    Path directory;

    private Path workspace;
    private Path secret;
    private Sandbox sandbox;

    @BeforeEach
    void plant() throws IOException {
        workspace = Files.createDirectory(directory.resolve("workspace")).toRealPath();
        secret = Files.writeString(directory.resolve("secret.txt"), "hunter2").toRealPath();
        Files.writeString(workspace.resolve("notes.txt"), "milk, eggs");
        Files.createSymbolicLink(workspace.resolve("link.txt"), secret);
        sandbox = Sandbox.open(Profile.builder(workspace)
                .readable(SERVER, NODE.getParent().getParent())
                .build());
    }

    @AfterEach
    void close() {
        sandbox.close();
    }

    /** As it is started without a sandbox; its last argument only tells it from others. */
    private List<String> server() {
        Path program = SERVER.resolve("node_modules/@modelcontextprotocol/server-filesystem/dist/index.js");
        return List.of(NODE.toString(), program.toString(), "/", workspace.toString());
    }

    private McpSyncClient confined() {
        return ConfinedServer.connect(sandbox, Command.of(server()));
    }

    private static McpSyncClient started(String command, List<String> args) {
        ServerParameters parameters = ServerParameters.builder(command).args(args).build();
        McpSyncClient client = McpClient.sync(new StdioClientTransport(parameters, McpJsonDefaults.getMapper()))
                .build();
        client.initialize();
        return client;
    }

    private McpSyncClient unconfined() {
        return started(server().get(0), server().subList(1, server().size()));
    }

    /** As a client does that is configured by JSON: by another program, which knows nothing of Stockade. */
    private McpSyncClient byTheLineOfWrap() throws Exception {
        List<String> wrap = Stream.concat(
                        Stream.of(
                                System.getProperty("stockade"),
                                "wrap",
                                "--json",
                                "--workspace",
                                workspace.toString(),
                                "--ro",
                                SERVER.toString(),
                                "--ro",
                                NODE.getParent().getParent().toString(),
                                "--"),
                        server().stream())
                .toList();
        Process process = new ProcessBuilder(wrap)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String json = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor());
        Entry entry = McpJsonDefaults.getMapper().readValue(json, Entry.class);
        return started(entry.command(), entry.args());
    }

    /** What stands under a server's name in a client's configuration. */
    record Entry(String command, List<String> args) {}

    private static CallToolResult call(McpSyncClient client, String tool, Map<String, Object> arguments) {
        return client.callTool(new CallToolRequest(tool, arguments));
    }

    private static CallToolResult read(McpSyncClient client, Path file) {
        return call(client, "read_text_file", Map.of("path", file.toString()));
    }

    private static CallToolResult write(McpSyncClient client, Path file) {
        return call(client, "write_file", Map.of("path", file.toString(), "content", "written"));
    }

    private static String text(CallToolResult result) {
        return ((TextContent) result.content().get(0)).text();
    }

    private void worksInItsWorkspaceOnly(McpSyncClient client) throws IOException {
        assertTrue(client.listTools().tools().stream().anyMatch(tool -> tool.name().equals("read_text_file")));
        assertEquals("milk, eggs", text(read(client, workspace.resolve("notes.txt"))));
        write(client, workspace.resolve("new.txt"));
        assertEquals("written", Files.readString(workspace.resolve("new.txt")));

        for (Path way : List.of(secret, workspace.resolve("link.txt"))) {
            CallToolResult refused = read(client, way);
            assertTrue(refused.isError(), refused::toString);
            assertFalse(text(refused).contains("hunter2"), refused::toString);
        }
        // It may believe to have written, for it has a /tmp of its own.
        write(client, directory.resolve("elsewhere.txt"));
        assertFalse(Files.exists(directory.resolve("elsewhere.txt")));
    }

    @Test
    void confinesTheServerOfAJavaClient() throws Exception {
        try (McpSyncClient client = confined()) {
            worksInItsWorkspaceOnly(client);
        }
    }

    @Test
    void confinesTheServerOfAClientThatIsConfiguredByJson() throws Exception {
        try (McpSyncClient client = byTheLineOfWrap()) {
            worksInItsWorkspaceOnly(client);
        }
    }

    @Test
    void letsTheSameServerReadAndWriteEverythingWithoutASandbox() throws Exception {
        try (McpSyncClient client = unconfined()) {
            assertEquals("hunter2", text(read(client, secret)));
            assertEquals("hunter2", text(read(client, workspace.resolve("link.txt"))));
            write(client, directory.resolve("elsewhere.txt"));
            assertEquals("written", Files.readString(directory.resolve("elsewhere.txt")));
        }
    }

    @Test
    void endsTheServerWithItsClient() throws Exception {
        for (McpSyncClient client : List.of(confined(), byTheLineOfWrap())) {
            assertTrue(isRunning());
            assertTrue(client.closeGracefully());
        }
        for (int i = 0; i < 100 && isRunning(); i++) {
            Thread.sleep(50);
        }
        assertFalse(isRunning());
    }

    private boolean isRunning() {
        return ProcessHandle.allProcesses()
                .flatMap(process -> process.info().arguments().stream())
                .flatMap(Stream::of)
                .anyMatch(workspace.toString()::equals);
    }
}
