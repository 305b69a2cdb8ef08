package dev.stockade.cli;

import dev.stockade.api.Outcome;
import dev.stockade.api.Sandbox;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How a run ended, for those who must be sure. The file appears complete or not at all; an earlier one is gone before
 * the command starts.
 *
 * <p>Its directory is held open from the beginning: it may lie where the confined command can write, which could
 * otherwise put a link in its place and have this unconfined process write elsewhere.
 */
final class StatusFile {

    private final SecureDirectoryStream<Path> directory;
    private final Path name;
    private boolean written;

    private StatusFile(SecureDirectoryStream<Path> directory, Path name) {
        this.directory = directory;
        this.name = name;
    }

    @SuppressWarnings("StreamResourceLeak") // held open as long as this process lives
    static StatusFile at(Path file) {
        Path parent = file.getParent();
        Path name = file.getFileName();
        if (parent == null || name == null || Files.isDirectory(file)) {
            throw new UsageException("--status-file " + file + " is a directory; name a file in it");
        }
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            // It would be replaced, and whoever waits at its other end would wait for ever.
            throw new UsageException(
                    "--status-file " + file + " is a pipe or a device; name a file, which is replaced");
        }
        try {
            DirectoryStream<Path> opened = Files.newDirectoryStream(parent);
            if (!(opened instanceof SecureDirectoryStream<Path> secure) || !Files.isWritable(parent)) {
                opened.close();
                throw new UsageException("--status-file " + file + " cannot be written: " + parent
                        + " is not writable for you; choose another directory");
            }
            StatusFile status = new StatusFile(secure, name);
            status.remove(name);
            Runtime.getRuntime().addShutdownHook(new Thread(status::interrupted, "stockade-status"));
            return status;
        } catch (IOException e) {
            throw new UsageException(
                    "--status-file " + file + " cannot be written: is there a directory " + parent + "? (" + e + ")",
                    e);
        }
    }

    void ended(Outcome outcome, Duration took, Sandbox sandbox) {
        Map<String, Object> json = new LinkedHashMap<>();
        switch (outcome) {
            case Outcome.Exited exited -> json.put("outcome", "exited");
            case Outcome.Signalled signalled -> {
                json.put("outcome", "signalled");
                json.put("signal", signalled.signal());
            }
            case Outcome.TimedOut timedOut -> json.put("outcome", "timed-out");
        }
        json.put("exit_status", outcome.exitStatus());
        json.put("timed_out", outcome instanceof Outcome.TimedOut);
        json.put("backend", sandbox.backend());
        json.put("duration_ms", took.toMillis());
        json.put("notices", sandbox.notices());
        write(json);
    }

    void failed(Failure failure) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("outcome", "error");
        json.put("exit_status", failure.status());
        json.put("timed_out", false);
        json.put("error", failure.toJson());
        write(json);
    }

    /** The JVM is ending, and nothing has been written: a signal asked for it. */
    private void interrupted() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("outcome", "interrupted");
        json.put("timed_out", false);
        json.put("notices", List.of("a signal ended Stockade, and the command with it"));
        writeOnce(json);
    }

    private void write(Map<String, Object> json) {
        // A command that was killed because the JVM is ending did not die of that by itself: the hook tells.
        if (!isEnding()) {
            writeOnce(json);
        }
    }

    private static boolean isEnding() {
        Thread probe = new Thread(() -> {});
        try {
            Runtime.getRuntime().addShutdownHook(probe);
            Runtime.getRuntime().removeShutdownHook(probe);
            return false;
        } catch (IllegalStateException e) {
            return true;
        }
    }

    private synchronized void writeOnce(Map<String, Object> json) {
        if (written) {
            return;
        }
        written = true;
        Path unfinished =
                name.resolveSibling("." + name + "." + ProcessHandle.current().pid());
        byte[] text = Json.text(json).getBytes(StandardCharsets.UTF_8);
        try {
            remove(unfinished);
            try (SeekableByteChannel channel = directory.newByteChannel(
                    unfinished, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE))) {
                ByteBuffer buffer = ByteBuffer.wrap(text);
                while (buffer.hasRemaining()) {
                    channel.write(buffer);
                }
            }
            directory.move(unfinished, directory, name);
        } catch (IOException e) {
            throw new UsageException("the status file " + name + " cannot be written: " + e, e);
        }
    }

    private void remove(Path file) throws IOException {
        try {
            directory.deleteFile(file);
        } catch (NoSuchFileException e) {
            // As it should be.
        }
    }
}
