package dev.stockade.api.internal;

import dev.stockade.api.Command;
import dev.stockade.api.ConfinedProcess;
import dev.stockade.api.Invocation;
import dev.stockade.api.LaunchException;
import dev.stockade.api.LaunchException.Fault;
import dev.stockade.api.LaunchException.Phase;
import dev.stockade.api.Profile;
import dev.stockade.api.spi.Confinement;
import dev.stockade.api.spi.Host;
import dev.stockade.api.spi.Launch;
import dev.stockade.api.spi.Planner.Plan;
import dev.stockade.api.spi.Planner.Purpose;
import dev.stockade.api.spi.Planner.Start;
import dev.stockade.api.spi.Spawner;
import dev.stockade.api.spi.Spawner.Started;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Carries out what a planner plans. */
public final class PlannedConfinement implements Confinement {

    private static final Duration DIAGNOSIS = Duration.ofSeconds(10);

    private final Plan plan;
    private final Path parent;
    private final AtomicInteger starts = new AtomicInteger();
    private Optional<Own> own = Optional.empty();
    private boolean closed;

    /** What a confinement has on disk, made for the first start: a process that becomes its command needs none. */
    private record Own(Scratch scratch, Optional<Path> tmp) {}

    /**
     * Finds where the private directory may lie that starts need.
     *
     * @param plan what was prepared
     * @param profile what it was prepared for
     * @param host the facts
     */
    public PlannedConfinement(Plan plan, Profile profile, Host host) {
        this.plan = plan;
        this.parent = Scratch.parent(profile, host);
    }

    private synchronized Own own() {
        if (own.isEmpty()) {
            if (closed) {
                throw new IllegalStateException("this confinement is closed");
            }
            Scratch scratch = Scratch.in(parent);
            own = Optional.of(
                    new Own(scratch, plan.usesTmp() ? Optional.of(scratch.directory("tmp")) : Optional.empty()));
        }
        return own.get();
    }

    private Scratch scratch() {
        return own().scratch();
    }

    @Override
    public ConfinedProcess start(Command command) {
        Path own = ownDirectory();
        Launch launch = withCanary(plan.launch(command, new Start(own, tmp(), Purpose.SUPERVISED)));
        boolean onDisk = false;
        try {
            Optional<Spawner> spawner = Spawners.usable();
            if (launch.step().isPresent() && spawner.isEmpty()) {
                throw new LaunchException(
                        Phase.CONFINE,
                        Fault.HOST,
                        "this backend confines the starting thread, which needs the spawner"
                                + " of the module dev.stockade.posix on Java 25 or newer");
            }
            onDisk = !launch.files().isEmpty() || (spawner.isEmpty() && needsFiles(launch));
            if (onDisk) {
                scratch().directory(own.getFileName().toString());
            }
            Started started = spawner.isPresent()
                    ? spawned(spawner.get(), launch, command, own)
                    : ShellStarter.start(launch, command, own);
            boolean remove = onDisk;
            return new RunningLaunch(launch, started, () -> diagnose(command), () -> {
                if (remove) {
                    Removal.of(own);
                }
            });
        } catch (RuntimeException e) {
            if (onDisk) {
                Removal.of(own);
            }
            throw e;
        }
    }

    /** Every start of a launch that clears the environment has something to clear, so that a proof can tell. */
    private static Launch withCanary(Launch launch) {
        if (!launch.clearsEnvironment()) {
            return launch;
        }
        Map<String, String> polluted = new HashMap<>(launch.environment());
        polluted.put(Proof.CANARY_VARIABLE, "sings");
        return launch.withEnvironment(polluted);
    }

    private static boolean needsFiles(Launch launch) {
        return !launch.feeds().isEmpty() || launch.statusFd().isPresent();
    }

    private static Started spawned(Spawner spawner, Launch launch, Command command, Path own) {
        launch.files().forEach((name, bytes) -> Scratch.file(own, name, bytes));
        if (launch.step().isPresent()) {
            // It has a thread of its own, whatever thread asks for it.
            return spawner.spawn(launch, command);
        }
        try {
            return Launchers.onLastingThread(() -> spawner.spawn(launch, command));
        } catch (IOException e) {
            throw new LaunchException(
                    Phase.CONFINE, Fault.HOST, "cannot start " + launch.argv().get(0) + ": " + e, e);
        }
    }

    private Path ownDirectory() {
        return ownDirectory(scratch().directory());
    }

    private Path ownDirectory(Path in) {
        return in.resolve(in.getFileName() + "." + starts.incrementAndGet());
    }

    /** Why the command never ran: the mechanism fails with the simplest command too, or it is the command itself. */
    private LaunchException diagnose(Command command) {
        Path own = ownDirectory();
        try {
            Command simplest =
                    Command.of("sh", "-c", ":").directory(command.directory().orElseThrow());
            Launch launch = plan.launch(simplest, new Start(own, tmp(), Purpose.SUPERVISED));
            scratch().directory(own.getFileName().toString());
            Process process = ShellStarter.start(launch, simplest, own).process();
            process.getOutputStream().close();
            BoundedCapture said = BoundedCapture.of(process.getErrorStream(), 1 << 14);
            if (!process.waitFor(DIAGNOSIS.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
            } else if (process.exitValue() == 0) {
                return LaunchException.notExecutable(
                        command.argv().get(0),
                        "the sandbox works, but the system refused to execute it inside; its interpreter or one of"
                                + " its libraries may be missing there, or lie outside what the profile shows");
            }
            String complaint = said.await(Duration.ofSeconds(1)).text().strip();
            return new LaunchException(
                    Phase.CONFINE,
                    Fault.HOST,
                    plan.advice(complaint).orElse("the confinement could not be set up: " + complaint));
        } catch (IOException e) {
            return new LaunchException(Phase.CONFINE, Fault.HOST, "the confinement could not be set up: " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new LaunchException(Phase.CONFINE, Fault.HOST, "the confinement could not be set up", e);
        } catch (LaunchException e) {
            return e;
        } finally {
            Removal.of(own);
        }
    }

    @Override
    public Invocation wrap(Command command) {
        Path own = ownDirectory();
        Launch launch = plan.launch(command, new Start(own, tmp(), Purpose.WRAPPED));
        if (launch.step().isPresent() || !launch.clearsEnvironment()) {
            throw new LaunchException(
                    Phase.PREPARE,
                    Fault.HOST,
                    "this backend cannot be handed to another starter here: what it executes would let through the"
                            + " environment that the starter adds. Start the command with start() or run() instead");
        }
        scratch().directory(own.getFileName().toString());
        return new Invocation(ShellStarter.argv(launch, own), launch.environment(), launch.directory());
    }

    @Override
    public Optional<Launch> handOver(Command command) {
        Path unmade = ownDirectory(Scratch.place(parent));
        Launch launch = plan.launch(command, new Start(unmade, Optional.empty(), Purpose.HANDED_OVER));
        boolean selfContained = launch.files().isEmpty() && launch.stop().isEmpty();
        return selfContained ? Optional.of(launch) : Optional.empty();
    }

    @Override
    public Optional<Path> tmp() {
        return own().tmp();
    }

    @Override
    public Optional<String> advice(String complaint) {
        return plan.advice(complaint);
    }

    @Override
    public boolean provesEachStart() {
        return plan.provesEachStart();
    }

    @Override
    public synchronized void close() {
        closed = true;
        plan.close();
        own.ifPresent(made -> made.scratch().close());
    }
}
