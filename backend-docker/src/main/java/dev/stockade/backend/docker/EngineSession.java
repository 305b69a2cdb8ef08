package dev.stockade.backend.docker;

import dev.stockade.api.Command;
import dev.stockade.api.LaunchException;
import dev.stockade.api.LaunchException.Fault;
import dev.stockade.api.LaunchException.Phase;
import dev.stockade.api.Outcome;
import dev.stockade.backend.docker.EngineSocket.Connection;
import dev.stockade.backend.docker.EngineSocket.Reply;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Executes a command through the engine's socket: the values of variables travel in the request, in no argument list. */
final class EngineSession implements Session {

    /** What runc says in the command's place, on its standard output, when it could not be executed. */
    private static final String REFUSED = "OCI runtime exec failed";

    private static final int HEADER = 8;
    private static final int STDERR = 2;

    private final EngineSocket engine;
    private final Command command;
    private final String id;
    private final Connection connection;
    private final Pipe stdout = new Pipe();
    private final Pipe stderr = new Pipe();
    private Optional<String> refusal = Optional.empty();

    private EngineSession(EngineSocket engine, Command command, String id, Connection connection) {
        this.engine = engine;
        this.command = command;
        this.id = id;
        this.connection = connection;
    }

    /**
     * Starts.
     *
     * @throws LaunchException if the command cannot be executed
     * @throws IOException if the container is not there any more, or the engine is not; nothing was started then
     */
    static EngineSession start(Setup setup, String container, Command command) throws IOException {
        List<String> variables = new ArrayList<>();
        setup.environment(command).forEach((name, value) -> variables.add(name + "=" + value));
        String request = "{\"AttachStdin\":true,\"AttachStdout\":true,\"AttachStderr\":true,\"Cmd\":"
                + Json.strings(command.argv()) + ",\"Env\":" + Json.strings(variables) + ",\"WorkingDir\":"
                + Json.string(setup.directory(command)) + ",\"User\":"
                + Json.string(setup.user().toString()) + "}";
        EngineSocket engine = setup.engine().connect();
        Reply created = engine.call("POST", "/containers/" + container + "/exec", request);
        String id = Optional.of(created)
                .filter(Reply::succeeded)
                .flatMap(reply -> Json.stringOf("Id", reply.body()))
                .orElseThrow(() -> new IOException(said(created.body())));
        return new EngineSession(engine, command, id, start(engine, command, id));
    }

    /** From here on the command may have run, so that nothing is tried a second time. */
    private static Connection start(EngineSocket engine, Command command, String id) {
        try {
            Connection connection = engine.open("POST", "/exec/" + id + "/start", "{\"Detach\":false,\"Tty\":false}");
            if (connection.status() < 300) {
                return connection;
            }
            try (connection) {
                throw refused(command, said(connection.rest()));
            }
        } catch (IOException e) {
            throw new LaunchException(
                    Phase.EXECUTE, Fault.HOST, "the engine went away while a command started: " + e.getMessage(), e);
        }
    }

    private static String said(String body) {
        return Json.stringOf("message", body).orElse(body).strip();
    }

    private static LaunchException refused(Command command, String said) {
        String program = command.argv().get(0);
        if (said.contains("chdir to cwd")) {
            return new LaunchException(
                    Phase.EXECUTE, Fault.COMMAND, "the directory to start in is not seen in the container: " + said);
        }
        if (said.contains("argument list too long")) {
            return new LaunchException(
                    Phase.EXECUTE,
                    Fault.COMMAND,
                    "the arguments are longer than this system allows: give them in a file");
        }
        if (said.contains("executable file not found") || said.contains("no such file or directory")) {
            return LaunchException.notFound(program, "the image has no such program, nor has what the profile grants");
        }
        if (said.contains("permission denied") || said.contains("exec format error")) {
            return LaunchException.notExecutable(program, said);
        }
        return new LaunchException(Phase.EXECUTE, Fault.HOST, "the engine could not execute " + program + ": " + said);
    }

    @Override
    public Outcome await() throws InterruptedException {
        try (connection) {
            copy();
        } catch (IOException e) {
            // The connection went down with the container or the engine; what is asked next tells.
        } finally {
            stdout.end();
            stderr.end();
        }
        return ended();
    }

    /** Frames of a kind, three unused bytes, a length and the bytes: "Attach to a container" in the engine's API. */
    private void copy() throws IOException {
        byte[] header = new byte[HEADER];
        byte[] chunk = new byte[1 << 16];
        boolean first = true;
        while (full(header, HEADER)) {
            Pipe to = header[0] == STDERR ? stderr : stdout;
            int left = ByteBuffer.wrap(header).getInt(4);
            while (left > 0) {
                int count = connection.read(chunk, left);
                if (count < 0) {
                    return;
                }
                left -= count;
                String start = first ? new String(chunk, 0, count, StandardCharsets.UTF_8) : "";
                first = false;
                if (start.startsWith(REFUSED)) {
                    refusal = Optional.of(start);
                } else {
                    to.write(chunk, count);
                }
            }
        }
    }

    private boolean full(byte[] to, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            int next = connection.read();
            if (next < 0) {
                return false;
            }
            to[i] = (byte) next;
        }
        return true;
    }

    /** The streams may end before the command does, so it is asked until it has. */
    private Outcome ended() throws InterruptedException {
        long pause = 2;
        while (true) {
            String state;
            try {
                Reply reply = engine.call("GET", "/exec/" + id + "/json", "");
                if (!reply.succeeded()) {
                    return new Outcome.Signalled(9); // Removed with its container, by a close or a time limit.
                }
                state = reply.body();
            } catch (IOException e) {
                throw new LaunchException(
                        Phase.EXECUTE, Fault.HOST, "the engine went away while the command ran: " + e.getMessage(), e);
            }
            Optional<Integer> status = Json.wordOf("ExitCode", state)
                    .filter(word -> !word.equals("null"))
                    .map(Integer::valueOf);
            if (status.isPresent() && Json.wordOf("Running", state).equals(Optional.of("false"))) {
                boolean ran = !Json.wordOf("Pid", state).equals(Optional.of("0"));
                if (!ran) {
                    throw refused(command, refusal.orElse("no reason was given"));
                }
                return Outcome.ofStatus(status.get());
            }
            Thread.sleep(pause);
            pause = Math.min(100, pause * 2);
        }
    }

    @Override
    public void abandon() {
        stdout.abandon();
        stderr.abandon();
    }

    @Override
    public InputStream stdout() {
        return stdout.reader();
    }

    @Override
    public InputStream stderr() {
        return stderr.reader();
    }

    @Override
    public OutputStream stdin() {
        return new OutputStream() {
            private boolean ended;

            @Override
            public void write(int one) throws IOException {
                write(new byte[] {(byte) one});
            }

            @Override
            public void write(byte[] bytes, int offset, int count) throws IOException {
                connection.write(ByteBuffer.wrap(bytes, offset, count));
            }

            @Override
            public void close() throws IOException {
                if (!ended) {
                    ended = true;
                    connection.endOutput();
                }
            }
        };
    }
}
