package dev.stockade.posix;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A process that {@link PosixSpawn} has started, signalled through its descriptor and so never another's pid. */
final class SpawnedProcess extends Process {

    /** Runs what callers hang on {@link #onExit()}, so that nothing of theirs can hold up the reaper. */
    private static final Executor CALLBACKS = Executors.newCachedThreadPool(act -> {
        Thread thread = new Thread(null, act, "stockade-exit", 0, false);
        thread.setDaemon(true);
        return thread;
    });

    private final int pid;
    private final ProcessHandle handle;
    private final Optional<PipeOutput> stdin;
    private final Optional<PipeInput> stdout;
    private final Optional<PipeInput> stderr;
    private final CompletableFuture<Integer> status = new CompletableFuture<>();
    private int pidfd;

    SpawnedProcess(
            int pid, int pidfd, Optional<PipeOutput> stdin, Optional<PipeInput> stdout, Optional<PipeInput> stderr) {
        this.pid = pid;
        this.pidfd = pidfd;
        this.handle = ProcessHandle.of(pid)
                .orElseThrow(() -> new IllegalStateException("process " + pid + " is not to be seen in /proc"));
        this.stdin = stdin;
        this.stdout = stdout;
        this.stderr = stderr;
    }

    /** Says that it has ended; the streams that nobody closed go. */
    void ended(int exitValue) {
        stdin.ifPresent(PipeOutput::processEnded);
        stdout.ifPresent(PipeInput::processEnded);
        stderr.ifPresent(PipeInput::processEnded);
        status.complete(exitValue);
    }

    /** Says that nobody will ever know how it ended. */
    void lost(String why) {
        status.completeExceptionally(new IllegalStateException(why));
    }

    /** Closes the descriptor that signals go through; the process has been waited for. */
    synchronized void closeDescriptor(Linux linux) {
        linux.close(pidfd);
        pidfd = -1;
    }

    private synchronized void signal(int signal) {
        if (pidfd >= 0) {
            LinuxSpawner.calls().pidfd_send_signal(pidfd, signal, 0, 0);
        }
    }

    @Override
    public OutputStream getOutputStream() {
        return stdin.<OutputStream>map(stream -> stream).orElseGet(OutputStream::nullOutputStream);
    }

    @Override
    public InputStream getInputStream() {
        return stdout.<InputStream>map(stream -> stream).orElseGet(InputStream::nullInputStream);
    }

    @Override
    public InputStream getErrorStream() {
        return stderr.<InputStream>map(stream -> stream).orElseGet(InputStream::nullInputStream);
    }

    @Override
    public int waitFor() throws InterruptedException {
        try {
            return status.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    @Override
    public boolean waitFor(long timeout, TimeUnit unit) throws InterruptedException {
        try {
            status.get(timeout, unit);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    @Override
    public int exitValue() {
        if (!status.isDone()) {
            throw new IllegalThreadStateException("process " + pid + " has not ended");
        }
        return status.join();
    }

    @Override
    public boolean isAlive() {
        return !status.isDone();
    }

    @Override
    public void destroy() {
        signal(Linux.SIGTERM);
    }

    @Override
    public Process destroyForcibly() {
        signal(Linux.SIGKILL);
        return this;
    }

    @Override
    public boolean supportsNormalTermination() {
        return true;
    }

    @Override
    public long pid() {
        return pid;
    }

    @Override
    public ProcessHandle toHandle() {
        return handle;
    }

    @Override
    public CompletableFuture<Process> onExit() {
        return status.thenApplyAsync(exitValue -> this, CALLBACKS);
    }

    @Override
    public String toString() {
        return "process " + pid + (status.isDone() ? ", ended" : ", running");
    }
}
