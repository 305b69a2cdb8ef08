package dev.stockade.backend.docker;

import dev.stockade.api.Command;
import dev.stockade.api.Network;
import dev.stockade.api.Profile;
import dev.stockade.api.spi.Host;
import dev.stockade.linux.filter.Architecture;
import dev.stockade.linux.filter.Isolation;
import dev.stockade.linux.filter.SeccompFilter;
import dev.stockade.linux.filter.Sockets;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A profile, and all that is known about how it will be held.
 *
 * @param profile what to hold
 * @param host the facts
 * @param engine what holds it
 * @param settings of this backend's
 * @param view which files are seen
 * @param user who commands are
 * @param filter the engine's seccomp profile with our denials, as JSON; empty where none can be trusted
 */
record Setup(
        Profile profile,
        Host host,
        Engine engine,
        Settings settings,
        DockerView view,
        User user,
        Optional<String> filter) {

    static Setup of(Profile profile, Host host, Engine engine) {
        Settings settings = Settings.of(profile);
        return new Setup(
                profile,
                host,
                engine,
                settings,
                DockerView.of(profile, host),
                User.of(profile, host, engine),
                filter(profile.network(), host, engine, settings));
    }

    /** Another runtime than the engine's own may install no filter at all. */
    private static Optional<String> filter(Network network, Host host, Engine engine, Settings settings) {
        if (!engine.filters()
                || settings.runtime().filter(name -> !name.equals("runc")).isPresent()) {
            return Optional.empty();
        }
        Set<Isolation> isolated = EnumSet.of(Isolation.IPC, Isolation.PROCESSES, Isolation.FILES);
        if (network != Network.ON) {
            isolated.add(Isolation.NETWORK);
        }
        Sockets sockets = switch (network) {
            case OFF -> Sockets.OFF;
            case LOOPBACK -> Sockets.LOOPBACK;
            case ON -> Sockets.ON;
        };
        return Architecture.named(host.arch())
                .map(architecture -> new SeccompFilter(sockets, isolated).dockerProfile());
    }

    /** All variables of a command; those of the image come on top, {@code PATH} among them. */
    Map<String, String> environment(Command command) {
        Map<String, String> fixed = new LinkedHashMap<>();
        fixed.put("HOME", profile.workspace().toString());
        List.of("TMPDIR", "TMP", "TEMP").forEach(name -> fixed.put(name, "/tmp"));
        return host.environmentFor(profile, command, fixed);
    }

    String directory(Command command) {
        return command.directory().orElse(profile.workspace()).toString();
    }
}
