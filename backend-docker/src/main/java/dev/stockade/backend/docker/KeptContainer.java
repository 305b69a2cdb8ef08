package dev.stockade.backend.docker;

import dev.stockade.api.Command;
import dev.stockade.api.LaunchException;
import dev.stockade.api.LaunchException.Fault;
import dev.stockade.api.LaunchException.Phase;
import dev.stockade.api.spi.Confinement;
import dev.stockade.api.spi.Planner;
import dev.stockade.backend.docker.EngineSocket.Reply;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A container that waits for commands, one at a time. */
final class KeptContainer {

    private static final long SECONDS_TO_START = 60;
    private static final long SECONDS_TO_ANSWER = 5;
    private static final long SECONDS_TO_GO = 15;

    /** What has just ended may be seen for a moment longer, until docker-init has reaped it. */
    private static final int LOOKS = 4;

    private final Setup setup;
    private final String name;
    private final Confinement confinement;
    private final Process client;
    private final BufferedReader answers;
    private boolean discarded;

    private KeptContainer(Setup setup, String name, Confinement confinement, Process client) {
        this.setup = setup;
        this.name = name;
        this.confinement = confinement;
        this.client = client;
        this.answers = new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.UTF_8));
    }

    /** Starts one, and waits until it is ready. */
    static KeptContainer start(Setup setup) {
        String name = ContainerName.fresh();
        Confinement confinement = Planner.confinement(new KeeperPlan(setup, name), setup.profile(), setup.host());
        try {
            confinement.tmp().ifPresent(tmp -> prepare(tmp, setup.view()));
            Process client = confinement.start(KeeperPlan.keeper(setup.profile()));
            KeptContainer container = new KeptContainer(setup, name, confinement, client);
            if (!container.answer(SECONDS_TO_START).equals(Optional.of("ready"))) {
                throw container.failed();
            }
            return container;
        } catch (RuntimeException e) {
            confinement.close();
            throw e;
        }
    }

    /** Others than the caller may be who commands are; and mount points that the engine made would be root's. */
    private static void prepare(Path tmp, DockerView view) {
        try {
            Files.setPosixFilePermissions(tmp, PosixFilePermissions.fromString("rwxrwxrwx"));
            for (Path mounted : view.mountedInTmp()) {
                Path point = tmp.resolve(view.tmp().relativize(mounted));
                if (Files.isDirectory(mounted)) {
                    Files.createDirectories(point);
                } else {
                    Files.createDirectories(point.resolve("..").normalize());
                    Files.createFile(point);
                }
            }
        } catch (IOException e) {
            throw new LaunchException(
                    Phase.PREPARE, Fault.HOST, "cannot prepare a temporary directory at " + tmp + ": " + e, e);
        }
    }

    private LaunchException failed() {
        String complaint;
        try {
            boolean ended = client.waitFor(SECONDS_TO_ANSWER, TimeUnit.SECONDS);
            complaint = ended
                    ? new String(client.getErrorStream().readAllBytes(), StandardCharsets.UTF_8)
                    : "it did not come up within " + SECONDS_TO_START + " s";
        } catch (IOException e) {
            complaint = e.toString();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            complaint = "interrupted";
        }
        discard();
        return new LaunchException(
                Phase.CONFINE,
                Fault.HOST,
                DockerAdvice.sentence(complaint, setup.settings().image()));
    }

    private Optional<String> answer(long seconds) {
        CompletableFuture<Optional<String>> line = new CompletableFuture<>();
        Thread thread = new Thread(null, () -> line.complete(read()), "stockade-docker-answer", 0, false);
        thread.setDaemon(true);
        thread.start();
        try {
            return line.get(seconds, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } catch (ExecutionException | TimeoutException e) {
            return Optional.empty();
        }
    }

    private Optional<String> read() {
        try {
            return Optional.ofNullable(answers.readLine());
        } catch (IOException | UncheckedIOException e) {
            return Optional.empty();
        }
    }

    String name() {
        return name;
    }

    Process client() {
        return client;
    }

    boolean isAlive() {
        return client.isAlive();
    }

    /** Whether nothing but the keepers runs in it. The one who says so is out of reach of the commands. */
    boolean isQuiet() {
        for (int look = 0; look < LOOKS; look++) {
            try {
                OutputStream questions = client.getOutputStream();
                questions.write('\n');
                questions.flush();
                Optional<String> count = answer(SECONDS_TO_ANSWER);
                if (count.isEmpty()) {
                    return false;
                }
                if (count.get().equals(Integer.toString(KeeperPlan.KEEPERS))) {
                    return true;
                }
                Thread.sleep(10L << look);
            } catch (IOException e) {
                return false;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
        return false;
    }

    /** Removes what earlier commands left in its {@code /tmp}. */
    boolean emptyTmp() {
        return confinement
                .tmp()
                .map(tmp -> TmpDirectory.empty(
                        tmp,
                        setup.view().mountedInTmp().stream()
                                .map(mounted -> tmp.resolve(setup.view().tmp().relativize(mounted)))
                                .toList()))
                .orElse(true);
    }

    EngineSession execute(Command command) throws IOException {
        return EngineSession.start(setup, name, command);
    }

    /** Asks all that the commands' user runs in it to end. */
    void terminate() {
        Command all = Command.of("sh", "-c", "kill -TERM -1")
                .directory(setup.profile().workspace());
        try {
            execute(all).await();
        } catch (IOException | LaunchException e) {
            // The container is gone, and all that was in it.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Kills all that is in it and removes it. Returns when it is gone; may be called again. */
    synchronized void discard() {
        if (discarded) {
            return;
        }
        discarded = true;
        try {
            EngineSocket engine = setup.engine().connect();
            remove(engine, name);
            client.getOutputStream().close();
        } catch (IOException e) {
            // Without the engine there is no container; without the client it ends by itself.
        }
        client.destroyForcibly();
        confinement.close();
    }

    /** Removes a container and waits until it is gone: the engine may be removing it already, since it ended. */
    static void remove(EngineSocket engine, String name) throws IOException {
        Reply removed = engine.call("DELETE", "/containers/" + name + "?force=true&v=true", "");
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_TO_GO);
        while (removed.status() != 404 && System.nanoTime() < until) {
            removed = engine.call("GET", "/containers/" + name + "/json", "");
            try {
                Thread.sleep(removed.status() == 404 ? 0 : 10);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
