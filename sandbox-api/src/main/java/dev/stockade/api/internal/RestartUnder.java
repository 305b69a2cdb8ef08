package dev.stockade.api.internal;

import dev.stockade.api.Capabilities;
import dev.stockade.api.Command;
import dev.stockade.api.LaunchException;
import dev.stockade.api.LaunchException.Fault;
import dev.stockade.api.LaunchException.Phase;
import dev.stockade.api.Profile;
import dev.stockade.api.Profile.Access;
import dev.stockade.api.Reach;
import dev.stockade.api.spi.Assessment;
import dev.stockade.api.spi.Assessment.Refusal;
import dev.stockade.api.spi.Backend.Jvm;
import dev.stockade.api.spi.Backend.JvmBoundary;
import dev.stockade.api.spi.Host;
import dev.stockade.api.spi.Launch;
import dev.stockade.api.spi.Planner;
import dev.stockade.api.spi.Planner.Purpose;
import dev.stockade.api.spi.Planner.Start;
import dev.stockade.api.spi.Spawner;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Confines a JVM by becoming the program that confines, with the JVM's own command line behind it.
 *
 * @param planner who knows that program
 */
public record RestartUnder(Planner planner) implements JvmBoundary {

    /** A feed's number: bubblewrap's own are the last ones. */
    private static final int MARK = 3;

    /** What is taken for the operating system by all backends of this kind. */
    private static final List<String> SYSTEM =
            List.of("/usr", "/opt", "/nix/store", "/gnu/store", "/System", "/Library", "/bin", "/lib", "/lib64");

    private static final Path NOWHERE = Path.of("/nonexistent");

    @Override
    public Assessment assess(Profile profile, Host host) {
        Assessment asForCommands = planner.assess(profile, host);
        List<Refusal> refused = new ArrayList<>(asForCommands.refused());
        needed().filter(path -> !isShown(profile, path))
                .findFirst()
                .ifPresent(path -> refused.add(new Refusal(
                        "readable", "this JVM needs " + path + " to start, which is not granted: make it readable")));
        Capabilities capabilities = asForCommands
                .capabilities()
                .opening(Reach.OUTLIVE_CALLER, "nothing ends what this JVM leaves running when it ends");
        return new Assessment(refused, capabilities);
    }

    /** What it was started from: its Java, its classes, its directory. */
    private static Stream<Path> needed() {
        Stream<String> homes = Stream.of(System.getProperty("java.home"), "");
        Stream<String> paths = Stream.of("java.class.path", "jdk.module.path")
                .flatMap(name -> Stream.of(System.getProperty(name, "").split(File.pathSeparator, -1)))
                .filter(name -> !name.isEmpty());
        return Stream.concat(homes, paths)
                .map(name -> Path.of(name).toAbsolutePath().normalize())
                .filter(Files::exists);
    }

    private static boolean isShown(Profile profile, Path path) {
        try {
            Path real = path.toRealPath();
            return profile.accessTo(real)
                    .map(access -> access != Access.HIDE)
                    .orElseGet(() -> SYSTEM.stream().anyMatch(real::startsWith));
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void confine(Profile profile, Host host, Optional<Path> scratch, Supplier<Jvm> jvm) {
        Spawner spawner = Spawners.usable()
                .orElseThrow(() -> new LaunchException(
                        Phase.PREPARE,
                        Fault.HOST,
                        "to start this JVM again under " + planner.name()
                                + " takes the module dev.stockade.posix, usable on this system, and Java 25"));
        spawner.become(launch(profile, host, scratch.orElse(NOWHERE), jvm.get()));
    }

    /** The same JVM behind what confines. */
    Launch launch(Profile profile, Host host, Path scratch, Jvm jvm) {
        List<String> argv =
                new ArrayList<>(jvm.argv().stream().map(OwnJvm::text).toList());
        argv.set(0, jvm.program().toString());
        Map<String, String> variables = new HashMap<>();
        for (byte[] variable : jvm.environment()) {
            String text = OwnJvm.text(variable);
            int equals = text.indexOf('=');
            if (equals > 0) {
                variables.put(text.substring(0, equals), text.substring(equals + 1));
            }
        }
        Command again = Command.of(argv.toArray(String[]::new))
                .directory(jvm.directory())
                .environment(variables)
                .attached();
        Start start = new Start(scratch, Optional.empty(), Purpose.HANDED_OVER);
        Launch launch = planner.prepare(profile, host).launch(again, start);
        if (!launch.files().isEmpty() || !launch.stop().isEmpty()) {
            throw new LaunchException(
                    Phase.PREPARE,
                    Fault.HOST,
                    planner.name() + " has to supervise what it confines, and cannot confine a JVM that runs already");
        }
        return launch.feed(MARK, jvm.mark().getBytes(StandardCharsets.UTF_8));
    }

    /** The mechanism stands between the two starts, so the second one is in namespaces of its own. */
    @Override
    public List<String> prove(Profile profile, Host host) {
        String before = RestartMark.find().namespace();
        if (host.os().equals("linux") && before.equals(RestartMark.currentNamespace())) {
            throw new LaunchException(
                    Phase.PROVE,
                    Fault.STOCKADE,
                    "this JVM was started again under " + planner.name()
                            + ", and still sees the files as before. Do not go on; please report this");
        }
        return List.of("signals sent to the number that this JVM was started under reach " + planner.name()
                + ", which stands in front of it, and end that one only");
    }
}
