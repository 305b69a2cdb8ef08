package dev.stockade.api.internal;

import dev.stockade.api.Result.Output;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Reads a stream to its end on a thread of its own and keeps the beginning. */
public final class BoundedCapture {

    private final CompletableFuture<Void> ended;
    private final int limit;
    private byte[] kept = new byte[8192];
    private int length;
    private boolean truncated;

    private BoundedCapture(InputStream from, int limit) {
        this.limit = limit;
        ended = CompletableFuture.runAsync(() -> read(from), Launchers.blocking());
    }

    public static BoundedCapture of(InputStream from, int limit) {
        return new BoundedCapture(from, limit);
    }

    private void read(InputStream from) {
        byte[] buffer = new byte[65536];
        try (from) {
            int count;
            while ((count = from.read(buffer)) >= 0) {
                keep(buffer, count);
            }
        } catch (IOException e) {
            // The process was killed and its stream closed under the reader: what came before is what there is.
        }
    }

    private synchronized void keep(byte[] buffer, int count) {
        int taken = Math.min(count, limit - length);
        if (kept.length < length + taken) {
            kept = Arrays.copyOf(kept, Math.min(limit, Math.max(kept.length * 2, length + taken)));
        }
        System.arraycopy(buffer, 0, kept, length, taken);
        length += taken;
        truncated |= taken < count;
    }

    /**
     * Waits for the stream's end, but not longer: a process that nobody could find may hold the other end for ever.
     * What had come until then is given, marked as truncated.
     */
    public Output await(Duration patience) throws InterruptedException {
        boolean complete = true;
        try {
            ended.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            complete = false;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
        synchronized (this) {
            return new Output(Arrays.copyOf(kept, length), truncated || !complete);
        }
    }
}
