package dev.stockade.backend.landlock;

import dev.stockade.api.Command;
import dev.stockade.api.LaunchException;
import dev.stockade.api.LaunchException.Fault;
import dev.stockade.api.LaunchException.Phase;
import dev.stockade.api.Outcome;
import dev.stockade.api.SandboxException;
import dev.stockade.api.spi.Host;
import dev.stockade.api.spi.Launch;
import dev.stockade.linux.filter.SeccompFilter;
import dev.stockade.posix.PosixSpawnerProvider;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A JVM in front of a command: it reads what is recorded, confines itself, and becomes the command. That makes an argument
 * list for starters that are not this library, at the cost of a small JVM's start each time. Behind unshare(1) it may make
 * mounts, too, where this process may not: a process of several threads cannot enter a user namespace.
 */
final class FrontJvm {

    private static final String BECOMES = "becomes";
    private static final String FAILED = " failed";
    private static final int REFUSED = 125;

    /** unshare(1): a user namespace in which this user is itself, with all capabilities until they are given up. */
    private static final List<String> IN_NAMESPACE =
            List.of("unshare", "--user", "--map-current-user", "--keep-caps", "--mount", "--");

    /** Nothing of the starter's environment: neither its search path nor options for a JVM. */
    private static final List<String> CLEARED =
            List.of("/usr/bin/env", "-i", "LC_ALL=C.UTF-8", "PATH=" + LandlockPlan.PATH);

    private FrontJvm() {}

    /**
     * What to execute, the program's own arguments last.
     *
     * @param file what it reads
     * @param inNamespace whether it has a user namespace of its own
     * @throws LaunchException if this JVM is not of a kind that another one can be started like
     */
    static List<String> argv(Path file, boolean inNamespace, List<String> command) {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        if (!Files.isExecutable(java)) {
            throw impossible("there is no " + java);
        }
        List<String> argv = new ArrayList<>(CLEARED);
        if (inNamespace) {
            argv.addAll(IN_NAMESPACE);
        }
        argv.addAll(List.of(
                java.toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-Xshare:auto",
                "-Xlog:disable"));
        Module module = FrontJvm.class.getModule();
        if (module.isNamed()) {
            argv.add("--enable-native-access="
                    + PosixSpawnerProvider.class.getModule().getName());
            String path = path(homes().map(type -> home(type.getModule())));
            if (!path.isEmpty()) {
                argv.addAll(List.of("-p", path));
            }
            argv.addAll(List.of("-m", module.getName() + "/" + FrontJvm.class.getName()));
        } else {
            argv.add("--enable-native-access=ALL-UNNAMED");
            argv.addAll(List.of("-cp", path(homes().map(FrontJvm::home)), FrontJvm.class.getName()));
        }
        argv.add(file.toString());
        argv.addAll(command);
        return argv;
    }

    /** Whether there is such a namespace for this user here: one short process, once. */
    static boolean canHaveNamespace(Host host) {
        List<String> argv = new ArrayList<>(CLEARED);
        argv.addAll(IN_NAMESPACE);
        argv.add("true");
        return host.output(Duration.ofSeconds(5), argv)
                .filter(printed -> printed.status() == 0)
                .isPresent();
    }

    /** How a command ended, if it ever ran: what the JVM in front of it left in a file. */
    static Optional<Outcome> outcome(int status, Path told) {
        try {
            return Files.readString(told).equals(BECOMES) ? Optional.of(Outcome.ofStatus(status)) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** One type of each module that is needed. */
    private static Stream<Class<?>> homes() {
        return Stream.of(FrontJvm.class, Launch.class, SeccompFilter.class, PosixSpawnerProvider.class);
    }

    private static URI home(Module module) {
        return Objects.requireNonNull(module.getLayer())
                .configuration()
                .findModule(module.getName())
                .flatMap(found -> found.reference().location())
                .orElseThrow(() -> impossible("it cannot be told where the module " + module.getName() + " lies"));
    }

    private static URI home(Class<?> type) {
        try {
            return type.getProtectionDomain().getCodeSource().getLocation().toURI();
        } catch (URISyntaxException e) {
            throw impossible("it cannot be told where its classes lie: " + e.getMessage());
        }
    }

    /** The places as a path; those inside the Java image are found without one. */
    private static String path(Stream<URI> places) {
        return places.filter(place -> !"jrt".equals(place.getScheme()))
                .map(place -> {
                    if (!"file".equals(place.getScheme())) {
                        throw impossible("its classes do not lie in files of their own: " + place);
                    }
                    return Path.of(place).toString();
                })
                .distinct()
                .collect(Collectors.joining(":"));
    }

    private static LaunchException impossible(String why) {
        return new LaunchException(
                Phase.PREPARE,
                Fault.HOST,
                "landlock puts a JVM in front of a wrapped command, which cannot be done here: " + why
                        + ". Start the command with start() or run(), or wrap it with bwrap");
    }

    /** Confines this JVM and becomes the command: the first argument names what is recorded, the others are its own. */
    public static void main(String[] arguments) {
        try {
            becomes(read(Path.of(arguments[0])), List.of(arguments).subList(1, arguments.length));
        } catch (SandboxException e) {
            refuse(e.getMessage(), e instanceof LaunchException launch ? launch.exitStatus() : REFUSED);
        } catch (IOException | RuntimeException | LinkageError e) {
            refuse(e.toString(), REFUSED);
        }
    }

    private static void refuse(String why, int status) {
        System.err.println("stockade: " + why);
        System.exit(status);
    }

    private static Recorded read(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return Recorded.read(in);
        } catch (NoSuchFileException e) {
            throw new LaunchException(
                    Phase.PREPARE,
                    Fault.COMMAND,
                    "the sandbox that this command line belongs to is closed: make another one",
                    e);
        }
    }

    private static void becomes(Recorded recorded, List<String> argv) throws IOException {
        Host host = Host.local();
        if (!Probe.availability(host).isAvailable()) {
            throw changed(Probe.availability(host).toString());
        }
        Facts facts = recorded.inNamespace() ? Probe.facts(host).inNamespace() : Probe.facts(host);
        if (!facts.toString().equals(recorded.facts())) {
            throw changed(facts + ", not " + recorded.facts());
        }
        Prepared prepared = new Prepared(
                recorded.profile(),
                facts,
                host,
                Rules.of(recorded.profile(), facts.abi(), host.files()),
                recorded.tmp(),
                Prepared.Who.COMMANDS,
                facts.abi().scopesSignals() ? Canary.starter() : OptionalInt.empty());
        Launch launch = Launch.of(argv, recorded.environment(), recorded.directory())
                .onThread(prepared.step(Streams.inherited(Command.of(argv).attached())));
        if (recorded.told().isEmpty()) {
            new PosixSpawnerProvider().become(launch);
            return;
        }
        // Open before: the thread that fails to become the command may not open it any more.
        try (OutputStream told = Files.newOutputStream(recorded.told().get())) {
            told.write(BECOMES.getBytes(StandardCharsets.UTF_8));
            try {
                new PosixSpawnerProvider().become(launch);
            } finally {
                told.write(FAILED.getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    private static LaunchException changed(String now) {
        return new LaunchException(
                Phase.CONFINE,
                Fault.HOST,
                "where this command line is started is not where it was made, and less may be held: " + now
                        + ". Make it there");
    }
}
