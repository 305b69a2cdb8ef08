package dev.stockade.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Says on a terminal that something goes on that takes more than two seconds, and takes it back when it is done. */
final class Progress {

    private static final long PATIENCE_SECONDS = 2;
    private static final String CLEAR_LINE = "\r\033[K";

    private final CountDownLatch done = new CountDownLatch(1);
    private final Console console;
    private final String what;
    private boolean told;

    private Progress(Console console, String what) {
        this.console = console;
        this.what = what;
    }

    /** What takes long. */
    interface Work<T, E extends Exception> {
        T done() throws E;
    }

    /**
     * Works.
     *
     * @param what what goes on, such as "trying bwrap"
     */
    static <T, E extends Exception> T during(Console console, String what, Work<T, E> work) throws E {
        return Screen.is(Screen.ERR) ? shown(console, what, work) : work.done();
    }

    static <T, E extends Exception> T shown(Console console, String what, Work<T, E> work) throws E {
        Progress progress = new Progress(console, what);
        Thread telling = new Thread(progress::tell, "stockade-progress");
        telling.setDaemon(true);
        telling.start();
        try {
            return work.done();
        } finally {
            progress.end();
        }
    }

    private void tell() {
        try {
            for (long seconds = PATIENCE_SECONDS;
                    !done.await(seconds == PATIENCE_SECONDS ? seconds : 1, TimeUnit.SECONDS);
                    seconds++) {
                synchronized (this) {
                    if (done.getCount() > 0) {
                        console.err().print(CLEAR_LINE + "stockade: " + what + "... " + seconds + " s");
                        console.err().flush();
                        told = true;
                    }
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void end() {
        done.countDown();
        if (told) {
            console.err().print(CLEAR_LINE);
            console.err().flush();
        }
    }
}
