package dev.stockade.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Says on a terminal that something goes on that takes more than two seconds, and takes it back when it is done. */
final class Progress implements AutoCloseable {

    private static final long PATIENCE_SECONDS = 2;
    private static final String CLEAR_LINE = "\r\033[K";

    private final CountDownLatch done = new CountDownLatch(1);
    private final Console console;
    private final String what;
    private final boolean shown;

    private Progress(Console console, String what, boolean shown) {
        this.console = console;
        this.what = what;
        this.shown = shown;
    }

    /**
     * Begins.
     *
     * @param what what goes on, such as "trying bwrap"
     */
    static Progress of(Console console, String what) {
        return started(console, what, Terminal.is(Terminal.ERR));
    }

    static Progress started(Console console, String what, boolean shown) {
        Progress progress = new Progress(console, what, shown);
        if (shown) {
            Thread telling = new Thread(progress::tell, "stockade-progress");
            telling.setDaemon(true);
            telling.start();
        }
        return progress;
    }

    private void tell() {
        try {
            for (long seconds = PATIENCE_SECONDS; !done.await(seconds == PATIENCE_SECONDS ? seconds : 1, TimeUnit.SECONDS); seconds++) {
                synchronized (this) {
                    if (done.getCount() > 0) {
                        console.err().print(CLEAR_LINE + "stockade: " + what + "... " + seconds + " s");
                        console.err().flush();
                    }
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public synchronized void close() {
        done.countDown();
        if (shown) {
            console.err().print(CLEAR_LINE);
            console.err().flush();
        }
    }
}
