package dev.stockade.posix;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.locks.ReentrantLock;

/** What a process prints. Nobody has to close it: when the process has ended its descriptor goes. */
final class PipeInput extends InputStream {

    private final ReentrantLock lock = new ReentrantLock();
    private volatile InputStream in;

    PipeInput(InputStream in) {
        this.in = in;
    }

    @Override
    public int read() throws IOException {
        lock.lock();
        try {
            return in.read();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public int read(byte[] to, int from, int most) throws IOException {
        lock.lock();
        try {
            return in.read(to, from, most);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public int available() throws IOException {
        return in.available();
    }

    /** Not under the lock: a reader may be waiting for what never comes. */
    @Override
    public void close() throws IOException {
        in.close();
    }

    /** Takes what is left into memory and lets the descriptor go, unless somebody is reading just now. */
    void processEnded() {
        if (!lock.tryLock()) {
            return;
        }
        InputStream pipe = in;
        try (pipe) {
            in = new ByteArrayInputStream(pipe.readNBytes(pipe.available()));
        } catch (IOException e) {
            // Closed by its reader.
        } finally {
            lock.unlock();
        }
    }
}
