package dev.stockade.posix;

import dev.stockade.api.Command;
import dev.stockade.api.spi.Launch;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A JVM of its own, for what changes the whole process. */
final class OtherJvm {

    private OtherJvm() {}

    static ProcessBuilder run(String... arguments) throws Exception {
        return run(List.of(), arguments);
    }

    static ProcessBuilder run(List<String> inFront, String... arguments) throws Exception {
        String path = Stream.of(OtherJvm.class, PosixSpawnerProvider.class, Launch.class)
                .map(OtherJvm::home)
                .collect(Collectors.joining(":"));
        List<String> argv = new ArrayList<>(inFront);
        argv.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                path,
                OtherJvm.class.getName()));
        argv.addAll(List.of(arguments));
        return new ProcessBuilder(argv).redirectError(ProcessBuilder.Redirect.INHERIT);
    }

    /** Where a class really lies; tests are patched into the module, whose own place is another. */
    private static String home(Class<?> type) {
        String file = type.getName().replace('.', '/') + ".class";
        String found = Objects.requireNonNull(type.getResource("/" + file)).toString();
        String place = found.replace("!/" + file, "").replace(file, "");
        return Path.of(URI.create(place.startsWith("jar:") ? place.substring(4) : place))
                .toString();
    }

    public static void main(String[] arguments) throws InterruptedException, IOException {
        PosixSpawnerProvider spawner = new PosixSpawnerProvider();
        List<String> argv = Arrays.asList(arguments).subList(1, arguments.length);
        Launch launch = Launch.of(argv, Map.of("PATH", "/usr/bin:/bin", "NAMED", "yes"), Path.of("/"));
        switch (arguments[0]) {
            case "become" -> {
                System.out.println(ProcessHandle.current().pid());
                System.out.flush();
                spawner.become(launch.feed(3, "fed".getBytes(StandardCharsets.UTF_8)));
            }
            case "wait" -> {
                if (!spawner.availability().isAvailable()) {
                    System.exit(99);
                }
                System.exit(spawner.spawn(launch, Command.of("x")).process().waitFor());
            }
            case "refused" -> System.out.println(spawner.availability());
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }
}
