package dev.stockade.backend.landlock;

import dev.stockade.api.LaunchException;
import dev.stockade.api.Profile;
import dev.stockade.api.spi.Host;
import dev.stockade.backend.landlock.Mounts.Own;
import dev.stockade.linux.filter.Isolation;
import dev.stockade.linux.filter.SeccompFilter;
import dev.stockade.linux.filter.Sockets;
import dev.stockade.posix.ForeignLinux;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** What is made once for many commands: the ruleset, the mount namespace, the filter. Thread-safe. */
final class Prepared implements AutoCloseable {

    private final Profile profile;
    private final Facts facts;
    private final Host host;
    private final Own own;
    private final Kernel kernel = new Kernel();
    private final Optional<Identity> identity;
    private final Optional<ThreadGuard> filter;
    private final OptionalInt mounts;
    private final OptionalInt network;
    private final OptionalInt enclosure;
    private final OptionalInt canary;
    private Rules rules;
    private int ruleset;
    private boolean closed;

    /**
     * Prepares.
     *
     * @param tmp the sandbox's own temporary directory
     */
    Prepared(Profile profile, Facts facts, Host host, Path tmp) {
        this.profile = profile;
        this.facts = facts;
        this.host = host;
        this.own = own(tmp);
        identity = facts.root() ? Identity.ownerOf(profile.workspace()) : Optional.empty();
        filter = facts.filter()
                .map(architecture -> filter(profile, facts).program(architecture))
                .map(program -> ThreadGuard.inFrontOf(program, System.getProperty("os.arch")));
        canary = facts.abi().scopesSignals() ? Canary.pid() : OptionalInt.empty();
        makeOwn();
        mounts = facts.mounts()
                ? OptionalInt.of(Namespace.make(Mounts.of(profile, host.files(), own)))
                : OptionalInt.empty();
        network = facts.ownNetwork(profile) ? OptionalInt.of(Loopback.make()) : OptionalInt.empty();
        enclosure = facts.abi().scopesSignals() ? OptionalInt.of(kernel.signalScope(facts.abi())) : OptionalInt.empty();
        rules = plan();
        ruleset = kernel.ruleset(facts.abi(), rules, Map.of());
    }

    private static SeccompFilter filter(Profile profile, Facts facts) {
        return facts.ownNetwork(profile)
                ? SeccompFilter.of(sockets(profile), Isolation.NETWORK)
                : SeccompFilter.of(sockets(profile));
    }

    private static Sockets sockets(Profile profile) {
        return switch (profile.network()) {
            case OFF -> Sockets.OFF;
            case LOOPBACK -> Sockets.LOOPBACK;
            case ON -> Sockets.ON;
        };
    }

    private Rules plan() {
        Optional<Path> tmp = profile.tmp() == Profile.Tmp.PRIVATE ? Optional.of(own.tmp()) : Optional.empty();
        Rules planned = Rules.of(profile, facts.abi(), host.files(), tmp);
        Rules shared = mounts.isPresent() && tmp.isPresent() ? planned.with(own.shm(), facts.abi()) : planned;
        return facts.ownNetwork(profile) ? shared.withPorts() : shared;
    }

    private void makeOwn() {
        try {
            if (facts.mounts()) {
                for (Path directory : List.of(own.shm(), own.empty())) {
                    if (!Files.isDirectory(directory)) {
                        Files.createDirectory(
                                directory,
                                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
                    }
                }
            }
            if (identity.isPresent()) {
                identity.get().own(own.tmp());
                if (facts.mounts()) {
                    identity.get().own(own.shm());
                    identity.get().own(own.empty());
                }
                // The way to it may lead through a directory of root's.
                Files.setPosixFilePermissions(own.tmp().getParent(), PosixFilePermissions.fromString("rwx--x--x"));
            }
        } catch (IOException e) {
            throw new LaunchException(
                    LaunchException.Phase.PREPARE,
                    LaunchException.Fault.HOST,
                    "cannot make the private directories: " + e.getMessage(),
                    e);
        }
    }

    /** What is set beside what the profile and the command name. */
    Map<String, String> environment() {
        return environment(profile, facts, host, own.tmp());
    }

    static Map<String, String> environment(Profile profile, Facts facts, Host host, Path tmp) {
        Map<String, String> fixed = new LinkedHashMap<>();
        fixed.put("PATH", LandlockPlan.PATH);
        fixed.put("HOME", profile.workspace().toString());
        if (profile.tmp() == Profile.Tmp.PRIVATE) {
            Path shown = facts.mounts() ? Mounts.tmp(profile, host.files(), own(tmp)) : tmp;
            for (String name : List.of("TMPDIR", "TMP", "TEMP")) {
                fixed.put(name, shown.toString());
            }
            if (!shown.toString().equals("/tmp")) {
                // A JVM does not look at TMPDIR.
                fixed.put("JAVA_TOOL_OPTIONS", "-Djava.io.tmpdir=" + shown);
            }
        }
        return fixed;
    }

    private static Own own(Path tmp) {
        return new Own(tmp, tmp.resolveSibling("shm"), tmp.resolveSibling("empty"));
    }

    synchronized Rules rules() {
        refresh();
        return rules;
    }

    /** What one start does to its thread; the step closes the descriptors that it is given. */
    synchronized ConfiningStep step(Map<Integer, Long> streams) {
        if (closed) {
            throw new IllegalStateException("this confinement is closed");
        }
        int own = streams.isEmpty() ? kernel.duplicate(ruleset) : kernel.ruleset(facts.abi(), rules, streams);
        Arena arena = Arena.ofAuto();
        return new ConfiningStep(
                new ConfiningStep.Means(facts, profile.network(), own, duplicate(mounts), duplicate(network), identity),
                filter,
                new ForeignLinux(arena),
                new ForeignLinux(arena),
                enclosure,
                canary,
                arena);
    }

    private OptionalInt duplicate(OptionalInt fd) {
        return fd.isPresent() ? OptionalInt.of(kernel.duplicate(fd.getAsInt())) : fd;
    }

    private void refresh() {
        if (rules.stale()) {
            Rules now = plan();
            int made = kernel.ruleset(facts.abi(), now, Map.of());
            kernel.linux().close(ruleset);
            rules = now;
            ruleset = made;
        }
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            kernel.linux().close(ruleset);
            mounts.ifPresent(fd -> kernel.linux().close(fd));
            network.ifPresent(fd -> kernel.linux().close(fd));
            enclosure.ifPresent(fd -> kernel.linux().close(fd));
        }
    }
}
