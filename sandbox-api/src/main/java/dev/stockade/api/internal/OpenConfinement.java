package dev.stockade.api.internal;

import dev.stockade.api.Capabilities;
import dev.stockade.api.Command;
import dev.stockade.api.LaunchException;
import dev.stockade.api.LaunchException.Fault;
import dev.stockade.api.LaunchException.Phase;
import dev.stockade.api.Profile;
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
        Confinement confinement = backend.confine(profile, host);
        if (confinement.provesEachStart()) {
            return new OpenConfinement(confinement, List.of());
        }
        try (Scratch scratch = Scratch.create(profile, host)) {
            return new OpenConfinement(
                    confinement, Proof.of(confinement, claims, profile.workspace(), Proof.canary(scratch.directory())));
        } catch (InterruptedException e) {
            confinement.close();
            Thread.currentThread().interrupt();
            throw new LaunchException(Phase.PROVE, Fault.COMMAND, "interrupted while the sandbox was proven", e);
        } catch (RuntimeException e) {
            confinement.close();
            throw e;
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
        try (Confinement confinement = backend.confine(profile, host)) {
            launch = confinement.handOver(command);
            if (launch.isPresent() && !confinement.provesEachStart()) {
                // Planned without the proof first: a missing program is told as such, not by the proof's shell.
                launch = confinement.handOver(Proof.prologue(claims, Proof.foundCanary(profile, host), command));
            }
        }
        launch.ifPresent(spawner.get()::become);
    }
}
