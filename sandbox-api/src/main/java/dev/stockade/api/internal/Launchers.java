package dev.stockade.api.internal;

import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads that processes are started from.
 *
 * <p>They last as long as the JVM, because PDEATHSIG (bubblewrap's {@code --die-with-parent}) follows the thread that
 * started a process, not its process: prctl(2), PR_SET_PDEATHSIG. Started from a pool thread that ends, or from a
 * carrier that retires, the command would be killed with it.
 */
public final class Launchers {

    /** Starts overlap: half of one is waiting for the kernel. */
    private static final int LASTING =
            Math.max(2, Math.min(4, Runtime.getRuntime().availableProcessors()));

    private static final ExecutorService STARTING = Executors.newFixedThreadPool(LASTING, named("stockade-launcher"));
    private static final ExecutorService WAITING = Executors.newCachedThreadPool(named("stockade-stream"));
    private static final ScheduledExecutorService CLOCK = newClock();

    private Launchers() {}

    private static ScheduledExecutorService newClock() {
        ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, named("stockade-clock"));
        executor.setRemoveOnCancelPolicy(true);
        return executor;
    }

    private static ThreadFactory named(String name) {
        AtomicInteger count = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(null, task, name + "-" + count.incrementAndGet(), 0, false);
            thread.setDaemon(true);
            thread.setContextClassLoader(null); // It outlives the application that happened to ask first.
            return thread;
        };
    }

    /** Starts a process from a lasting thread; waits for the start even if interrupted, so that none is lost. */
    public static Process start(ProcessBuilder builder) throws IOException {
        return onLastingThread(builder::start);
    }

    /** Does on a lasting thread what starts a process. */
    static <T> T onLastingThread(Callable<T> act) throws IOException {
        var started = STARTING.submit(act);
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return started.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    if (e.getCause() instanceof IOException io) {
                        throw io;
                    }
                    if (e.getCause() instanceof RuntimeException runtime) {
                        throw runtime;
                    }
                    throw new IllegalStateException(e.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** For what blocks: streams, and cleaning up. */
    static ExecutorService blocking() {
        return WAITING;
    }

    /** For time limits; nothing that blocks. */
    static ScheduledExecutorService clock() {
        return CLOCK;
    }
}
