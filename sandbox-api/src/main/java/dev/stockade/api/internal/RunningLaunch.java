package dev.stockade.api.internal;

import dev.stockade.api.LaunchException;
import dev.stockade.api.Outcome;
import dev.stockade.api.spi.Launch;
import dev.stockade.api.spi.Spawner.Started;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** A launch that has been started: knows whether the command ever ran, and how to end it with all it started. */
final class RunningLaunch extends DelegatingProcess {

    /** How long the last of a killed tree may take to be gone. */
    private static final Duration GONE = Duration.ofSeconds(2);

    private final Launch launch;
    private final Supplier<LaunchException> diagnosis;
    private final CompletableFuture<Optional<Outcome>> ended;

    /**
     * Takes a started process over.
     *
     * @param diagnosis asked, at leisure, why the command never ran
     * @param cleanUp done once when it has ended
     */
    RunningLaunch(Launch launch, Started started, Supplier<LaunchException> diagnosis, Runnable cleanUp) {
        super(started.process());
        this.launch = launch;
        this.diagnosis = diagnosis;
        this.ended = started.process()
                .onExit()
                .thenApplyAsync(
                        process -> {
                            try {
                                return launch.decoder()
                                        .decode(
                                                process.exitValue(),
                                                started.status().get());
                            } finally {
                                cleanUp.run();
                            }
                        },
                        Launchers.blocking());
    }

    @Override
    public Outcome outcome() throws InterruptedException {
        try {
            return ended.get().orElseThrow(diagnosis);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    /** Asks the command to end. A mechanism in front of it is not asked: it would take the command down with it. */
    @Override
    public void destroy() {
        if (launch.statusFd().isPresent()) {
            List<ProcessHandle> behind = delegate().descendants().toList();
            behind.forEach(ProcessHandle::destroy);
            if (!behind.isEmpty()) {
                return;
            }
        }
        delegate().destroy();
    }

    @Override
    public Process destroyForcibly() {
        if (!launch.stop().isEmpty()) {
            stop();
        }
        List<ProcessHandle> behind = delegate().descendants().toList();
        delegate().destroyForcibly();
        behind.forEach(ProcessHandle::destroyForcibly);
        long until = System.nanoTime() + GONE.toNanos();
        for (ProcessHandle process : behind) {
            await(process, until);
        }
        return this;
    }

    private void stop() {
        try {
            Process stopping = Launchers.start(new ProcessBuilder(launch.stop())
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD));
            stopping.waitFor(GONE.toMillis() * 5, TimeUnit.MILLISECONDS);
        } catch (IOException e) {
            // What is killed next is all that is left to end.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void await(ProcessHandle process, long until) {
        try {
            process.onExit().get(Math.max(0, until - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | java.util.concurrent.TimeoutException e) {
            // Unkillable for now (say, in a device driver): nothing else can be done about it.
        }
    }
}
