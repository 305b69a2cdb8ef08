package dev.stockade.backend.landlock;

import dev.stockade.api.LaunchException;
import dev.stockade.api.Profile;
import dev.stockade.api.spi.Host;
import dev.stockade.backend.landlock.Mounts.Own;
import dev.stockade.linux.filter.Architecture;
import dev.stockade.linux.filter.Isolation;
import dev.stockade.linux.filter.SeccompFilter;
import dev.stockade.linux.filter.Sockets;
import dev.stockade.posix.ForeignLinux;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** What is made once for many commands, or for this JVM: the ruleset, the mount namespace, the filter. Thread-safe. */
final class Prepared implements AutoCloseable {

    /** What is to be confined. */
    enum Who {
        COMMANDS,
        THIS_JVM
    }

    private final Profile profile;
    private final Facts facts;
    private final Host host;
    private final Who who;
    private final Own own;
    private final Set<Path> sockets;
    private final Kernel kernel = new Kernel();
    private final Optional<Identity> identity;
    private final Optional<ThreadGuard> filter;
    private final OptionalInt mounts;
    private final OptionalInt network;
    private final OptionalInt enclosure;
    private final OptionalInt canary;
    private Rules rules;
    private OptionalInt ruleset = OptionalInt.empty();
    private boolean closed;

    /**
     * Prepares.
     *
     * @param base what the profile allows
     * @param tmp the sandbox's own temporary directory
     * @param canary a process outside
     */
    Prepared(Profile profile, Facts facts, Host host, Rules base, Path tmp, Who who, OptionalInt canary) {
        this.profile = profile;
        this.facts = facts;
        this.host = host;
        this.who = who;
        this.own = own(tmp);
        sockets = Rules.sockets(profile);
        identity = facts.root() ? Identity.ownerOf(profile.workspace()) : Optional.empty();
        this.canary = canary;
        makeOwn();
        rules = withOwn(base);
        filter = facts.filter().map(architecture -> filter(architecture, System.getProperty("os.arch")));
        mounts = facts.mounts()
                ? OptionalInt.of(Namespace.make(Mounts.of(profile, host.files(), own)))
                : OptionalInt.empty();
        network = facts.ownNetwork(profile) ? OptionalInt.of(Loopback.make()) : OptionalInt.empty();
        enclosure = who == Who.COMMANDS && facts.abi().scopesSignals()
                ? OptionalInt.of(kernel.signalScope(facts.abi()))
                : OptionalInt.empty();
    }

    private ThreadGuard filter(Architecture architecture, String osArch) {
        Set<Isolation> isolated = EnumSet.noneOf(Isolation.class);
        if (facts.ownNetwork(profile)) {
            isolated.add(Isolation.NETWORK);
        }
        if (!rules.deniesReading()) {
            // Who may read a file may as well be told that it changes: java.nio.file.WatchService.
            isolated.add(Isolation.FILES);
        }
        byte[] program = new SeccompFilter(sockets(profile), isolated).program(architecture);
        return who == Who.COMMANDS ? ThreadGuard.inFrontOf(program, osArch) : ThreadGuard.none(program, osArch);
    }

    private static Sockets sockets(Profile profile) {
        return switch (profile.network()) {
            case OFF -> Sockets.OFF;
            case LOOPBACK -> Sockets.LOOPBACK;
            case ON -> Sockets.ON;
        };
    }

    private Rules withOwn(Rules base) {
        Rules planned = base;
        if (profile.tmp() == Profile.Tmp.PRIVATE) {
            planned = planned.with(own.tmp(), facts.abi());
            planned = facts.mounts() ? planned.with(own.shm(), facts.abi()) : planned;
        }
        planned = facts.ownNetwork(profile) ? planned.withPorts() : planned;
        return who == Who.THIS_JVM ? planned.forThisJvm(profile) : planned;
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
    ConfiningStep step(Map<Integer, Long> streams) {
        return step(streams, arena -> ThreadProof.byReading(facts, profile, canary.orElse(-1), arena), Way.RESTART);
    }

    /** Lays a proof out. */
    interface Proof {
        ThreadProof in(Arena arena);
    }

    synchronized ConfiningStep step(Map<Integer, Long> streams, Proof proof, Way way) {
        if (closed) {
            throw new IllegalStateException("this confinement is closed");
        }
        Arena arena = Arena.ofAuto();
        ConfiningStep.Means means = means(streams, way);
        return new ConfiningStep(
                means,
                proof.in(arena),
                filter,
                new ForeignLinux(arena),
                new ForeignLinux(arena),
                enclosure,
                canary,
                arena);
    }

    private ConfiningStep.Means means(Map<Integer, Long> streams, Way way) {
        List<Integer> made = new ArrayList<>();
        try {
            made.add(streams.isEmpty() ? kernel.duplicate(shared()) : kernel.ruleset(facts.abi(), rules, streams));
            return new ConfiningStep.Means(
                    made.get(0), duplicate(mounts, made), duplicate(network, made), identity, way);
        } catch (LaunchException e) {
            made.forEach(fd -> kernel.linux().close(fd));
            throw e;
        }
    }

    private OptionalInt duplicate(OptionalInt fd, List<Integer> made) {
        if (fd.isEmpty()) {
            return fd;
        }
        int another = kernel.duplicate(fd.getAsInt());
        made.add(another);
        return OptionalInt.of(another);
    }

    private void refresh() {
        if (rules.stale()) {
            rules = withOwn(Rules.of(profile, facts.abi(), host.files(), sockets));
            ruleset.ifPresent(fd -> kernel.linux().close(fd));
            ruleset = OptionalInt.empty();
        }
    }

    /** The ruleset of all commands that inherit no stream of the caller's. */
    private int shared() {
        if (ruleset.isEmpty()) {
            ruleset = OptionalInt.of(kernel.ruleset(facts.abi(), rules, Map.of()));
        }
        return ruleset.getAsInt();
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            ruleset.ifPresent(fd -> kernel.linux().close(fd));
            mounts.ifPresent(fd -> kernel.linux().close(fd));
            network.ifPresent(fd -> kernel.linux().close(fd));
            enclosure.ifPresent(fd -> kernel.linux().close(fd));
        }
    }
}
