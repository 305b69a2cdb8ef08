package dev.stockade.api.internal;

import dev.stockade.api.ConfinedProcess;
import dev.stockade.api.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** A confined process that is ended when its time is up. */
public final class SupervisedProcess extends DelegatingProcess {

    /** Between asking a command to end and ending it. */
    private static final Duration GRACE = Duration.ofSeconds(2);

    private final ConfinedProcess confined;
    private volatile Optional<Duration> expired = Optional.empty();

    private final CountDownLatch swept = new CountDownLatch(1);

    private SupervisedProcess(ConfinedProcess confined) {
        super(confined);
        this.confined = confined;
    }

    /** Supervises a started command. */
    public static SupervisedProcess of(ConfinedProcess confined, Optional<Duration> limit) {
        SupervisedProcess supervised = new SupervisedProcess(confined);
        limit.ifPresent(time -> {
            ScheduledFuture<?> deadline = Launchers.clock()
                    .schedule(
                            () -> Launchers.blocking().execute(() -> supervised.expire(time)),
                            TimeUnit.NANOSECONDS.convert(time), // 292 years where it is longer
                            TimeUnit.NANOSECONDS);
            var unused = confined.onExit().thenRun(() -> deadline.cancel(false));
        });
        return supervised;
    }

    private void expire(Duration limit) {
        if (!isAlive()) {
            return;
        }
        expired = Optional.of(limit);
        try {
            endTree();
        } finally {
            swept.countDown();
        }
    }

    private void endTree() {
        // Found now: what a command leaves behind when it ends can't be told from other processes any more.
        List<ProcessHandle> found = toHandle().descendants().toList();
        destroy();
        try {
            waitFor(GRACE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        destroyForcibly();
        found.forEach(ProcessHandle::destroyForcibly);
    }

    @Override
    public Outcome outcome() throws InterruptedException {
        try {
            Outcome outcome = confined.outcome();
            if (expired.isPresent()) {
                // The command goes first; a caller that ends now would leave behind what it had started.
                swept.await();
            }
            return expired.<Outcome>map(Outcome.TimedOut::new).orElse(outcome);
        } catch (dev.stockade.api.LaunchException e) {
            if (expired.isPresent()) {
                return new Outcome.TimedOut(expired.get());
            }
            throw e;
        }
    }
}
