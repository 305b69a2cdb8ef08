package dev.stockade.api;

import dev.stockade.api.LaunchException.Fault;
import dev.stockade.api.LaunchException.Phase;
import dev.stockade.api.Result.Output;
import dev.stockade.api.internal.BoundedCapture;
import dev.stockade.api.internal.InheritedStreams;
import dev.stockade.api.internal.OpenSandboxes;
import dev.stockade.api.internal.StandardInput;
import dev.stockade.api.internal.SupervisedProcess;
import dev.stockade.api.spi.Confinement;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;

/**
 * A profile held on this host, and proven: what commands are run in. Thread-safe.
 *
 * <p>Closing it ends every command it started and removes what it left; so does the end of the JVM. It is not closed
 * by being forgotten: a command goes on while its sandbox is unreachable.
 */
public final class Sandbox implements AutoCloseable {

    /** How long streams are read on after the command has ended, where a process that left it holds them open. */
    private static final Duration DRAIN = Duration.ofSeconds(1);

    private final Backends backends;
    private final Profile profile;
    private final String backend;
    private final Capabilities capabilities;
    private final List<String> notices;
    private final Confinement confinement;
    private final Sandbox root;
    private final Map<Profile, Sandbox> derived = new ConcurrentHashMap<>();
    private final Set<ConfinedProcess> running = ConcurrentHashMap.newKeySet();

    /** Read while something is started, written while this is closed: nothing starts in what is being removed. */
    private final ReadWriteLock state = new ReentrantReadWriteLock();

    private volatile boolean closed;

    Sandbox(
            Backends backends,
            Profile profile,
            String backend,
            Capabilities capabilities,
            List<String> notices,
            Confinement confinement,
            Optional<Sandbox> root) {
        this.backends = backends;
        this.profile = profile;
        this.backend = backend;
        this.capabilities = capabilities;
        this.notices = List.copyOf(notices);
        this.confinement = confinement;
        this.root = root.orElse(this);
        OpenSandboxes.add(this);
    }

    /**
     * Opens a sandbox by the strongest installed backend that proves itself.
     *
     * @param profile what commands may touch
     * @return the sandbox
     * @throws SandboxException as {@link Backends#open}
     */
    public static Sandbox open(Profile profile) {
        return Backends.installed().open(profile);
    }

    /**
     * Confines this JVM itself, and all it starts from now on, for good, by the installed backend that disturbs it
     * least. Belongs into the first line of {@code main}: see {@link Backends#confineThisJvm}.
     *
     * @param profile what this JVM may touch
     * @return what holds the boundary, and what stays possible
     * @throws SandboxException as {@link Backends#confineThisJvm}
     */
    public static Backends.Boundary confineThisJvm(Profile profile) {
        return Backends.installed().confineThisJvm(profile);
    }

    /**
     * What confines.
     *
     * @return the backend's name
     */
    public String backend() {
        return backend;
    }

    /**
     * What commands may touch.
     *
     * @return the profile, as it was asked for
     */
    public Profile profile() {
        return profile;
    }

    /**
     * What commands can still do.
     *
     * @return the answers, each with its reason
     */
    public Capabilities capabilities() {
        return capabilities;
    }

    /**
     * What was skipped, added, passed over or not proven when this was opened.
     *
     * @return sentences for people, empty if there is nothing to say
     */
    public List<String> notices() {
        return notices;
    }

    /**
     * Where commands may write temporary files, shared by the commands of this sandbox and removed with it.
     *
     * @return the directory's path on the host, if it has one there
     */
    public Optional<Path> tmp() {
        return confinement.tmp();
    }

    /**
     * Runs a command to its end. If the calling thread is interrupted the command and all it started is ended.
     *
     * @param command what to run
     * @return how it ended and what it printed; a status that is not zero is a result, too
     * @throws LaunchException if the command could not be started
     * @throws InterruptedException if the calling thread is interrupted
     * @throws IllegalStateException if this sandbox is closed
     */
    public Result run(Command command) throws InterruptedException {
        Instant started = Instant.now();
        long from = System.nanoTime();
        ConfinedProcess process = start(command.input().isPresent() ? feeding(command) : command);
        try {
            Optional<BoundedCapture> out = capture(command.stdout(), process.getInputStream(), command);
            Optional<BoundedCapture> err = capture(command.stderr(), process.getErrorStream(), command);
            StandardInput.feed(process.getOutputStream(), command.input().orElseGet(() -> new byte[0]));
            Outcome outcome = process.outcome();
            return new Result(
                    outcome, captured(out), captured(err), started, Duration.ofNanos(System.nanoTime() - from), this);
        } catch (InterruptedException e) {
            process.destroyForcibly();
            throw e;
        }
    }

    private static Command feeding(Command command) {
        return command.redirect(Redirect.PIPE, command.stdout(), command.stderr());
    }

    private static Optional<BoundedCapture> capture(Redirect redirect, InputStream stream, Command command) {
        return redirect.equals(Redirect.PIPE)
                ? Optional.of(BoundedCapture.of(stream, command.captureBytes()))
                : Optional.empty();
    }

    private static Output captured(Optional<BoundedCapture> capture) throws InterruptedException {
        return capture.isPresent() ? capture.get().await(DRAIN) : new Output(new byte[0], false);
    }

    /**
     * Starts a command and lets it run. Its time limit holds; its input does not: write to its stream.
     *
     * @param command what to start
     * @return the process; {@link ConfinedProcess#outcome()} tells a late failure of the confinement
     * @throws LaunchException if the command could not be started
     * @throws IllegalStateException if this sandbox is closed
     */
    public ConfinedProcess start(Command command) {
        return whileOpen(() -> {
            Command placed = placed(command, profile);
            new InheritedStreams().require(placed, capabilities);
            SupervisedProcess process = SupervisedProcess.of(confinement.start(placed), command.timeout());
            running.add(process);
            var unused = process.onExit().thenRun(() -> running.remove(process));
            return process;
        });
    }

    private <T> T whileOpen(Supplier<T> act) {
        state.readLock().lock();
        try {
            requireOpen();
            return act.get();
        } finally {
            state.readLock().unlock();
        }
    }

    /**
     * Flattens a command for a library that starts processes itself. Nobody supervises what it starts: the command may
     * outlive its caller.
     *
     * @param command what it is to start
     * @return arguments, variables and directory, valid until this sandbox is closed
     * @throws LaunchException if this backend cannot do so here, or the command has a time limit or input, which only
     *     {@link #run} and {@link #start} keep
     * @throws IllegalStateException if this sandbox is closed
     */
    public Invocation wrap(Command command) {
        if (command.timeout().isPresent() || command.input().isPresent()) {
            throw new LaunchException(
                    Phase.PREPARE,
                    Fault.COMMAND,
                    "a wrapped command is started by somebody else, who keeps neither time limit nor input: leave them out");
        }
        return whileOpen(() -> confinement.wrap(placed(command, profile)));
    }

    /** Finds the command's directory, which lies inside the workspace, links followed. */
    static Command placed(Command command, Profile profile) {
        Path workspace = profile.workspace();
        Path asked = command.directory().map(workspace::resolve).orElse(workspace);
        Path real;
        try {
            real = asked.toRealPath();
        } catch (IOException e) {
            throw new LaunchException(
                    Phase.PREPARE,
                    Fault.COMMAND,
                    "the directory " + asked + " does not exist: create it, or start elsewhere");
        }
        if (!Files.isDirectory(real)) {
            throw new LaunchException(Phase.PREPARE, Fault.COMMAND, asked + " is not a directory: start in one");
        }
        if (!real.startsWith(workspace)) {
            throw new LaunchException(
                    Phase.PREPARE,
                    Fault.COMMAND,
                    "the directory " + asked + " lies outside the workspace " + workspace
                            + ": start inside it, or choose another workspace");
        }
        return command.directory(real);
    }

    /**
     * A sandbox for another profile, chosen from the same backends. It is made once a profile, also for those derived
     * from it in turn, and closes with the one that was opened first.
     *
     * @param other what its commands may touch
     * @return the sandbox, this one if it is for that profile
     * @throws SandboxException as {@link Backends#open}
     * @throws IllegalStateException if this sandbox is closed
     */
    public Sandbox with(Profile other) {
        requireOpen();
        if (other.equals(profile)) {
            return this;
        }
        if (other.equals(root.profile)) {
            return root;
        }
        Sandbox made = root.derived.computeIfAbsent(other, asked -> backends.open(asked, Optional.of(root)));
        if (root.closed) {
            made.close();
            throw closed();
        }
        if (!made.closed) {
            return made;
        }
        root.derived.remove(other, made);
        return with(other);
    }

    /**
     * The same with the network decided differently.
     *
     * @param network the network
     * @return the sandbox, as {@link #with}
     */
    public Sandbox withNetwork(Network network) {
        return with(profile.withNetwork(network));
    }

    /**
     * The same with one more writable path.
     *
     * @param path the path
     * @return the sandbox, as {@link #with}
     */
    public Sandbox withWritable(Path path) {
        return with(profile.toBuilder().writable(path).build());
    }

    private void requireOpen() {
        if (closed) {
            throw closed();
        }
    }

    private static IllegalStateException closed() {
        return new IllegalStateException("this sandbox is closed");
    }

    /**
     * Ends what it started, closes the sandboxes derived from it, removes what it left. Waits for what is being started
     * just now. May be called again.
     */
    @Override
    public void close() {
        state.writeLock().lock();
        try {
            closed = true;
        } finally {
            state.writeLock().unlock();
        }
        OpenSandboxes.remove(this);
        running.forEach(ConfinedProcess::destroyForcibly);
        root.derived.remove(profile, this);
        derived.values().forEach(Sandbox::close);
        confinement.close();
    }
}
