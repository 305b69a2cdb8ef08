package dev.stockade.api.internal;

import dev.stockade.api.LaunchException;
import dev.stockade.api.LaunchException.Fault;
import dev.stockade.api.LaunchException.Phase;
import dev.stockade.api.Outcome;
import dev.stockade.api.spi.Launch;
import dev.stockade.api.spi.Launch.Decoder;
import dev.stockade.api.spi.Spawner.Started;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** A launch that has been started: knows whether the command ever ran, and how to end it with all it started. */
final class RunningLaunch extends DelegatingProcess {

    /** How long the last of a killed tree may take to be gone. */
    private static final Duration GONE = Duration.ofSeconds(2);

    private final Launch launch;
    private final Supplier<LaunchException> diagnosis;
    private final CompletableFuture<Optional<Outcome>> ended;
    private Optional<LaunchException> diagnosed = Optional.empty();

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
                                return decoded(
                                        launch.decoder(),
                                        process.exitValue(),
                                        started.status().get());
                            } finally {
                                cleanUp.run();
                            }
                        },
                        Launchers.blocking());
    }

    private static Optional<Outcome> decoded(Decoder decoder, int status, String channel) {
        try {
            return decoder.decode(status, channel);
        } catch (RuntimeException e) {
            throw new LaunchException(
                    Phase.CONFINE,
                    Fault.STOCKADE,
                    "what the backend said about the command's end makes no sense: " + e,
                    e);
        }
    }

    @Override
    public Outcome outcome() throws InterruptedException {
        try {
            Optional<Outcome> outcome = ended.get();
            if (outcome.isPresent()) {
                return outcome.get();
            }
        } catch (ExecutionException e) {
            throw e.getCause() instanceof LaunchException launch ? launch : new IllegalStateException(e.getCause());
        }
        throw diagnosed();
    }

    /** Asked once: by the next time the sandbox may be closed, and could only complain of that. */
    private synchronized LaunchException diagnosed() {
        LaunchException known = diagnosed.orElseGet(diagnosis);
        diagnosed = Optional.of(known);
        return known;
    }

    /**
     * Asks the command to end. A mechanism in front of it is not asked: it would take the command down with it. The
     * handle is asked, not the process, which would close its streams, and what is said last would be lost.
     */
    @Override
    public void destroy() {
        if (launch.statusFd().isPresent()) {
            List<ProcessHandle> behind = delegate().descendants().toList();
            behind.forEach(ProcessHandle::destroy);
            if (!behind.isEmpty()) {
                return;
            }
        }
        delegate().toHandle().destroy();
    }

    @Override
    public Process destroyForcibly() {
        if (!launch.stop().isEmpty()) {
            stop();
        }
        List<ProcessHandle> behind = delegate().descendants().toList();
        delegate().toHandle().destroyForcibly();
        behind.forEach(ProcessHandle::destroyForcibly);
        long until = System.nanoTime() + GONE.toNanos();
        await(delegate().toHandle(), until);
        behind.forEach(process -> await(process, until));
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
        } catch (ExecutionException | TimeoutException e) {
            // Unkillable for now (say, in a device driver): nothing else can be done about it.
        }
    }
}
