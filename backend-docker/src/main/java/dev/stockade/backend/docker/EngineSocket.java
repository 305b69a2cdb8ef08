package dev.stockade.backend.docker;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Speaks HTTP with an engine through its Unix socket, one connection a call. HTTP/1.0, so that an answer ends where the
 * connection does and is never chunked. Paths carry no version: what is used here is the same in all of them.
 *
 * <p>Whoever calls waits for threads of this class, since a channel is closed under a thread that is interrupted: an
 * interrupted caller could otherwise neither end its command nor remove its container.
 */
record EngineSocket(Path path) {

    private static final ExecutorService THREADS = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(null, task, "stockade-docker-call", 0, false);
        thread.setDaemon(true);
        return thread;
    });

    /** An answer's header is far smaller; what is longer is no engine's. */
    private static final int LONGEST_HEADER = 1 << 16;

    /**
     * What the engine answered.
     *
     * @param status 200 to 299 if it did what was asked
     * @param body JSON
     */
    record Reply(int status, String body) {

        boolean succeeded() {
            return status >= 200 && status < 300;
        }
    }

    Reply call(String method, String target, String json) throws IOException {
        return uninterrupted(() -> {
            try (Connection connection = connect(method, target, json)) {
                return new Reply(connection.status, connection.rest());
            }
        });
    }

    /** Calls, and keeps the connection, which belongs to the streams of a command from then on. */
    Connection open(String method, String target, String json) throws IOException {
        return uninterrupted(() -> connect(method, target, json));
    }

    private interface Act<T> {
        T perform() throws IOException;
    }

    private static <T> T uninterrupted(Act<T> act) throws IOException {
        try {
            return CompletableFuture.supplyAsync(
                            () -> {
                                try {
                                    return act.perform();
                                } catch (IOException e) {
                                    throw new UncheckedIOException(e);
                                }
                            },
                            THREADS)
                    .join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof UncheckedIOException io) {
                throw io.getCause();
            }
            throw e;
        }
    }

    private Connection connect(String method, String target, String json) throws IOException {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            channel.connect(UnixDomainSocketAddress.of(path));
            byte[] body = json.getBytes(StandardCharsets.UTF_8);
            String head = method + " " + target + " HTTP/1.0\r\nHost: docker\r\nContent-Type: application/json\r\n"
                    + "Content-Length: " + body.length + "\r\n\r\n";
            Connection connection = new Connection(channel);
            connection.send(ByteBuffer.wrap(head.getBytes(StandardCharsets.US_ASCII)));
            connection.send(ByteBuffer.wrap(body));
            connection.readHeader();
            return connection;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /** An answered call. Reading and writing may happen at once, as they may not with the streams of a channel. */
    static final class Connection implements AutoCloseable {

        private final SocketChannel channel;
        private final ByteBuffer buffer = ByteBuffer.allocate(1 << 16).flip();
        private int status;

        private Connection(SocketChannel channel) {
            this.channel = channel;
        }

        int status() {
            return status;
        }

        private void readHeader() throws IOException {
            ByteArrayOutputStream header = new ByteArrayOutputStream();
            int matched = 0;
            while (matched < 4) {
                int next = read();
                if (next < 0 || header.size() > LONGEST_HEADER) {
                    throw new EOFException("the engine ended the connection without an answer");
                }
                header.write(next);
                matched = next == "\r\n\r\n".charAt(matched) ? matched + 1 : next == '\r' ? 1 : 0;
            }
            String[] first = header.toString(StandardCharsets.ISO_8859_1).split(" ", 3);
            try {
                status = Integer.parseInt(first[1]);
            } catch (ArrayIndexOutOfBoundsException | NumberFormatException e) {
                throw new IOException("this is no HTTP: " + first[0], e);
            }
        }

        /** One byte; -1 at the end. */
        int read() throws IOException {
            return fill() ? buffer.get() & 0xFF : -1;
        }

        /** As much as there is, at most {@code limit}; -1 at the end. */
        int read(byte[] to, int limit) throws IOException {
            if (!fill()) {
                return -1;
            }
            int count = Math.min(Math.min(limit, to.length), buffer.remaining());
            buffer.get(to, 0, count);
            return count;
        }

        private boolean fill() throws IOException {
            while (!buffer.hasRemaining()) {
                buffer.clear();
                int count = channel.read(buffer);
                buffer.flip();
                if (count < 0) {
                    return false;
                }
            }
            return true;
        }

        String rest() throws IOException {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            byte[] some = new byte[8192];
            int count;
            while ((count = read(some, some.length)) >= 0) {
                all.write(some, 0, count);
            }
            return all.toString(StandardCharsets.UTF_8);
        }

        void write(ByteBuffer bytes) throws IOException {
            uninterrupted(() -> send(bytes));
        }

        private ByteBuffer send(ByteBuffer bytes) throws IOException {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            return bytes;
        }

        void endOutput() throws IOException {
            channel.shutdownOutput();
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
