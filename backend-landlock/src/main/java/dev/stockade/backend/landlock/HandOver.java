package dev.stockade.backend.landlock;

import dev.stockade.api.LaunchException;
import dev.stockade.api.Profile;
import dev.stockade.api.spi.Host;
import dev.stockade.api.spi.Launch.Step;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;

/**
 * The step of a process that becomes the command. Its private directory cannot be removed by anybody when it ends; it
 * bears this process's name and is removed by the next start, as those of processes that crashed are.
 */
final class HandOver implements Step {

    private final Profile profile;
    private final Facts facts;
    private final Host host;
    private final Path directory;
    private final Map<Integer, Long> streams;
    private Optional<ConfiningStep> prepared = Optional.empty();

    HandOver(Profile profile, Facts facts, Host host, Path directory, Map<Integer, Long> streams) {
        this.profile = profile;
        this.facts = facts;
        this.host = host;
        this.directory = directory;
        this.streams = streams;
    }

    private Path tmp() {
        return directory.resolve("tmp");
    }

    Map<String, String> environment() {
        return Prepared.environment(profile, facts, host, tmp());
    }

    Rules rules() {
        return Rules.of(profile, facts.abi(), host.files(), Optional.empty());
    }

    /** Nothing of this thread is confined yet: it can prepare as any other. */
    @Override
    public int confine() {
        try {
            Files.createDirectories(
                    tmp(), PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            if (facts.root()) {
                // The command may be another user, and its way to its temporary files leads through here.
                Files.setPosixFilePermissions(directory.getParent(), PosixFilePermissions.fromString("rwx--x--x"));
            }
        } catch (IOException e) {
            throw new LaunchException(
                    LaunchException.Phase.PREPARE,
                    LaunchException.Fault.HOST,
                    "cannot make a private directory at " + tmp() + ": " + e.getMessage(),
                    e);
        }
        ConfiningStep step = new Prepared(profile, facts, host, tmp(), Canary::parent).step(streams);
        prepared = Optional.of(step);
        return step.confine();
    }

    @Override
    public String explain(int code) {
        return prepared.orElseThrow().explain(code);
    }
}
