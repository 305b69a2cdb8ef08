package dev.stockade.backend.docker;

import dev.stockade.api.Command;
import dev.stockade.api.ConfinedProcess;
import dev.stockade.api.Invocation;
import dev.stockade.api.LaunchException;
import dev.stockade.api.LaunchException.Fault;
import dev.stockade.api.LaunchException.Phase;
import dev.stockade.api.spi.Confinement;
import dev.stockade.api.spi.Planner;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;

/** Lends containers to commands, one at a time, and keeps the quiet ones. */
final class DockerConfinement implements Confinement {

    /** More than were ever needed at once are not kept: each holds a client process and a container. */
    private static final int MOST_IDLE = 4;

    /** A start keeps a core busy for half a second; many at once would only time out together. */
    private static final Semaphore STARTING = new Semaphore(4);

    private final Setup setup;
    private final Queue<KeptContainer> idle = new ConcurrentLinkedQueue<>();
    private final Set<KeptContainer> containers = ConcurrentHashMap.newKeySet();
    private final Set<Confinement> wrapped = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    DockerConfinement(Setup setup) {
        this.setup = setup;
    }

    @Override
    public ConfinedProcess start(Command command) {
        Optional<KeptContainer> kept = takeIdle();
        try {
            return startIn(kept.orElseGet(this::fresh), command);
        } catch (IOException e) {
            if (kept.isPresent()) {
                return start(command); // It ended while it waited, say with its engine; the next one is as good.
            }
            throw new LaunchException(
                    Phase.EXECUTE, Fault.HOST, "the engine did not execute the command: " + e.getMessage(), e);
        }
    }

    private ConfinedProcess startIn(KeptContainer container, Command command) throws IOException {
        boolean piped =
                Stream.of(command.stdin(), command.stdout(), command.stderr()).allMatch(Redirect.PIPE::equals);
        try {
            Session session = piped ? container.execute(command) : FrontSession.start(setup, container, command);
            return ExecProcess.of(container, session, () -> release(container));
        } catch (IOException e) {
            discard(container);
            throw e;
        } catch (RuntimeException e) {
            release(container);
            throw e;
        }
    }

    private Optional<KeptContainer> takeIdle() {
        KeptContainer container;
        while ((container = idle.poll()) != null) {
            if (container.isAlive() && container.emptyTmp()) {
                return Optional.of(container);
            }
            discard(container);
        }
        return Optional.empty();
    }

    private KeptContainer fresh() {
        STARTING.acquireUninterruptibly();
        KeptContainer container;
        try {
            container = KeptContainer.start(setup);
        } finally {
            STARTING.release();
        }
        containers.add(container);
        if (closed) {
            discard(container);
            throw new IllegalStateException("this sandbox is closed");
        }
        return container;
    }

    /** Keeps a container for the next command, or ends it with all that its command has left running. */
    private void release(KeptContainer container) {
        boolean keep = setup.settings().reuse()
                && !closed
                && idle.size() < MOST_IDLE
                && container.isAlive()
                && container.isQuiet();
        if (keep) {
            idle.add(container);
        } else {
            discard(container);
        }
        if (closed) {
            discard(container);
        }
    }

    private void discard(KeptContainer container) {
        container.discard();
        containers.remove(container);
    }

    /** In a container of its own, which ends with this confinement: nobody says when a wrapped command has ended. */
    @Override
    public Invocation wrap(Command command) {
        KeptContainer container = fresh();
        Confinement front = Planner.confinement(new FrontPlan(setup, container.name()), setup.profile(), setup.host());
        wrapped.add(front);
        return front.wrap(command);
    }

    @Override
    public Optional<String> advice(String complaint) {
        return Optional.of(DockerAdvice.sentence(complaint, setup.settings().image()));
    }

    @Override
    public void close() {
        closed = true;
        containers.parallelStream().forEach(this::discard);
        wrapped.forEach(Confinement::close);
    }
}
