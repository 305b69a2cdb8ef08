package dev.stockade.api.internal;

import dev.stockade.api.Capabilities;
import dev.stockade.api.Command;
import dev.stockade.api.LaunchException;
import dev.stockade.api.LaunchException.Fault;
import dev.stockade.api.LaunchException.Phase;
import dev.stockade.api.Profile;
import dev.stockade.api.SandboxException;
import dev.stockade.api.spi.Backend;
import dev.stockade.api.spi.Confinement;
import dev.stockade.api.spi.Host;
import dev.stockade.api.spi.Launch;
import dev.stockade.api.spi.Spawner;
import java.util.List;
import java.util.Optional;

/**
 * A confinement that has been tried.
 *
 * @param confinement what was prepared
 * @param notices what could not be tried
 */
public record OpenConfinement(Confinement confinement, List<String> notices) {

    /** Prepares and proves. A backend that closes nothing claims nothing, so it has nothing to prove but to start. */
    public static OpenConfinement proven(Backend backend, Profile profile, Capabilities claims, Host host) {
        Confinement confinement = prepared(backend, profile, host);
        try {
            return new OpenConfinement(confinement, tried(confinement, profile, claims, host));
        } catch (InterruptedException e) {
            confinement.close();
            Thread.currentThread().interrupt();
            throw new LaunchException(Phase.PROVE, Fault.COMMAND, "interrupted while the sandbox was proven", e);
        } catch (SandboxException e) {
            confinement.close();
            throw e;
        } catch (RuntimeException | LinkageError e) {
            confinement.close();
            throw broken(backend, e);
        }
    }

    private static Confinement prepared(Backend backend, Profile profile, Host host) {
        try {
            return backend.confine(profile, host);
        } catch (SandboxException e) {
            throw e;
        } catch (RuntimeException | LinkageError e) {
            throw broken(backend, e);
        }
    }

    /** A backend that breaks is one that does not work: another one may. */
    private static LaunchException broken(Backend backend, Throwable e) {
        return new LaunchException(
                Phase.CONFINE,
                Fault.STOCKADE,
                "the backend " + backend.name() + " broke: " + e + ". Please report this",
                e);
    }

    private static List<String> tried(Confinement confinement, Profile profile, Capabilities claims, Host host)
            throws InterruptedException {
        if (confinement.provesEachStart()) {
            return List.of();
        }
        try (Scratch scratch = Scratch.create(profile, host)) {
            return Proof.of(confinement, claims, profile.workspace(), Proof.canary(scratch.directory()));
        }
    }

    /** Prepares and becomes the command, with the proof in front of it. Returns only where that cannot be done. */
    public static void become(Backend backend, Profile profile, Capabilities claims, Host host, Command command) {
        Optional<Spawner> spawner = Spawners.usable();
        if (spawner.isEmpty()
                || command.timeout().isPresent()
                || command.input().isPresent()) {
            return;
        }
        Optional<Launch> launch;
        try (Confinement confinement = prepared(backend, profile, host)) {
            launch = confinement.handOver(command);
            if (launch.isPresent() && !confinement.provesEachStart()) {
                // Planned without the proof first: a missing program is told as such, not by the proof's shell.
                launch = confinement.handOver(Proof.prologue(claims, Proof.foundCanary(profile, host), command));
            }
        }
        launch.ifPresent(spawner.get()::become);
    }
}
