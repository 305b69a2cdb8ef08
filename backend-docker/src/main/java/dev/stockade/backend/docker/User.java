package dev.stockade.backend.docker;

import dev.stockade.api.Profile;
import dev.stockade.api.spi.Host;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Who a command is in its container.
 *
 * @param uid the user's number
 * @param gid the group's number
 */
record User(int uid, int gid) {

    private static final int NOBODY = 65534;

    /**
     * Whoever called; the workspace's owner where that is somebody else and root called, since root without its
     * capabilities could not write there. An engine without root has its own user, the caller, as uid 0 inside.
     */
    static User of(Profile profile, Host host, Engine engine) {
        if (engine.rootless()) {
            return new User(0, 0);
        }
        if (host.uid() == 0) {
            return new User(
                    number(profile.workspace(), "unix:uid").orElse(0),
                    number(profile.workspace(), "unix:gid").orElse(0));
        }
        int gid = Stream.of(host.files().getPath("/proc/self"), host.home())
                .flatMap(path -> number(path, "unix:gid").stream())
                .findFirst()
                .orElse(host.uid());
        return new User(host.uid(), gid);
    }

    /** Somebody whom no command of this user can signal, trace or impersonate. */
    User keeper() {
        int other = uid == NOBODY ? NOBODY - 1 : NOBODY;
        return new User(other, other);
    }

    private static Optional<Integer> number(Path path, String attribute) {
        try {
            return Optional.of((Integer) Files.getAttribute(path, attribute));
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    @Override
    public String toString() {
        return uid + ":" + gid;
    }
}
