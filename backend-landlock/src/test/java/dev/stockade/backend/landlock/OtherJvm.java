package dev.stockade.backend.landlock;

import dev.stockade.api.Availability;
import dev.stockade.api.Availability.Unavailable;
import dev.stockade.api.Backends;
import dev.stockade.api.Command;
import dev.stockade.api.Network;
import dev.stockade.api.Profile;
import dev.stockade.api.Reach;
import dev.stockade.api.Sandbox;
import dev.stockade.api.SandboxException;
import dev.stockade.api.spi.Launch;
import dev.stockade.linux.filter.SeccompFilter;
import dev.stockade.posix.PosixSpawnerProvider;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A JVM of its own, for what changes the whole process, and for kernels that are or seem to be others. */
final class OtherJvm {

    private OtherJvm() {}

    static ProcessBuilder run(List<String> inFront, String... arguments) {
        return run(inFront, OtherJvm.class, arguments);
    }

    static ProcessBuilder run(List<String> inFront, Class<?> main, String... arguments) {
        return run(inFront, List.of(), main, arguments);
    }

    static ProcessBuilder run(List<String> inFront, List<String> options, Class<?> main, String... arguments) {
        List<String> argv = new ArrayList<>(inFront);
        argv.addAll(List.of(java(), "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        argv.addAll(options);
        argv.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-cp", classPath(), main.getName()));
        argv.addAll(List.of(arguments));
        return new ProcessBuilder(argv).redirectError(ProcessBuilder.Redirect.INHERIT);
    }

    static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** Absolute: what starts may be in another directory. */
    static String classPath() {
        return Stream.concat(Stream.of(home(OtherJvm.class)), modules().stream())
                .collect(Collectors.joining(":"));
    }

    static List<String> modules() {
        return Stream.of(LandlockBackendProvider.class, Launch.class, SeccompFilter.class, PosixSpawnerProvider.class)
                .map(OtherJvm::home)
                .toList();
    }

    /** Where a class really lies; tests are patched into the module, whose own place is another. */
    private static String home(Class<?> type) {
        String file = type.getName().replace('.', '/') + ".class";
        URL found = Objects.requireNonNull(type.getResource("/" + file));
        String place = found.toString().replace("!/" + file, "").replace(file, "");
        try {
            return Path.of(new URI(place.startsWith("jar:") ? place.substring(4) : place))
                    .toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Arguments: what, and a directory. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path workspace = Files.createTempDirectory(Path.of(arguments[1]), "workspace");
        Profile profile = Profile.builder(workspace).build();
        switch (arguments[0]) {
            case "try" -> tryHere(profile, Path.of(arguments[1]));
            case "become" -> {
                System.out.println(ProcessHandle.current().pid());
                System.out.flush();
                Backends.of(new LandlockBackendProvider())
                        .only("landlock")
                        .become(profile, Command.of("sh", "-c", arguments[2]).attached());
            }
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    /** One line of facts, each "name=value". */
    private static void tryHere(Profile profile, Path outside) throws IOException, InterruptedException {
        Backends backends = Backends.of(new LandlockBackendProvider()).only("landlock");
        Availability availability =
                Objects.requireNonNull(backends.availability().get("landlock"));
        System.out.println(availability);
        if (availability instanceof Unavailable) {
            return;
        }
        Path canary = Files.writeString(outside.resolve("canary"), "sings");
        try (Sandbox sandbox = backends.open(profile);
                Sandbox accepting = sandbox.withNetwork(Network.LOOPBACK)) {
            System.out.println("held");
            System.out.println("ran="
                    + sandbox.run(Command.of("sh", "-c", "echo x > f && cat f")).exitStatus());
            boolean read = sandbox.run(Command.of("cat", canary.toString())).exitStatus() == 0;
            boolean truncated = sandbox.run(Command.of("sh", "-c", "truncate -s 0 " + canary))
                                    .exitStatus()
                            == 0
                    || Files.size(canary) == 0;
            System.out.println("read=" + read + " truncated=" + truncated);
            System.out.println("network=" + sandbox.capabilities().canReachNetwork() + " signals="
                    + sandbox.capabilities().can(Reach.SIGNAL_PROCESSES) + " sockets="
                    + accepting.capabilities().can(Reach.HOST_UNIX_SOCKETS));
            boolean signalled = sandbox.run(Command.of(
                                    "sh",
                                    "-c",
                                    "kill -0 " + ProcessHandle.current().pid()))
                            .exitStatus()
                    == 0;
            System.out.println("signalled=" + signalled);
            sandbox.run(Command.of("sh", "-c", "setsid sleep 3 >/dev/null 2>&1 </dev/null & sleep 0.1"));
            System.out.println("survived");
        } catch (SandboxException e) {
            System.out.println("refused " + e.getMessage());
        }
    }
}
