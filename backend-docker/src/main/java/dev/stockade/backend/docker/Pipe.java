package dev.stockade.backend.docker;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;

/**
 * Holds as much as a pipe of the system's (64 KiB) between the thread that reads an engine's connection and whoever reads
 * a command's output. The JDK's piped streams would fail when the thread that read first has ended.
 */
final class Pipe {

    private final byte[] ring = new byte[1 << 16];
    private int first;
    private int length;
    private boolean ended;
    private boolean abandoned;

    /** Waits until there is room for all. */
    synchronized void write(byte[] from, int count) throws InterruptedIOException {
        int written = 0;
        while (written < count) {
            while (length == ring.length && !abandoned) {
                pause();
            }
            if (length == ring.length) {
                return;
            }
            int at = (first + length) % ring.length;
            int chunk = Math.min(count - written, Math.min(ring.length - length, ring.length - at));
            System.arraycopy(from, written, ring, at, chunk);
            length += chunk;
            written += chunk;
            notifyAll();
        }
    }

    /** Nothing more will come. */
    synchronized void end() {
        ended = true;
        notifyAll();
    }

    /** Drops what does not fit from now on, so that no writer waits for a reader that may never come. */
    synchronized void abandon() {
        abandoned = true;
        notifyAll();
    }

    @SuppressWarnings("WaitNotInLoop") // It is: in both callers.
    private void pause() throws InterruptedIOException {
        try {
            wait();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException();
        }
    }

    private synchronized int take(byte[] to, int offset, int most) throws IOException {
        while (length == 0 && !ended && most > 0) {
            pause();
        }
        if (length == 0) {
            return most == 0 ? 0 : -1;
        }
        int count = Math.min(most, Math.min(length, ring.length - first));
        System.arraycopy(ring, first, to, offset, count);
        first = (first + count) % ring.length;
        length -= count;
        notifyAll();
        return count;
    }

    InputStream reader() {
        return new InputStream() {
            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return take(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
            }

            @Override
            public int read(byte[] to, int offset, int most) throws IOException {
                return take(to, offset, most);
            }

            @Override
            public int available() {
                synchronized (Pipe.this) {
                    return length;
                }
            }

            @Override
            public void close() {
                abandon();
            }
        };
    }
}
