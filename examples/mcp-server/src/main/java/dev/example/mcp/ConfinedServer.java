package dev.example.mcp;

import dev.stockade.api.Command;
import dev.stockade.api.Invocation;
import dev.stockade.api.Sandbox;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.client.transport.StdioClientTransport;
import io.modelcontextprotocol.json.McpJsonDefaults;
import java.util.List;

/** MCP servers that reach no more than a sandbox lets them, whatever they are asked for. */
public final class ConfinedServer {

    private ConfinedServer() {}

    /**
     * Starts a server and greets it.
     *
     * @param sandbox what confines it; to be closed after the client
     * @param server how it is started when nothing confines it
     * @return a client that has been initialized; closing it ends the server
     */
    public static McpSyncClient connect(Sandbox sandbox, Command server) {
        Invocation line = sandbox.wrap(server);
        List<String> argv = line.argv();
        ServerParameters parameters = ServerParameters.builder(argv.get(0))
                .args(argv.subList(1, argv.size()))
                .build();
        StdioClientTransport transport = new StdioClientTransport(parameters, McpJsonDefaults.getMapper()) {
            // The SDK adds HOME, PATH and others of its own to this environment: none of them reaches the server.
            @Override
            protected ProcessBuilder getProcessBuilder() {
                return line.toProcessBuilder();
            }
        };
        McpSyncClient client = McpClient.sync(transport).build();
        client.initialize();
        return client;
    }
}
