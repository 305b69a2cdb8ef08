package dev.example.service;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.stockade.api.Backends.Boundary;
import dev.stockade.api.Profile;
import dev.stockade.api.Sandbox;
import dev.stockade.api.SandboxException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Keeps notes: {@code PUT /notes/NAME} stores one, {@code POST /convert} runs a converter over one. It has two holes that
 * one finds in the wild, a path that is not checked and a name that gets into a shell's line, and a boundary around
 * itself, so that neither leads anywhere.
 */
public final class Service {

    private final Path notes;

    private Service(Path notes) {
        this.notes = notes;
    }

    /** Arguments: a directory for the notes, a port (0 for any). */
    public static void main(String[] arguments) throws IOException {
        Path notes = Path.of(arguments[0]);
        // First of all: it may start this JVM again, and what was done before is done twice.
        confine(notes);
        int port = Integer.parseInt(arguments[1]);
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        Service service = new Service(notes);
        server.createContext("/notes/", service::store);
        server.createContext("/convert", service::convert);
        server.start();
        System.out.println("listening on " + server.getAddress().getPort());
    }

    private static void confine(Path notes) {
        try {
            Boundary boundary = Sandbox.confineThisJvm(Profile.named("write-guard", notes));
            System.out.println("confined by " + boundary.backend());
            boundary.notices().forEach(notice -> System.out.println("notice: " + notice));
        } catch (SandboxException e) {
            // Never go on without it.
            System.err.println("not started: " + e.getMessage());
            System.exit(1);
        }
    }

    private void store(HttpExchange exchange) throws IOException {
        String name = exchange.getRequestURI().getPath().substring("/notes/".length());
        byte[] body = exchange.getRequestBody().readAllBytes();
        // The first hole: "../" leads out of the directory.
        answer(exchange, () -> {
            Files.write(Path.of(notes + "/" + name), body);
            return "stored";
        });
    }

    private void convert(HttpExchange exchange) throws IOException {
        String name = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        // The second hole: "; anything" is a command of its own.
        answer(exchange, () -> {
            Process shell = new ProcessBuilder("sh", "-c", "wc -c < " + notes + "/" + name)
                    .redirectErrorStream(true)
                    .start();
            String said = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (shell.waitFor() != 0) {
                throw new IOException(said);
            }
            return said;
        });
    }

    private interface Work {
        String done() throws IOException, InterruptedException;
    }

    private static void answer(HttpExchange exchange, Work work) throws IOException {
        int status = 200;
        String text;
        try {
            text = work.done();
        } catch (IOException | InterruptedException e) {
            status = 500;
            text = e.toString();
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }
}
