package dev.stockade.api.internal;

import dev.stockade.api.ConfinedProcess;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A process that adds something to another one. */
public abstract class DelegatingProcess extends ConfinedProcess {

    private final Process delegate;

    protected DelegatingProcess(Process delegate) {
        this.delegate = delegate;
    }

    protected final Process delegate() {
        return delegate;
    }

    @Override
    public OutputStream getOutputStream() {
        return delegate.getOutputStream();
    }

    @Override
    public InputStream getInputStream() {
        return delegate.getInputStream();
    }

    @Override
    public InputStream getErrorStream() {
        return delegate.getErrorStream();
    }

    @Override
    public int waitFor() throws InterruptedException {
        return delegate.waitFor();
    }

    @Override
    public boolean waitFor(long timeout, TimeUnit unit) throws InterruptedException {
        return delegate.waitFor(timeout, unit);
    }

    @Override
    public int exitValue() {
        return delegate.exitValue();
    }

    @Override
    public void destroy() {
        delegate.destroy();
    }

    @Override
    public Process destroyForcibly() {
        delegate.destroyForcibly();
        return this;
    }

    @Override
    public boolean supportsNormalTermination() {
        return delegate.supportsNormalTermination();
    }

    @Override
    public boolean isAlive() {
        return delegate.isAlive();
    }

    @Override
    public long pid() {
        return delegate.pid();
    }

    @Override
    public CompletableFuture<Process> onExit() {
        return delegate.onExit().thenApply(ended -> this);
    }

    @Override
    public ProcessHandle toHandle() {
        return delegate.toHandle();
    }
}
