package dev.stockade.backend.landlock;

import dev.stockade.api.Capabilities;
import dev.stockade.api.LaunchException;
import dev.stockade.api.LaunchException.Fault;
import dev.stockade.api.LaunchException.Phase;
import dev.stockade.api.Profile;
import dev.stockade.api.Reach;
import dev.stockade.api.spi.Assessment;
import dev.stockade.api.spi.Assessment.Refusal;
import dev.stockade.api.spi.Backend.Jvm;
import dev.stockade.api.spi.Backend.JvmBoundary;
import dev.stockade.api.spi.Host;
import dev.stockade.posix.ForeignLinux;
import dev.stockade.posix.Linux;
import dev.stockade.posix.Restart;
import java.io.File;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Puts the JVM that this runs in into a Landlock domain, under a seccomp filter. */
final class ThisJvm implements JvmBoundary {

    private static final Path NOWHERE = Path.of("/nonexistent");

    @Override
    public Assessment assess(Profile profile, Host host) {
        Facts facts = Probe.facts(host).forThisJvm();
        Assessment asForCommands = Judgement.of(profile, facts, host.files());
        List<Refusal> refused = new ArrayList<>(asForCommands.refused());
        if (facts.root() && Identity.ownerOf(profile.workspace()).isPresent()) {
            refused.add(new Refusal(
                    "workspace",
                    profile.workspace() + " belongs to another user, and root without capabilities cannot write there:"
                            + " start this JVM as that user"));
        }
        Rules rules = Rules.of(profile, facts.abi(), host.files()).forThisJvm(profile);
        unreadable(rules, host)
                .ifPresent(path -> refused.add(new Refusal(
                        "readable", "this JVM needs " + path + " to start, which is not granted: make it readable")));
        Capabilities capabilities = asForCommands
                .capabilities()
                .opening(Reach.OUTLIVE_CALLER, "nothing ends what this JVM leaves running when it ends");
        return new Assessment(refused, capabilities);
    }

    /** The first thing that this JVM was started from and could not be again. */
    private static Optional<Path> unreadable(Rules rules, Host host) {
        Stream<String> homes = Stream.of(System.getProperty("java.home"));
        Stream<String> paths = Stream.of("java.class.path", "jdk.module.path")
                .flatMap(name -> Stream.of(System.getProperty(name, "").split(File.pathSeparator, -1)));
        return Stream.concat(homes, paths)
                .filter(name -> !name.isEmpty())
                .map(name -> host.files().getPath(name))
                .filter(Files::exists)
                .filter(path -> !shows(rules, path))
                .findFirst();
    }

    private static boolean shows(Rules rules, Path path) {
        try {
            return rules.shows(path.toRealPath());
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void confine(Profile profile, Host host, Optional<Path> scratch, Supplier<Jvm> jvm) {
        Facts facts = Probe.facts(host).forThisJvm();
        Way way = Way.of(facts.abi(), isPrivileged(), profile.tmp());
        Optional<Jvm> again = way == Way.RESTART ? Optional.of(jvm.get()) : Optional.empty();
        boolean ownTmp = profile.tmp() == Profile.Tmp.PRIVATE;
        boolean ownDirectories = ownTmp || facts.mounts();
        if (ownDirectories && scratch.isEmpty()) {
            throw new LaunchException(
                    Phase.PREPARE,
                    Fault.PROFILE,
                    "there is no place for a private temporary directory: share /tmp, or grant less");
        }
        Linux linux = new ForeignLinux(Arena.ofAuto());
        scratch.ifPresent(ThisJvm::makePrivate);
        OptionalInt witness = scratch.isPresent() ? Witness.make(scratch.get(), linux) : OptionalInt.empty();
        Path tmp = scratch.orElse(NOWHERE).resolve("tmp");
        if (ownDirectories) {
            makePrivate(tmp);
        } else {
            scratch.ifPresent(ThisJvm::removeIfEmpty);
        }
        Rules rules = Rules.of(profile, facts.abi(), host.files());
        try (Prepared prepared =
                new Prepared(profile, facts, host, rules, tmp, Prepared.Who.THIS_JVM, OptionalInt.empty())) {
            String file = witness.isPresent() ? Witness.path(witness.getAsInt()) : "";
            ConfiningStep step =
                    prepared.step(Streams.own(), arena -> ThreadProof.byWriting(facts, profile, file, arena), way);
            if (again.isEmpty()) {
                confineAllThreads(step);
                return;
            }
            Map<String, String> fixed = ownTmp ? prepared.environment() : Map.of();
            throw restarted(again.get(), fixed, witness, step);
        } catch (LaunchException e) {
            witness.ifPresent(linux::close);
            throw e;
        }
    }

    private static void confineAllThreads(ConfiningStep step) {
        int code = step.confine();
        if (code != 0) {
            throw new LaunchException(
                    Phase.CONFINE, Fault.HOST, step.explain(code) + ". This process may be confined in part: end it");
        }
    }

    /** Does not return but with what went wrong. */
    private static LaunchException restarted(
            Jvm jvm, Map<String, String> fixed, OptionalInt witness, ConfiningStep step) {
        List<String> variables = new ArrayList<>();
        List<String> arguments = new ArrayList<>();
        for (String name : List.of("TMPDIR", "TMP", "TEMP")) {
            Optional.ofNullable(fixed.get(name)).ifPresent(tmp -> variables.add(name + "=" + tmp));
        }
        Optional<String> tmp = Optional.ofNullable(fixed.get("TMPDIR")).filter(shown -> !shown.equals("/tmp"));
        if (jvm.program().endsWith("java") && tmp.isPresent()) {
            arguments.add("-Djava.io.tmpdir=" + tmp.get()); // Which does not follow TMPDIR.
        }
        Set<Integer> inherited = witness.isPresent() ? Set.of(witness.getAsInt()) : Set.of();
        return Restart.now(jvm, arguments, variables, inherited, step);
    }

    private static boolean isPrivileged() {
        try {
            return Files.readAllLines(Path.of("/proc/self/status")).stream()
                    .anyMatch(line -> line.startsWith("CapPrm:") && !line.matches("CapPrm:\\s*0+"));
        } catch (IOException e) {
            return true;
        }
    }

    private static void makePrivate(Path directory) {
        try {
            Files.createDirectories(
                    directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } catch (IOException e) {
            throw new LaunchException(
                    Phase.PREPARE, Fault.HOST, "cannot make a private directory at " + directory + ": " + e, e);
        }
    }

    private static void removeIfEmpty(Path directory) {
        try {
            Files.delete(directory);
        } catch (IOException e) {
            // A later start removes it.
        }
    }

    @Override
    public List<String> prove(Profile profile, Host host) {
        Linux linux = new ForeignLinux(Arena.ofAuto());
        OptionalInt witness = Witness.find();
        String file = witness.isPresent() ? Witness.path(witness.getAsInt()) : "";
        int code = ThreadProof.byWriting(Probe.facts(host).forThisJvm(), profile, file, Arena.ofAuto())
                .run(linux);
        witness.ifPresent(linux::close);
        if (code != 0) {
            throw new LaunchException(
                    Phase.PROVE, Fault.STOCKADE, ThreadProof.explain(code) + ". Do not go on; please report this");
        }
        return witness.isPresent()
                ? List.of()
                : List.of("not proven: writing outside, since nothing outside could be written before");
    }
}
