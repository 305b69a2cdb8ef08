package dev.stockade.backend.docker;

import dev.stockade.api.ConfinedProcess;
import dev.stockade.api.LaunchException;
import dev.stockade.api.Outcome;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A command in a container. To the host it is the container's client: that one's end is the end of both. */
final class ExecProcess extends ConfinedProcess {

    private final KeptContainer container;
    private final Session session;
    private final OutputStream stdin;
    private final InputStream stdout;
    private final InputStream stderr;
    private final CompletableFuture<Outcome> ended = new CompletableFuture<>();

    private ExecProcess(KeptContainer container, Session session) {
        this.container = container;
        this.session = session;
        this.stdin = session.stdin();
        this.stdout = session.stdout();
        this.stderr = session.stderr();
    }

    /**
     * Takes a started command over.
     *
     * @param release gives the container back, before anybody is told that the command has ended
     */
    static ExecProcess of(KeptContainer container, Session session, Runnable release) {
        ExecProcess process = new ExecProcess(container, session);
        Thread thread = new Thread(null, () -> process.attend(release), "stockade-docker", 0, false);
        thread.setDaemon(true);
        thread.start();
        return process;
    }

    private void attend(Runnable release) {
        try {
            Outcome outcome = session.await();
            release.run();
            ended.complete(outcome);
        } catch (Throwable e) {
            release.run();
            ended.completeExceptionally(e);
        }
    }

    @Override
    public Outcome outcome() throws InterruptedException {
        try {
            return ended.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof LaunchException launch) {
                throw launch;
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    private int status() {
        try {
            return ended.join().exitStatus();
        } catch (java.util.concurrent.CompletionException e) {
            return e.getCause() instanceof LaunchException launch ? launch.exitStatus() : 125;
        }
    }

    @Override
    public OutputStream getOutputStream() {
        return stdin;
    }

    @Override
    public InputStream getInputStream() {
        return stdout;
    }

    @Override
    public InputStream getErrorStream() {
        return stderr;
    }

    @Override
    public int waitFor() throws InterruptedException {
        try {
            ended.get();
        } catch (ExecutionException e) {
            // It never ran: its status tells.
        }
        return status();
    }

    @Override
    public boolean waitFor(long timeout, TimeUnit unit) throws InterruptedException {
        try {
            ended.get(timeout, unit);
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            // It never ran, and so has ended.
        }
        return true;
    }

    @Override
    public int exitValue() {
        if (!ended.isDone()) {
            throw new IllegalThreadStateException("the command has not ended");
        }
        return status();
    }

    @Override
    public boolean isAlive() {
        return !ended.isDone();
    }

    /** Asks all that runs in the container to end: nothing else is in it. */
    @Override
    public void destroy() {
        if (isAlive()) {
            container.terminate();
        }
    }

    /** Ends the container, and with it the command and all it started. */
    @Override
    public Process destroyForcibly() {
        if (isAlive()) {
            container.discard();
            session.abandon();
        }
        return this;
    }

    @Override
    public boolean supportsNormalTermination() {
        return true;
    }

    @Override
    public long pid() {
        return container.client().pid();
    }

    @Override
    public ProcessHandle toHandle() {
        return container.client().toHandle();
    }

    @Override
    public CompletableFuture<Process> onExit() {
        return ended.handle((outcome, failure) -> this);
    }
}
