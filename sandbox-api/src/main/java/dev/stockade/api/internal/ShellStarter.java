package dev.stockade.api.internal;

import dev.stockade.api.Command;
import dev.stockade.api.LaunchException;
import dev.stockade.api.LaunchException.Fault;
import dev.stockade.api.LaunchException.Phase;
import dev.stockade.api.spi.Launch;
import dev.stockade.api.spi.Spawner.Started;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Starts launches with what every JDK has. {@link ProcessBuilder} closes all descriptors above 2 in the child, so
 * feeds and the status channel are private files that {@code sh} opens before it becomes the mechanism.
 */
final class ShellStarter {

    private static final String STATUS = ".status";

    /** E2BIG: {@code error=7,} in the words of Java 17, {@code error: 7 (} in those of Java 25. */
    private static final Pattern TOO_LONG = Pattern.compile("error(=|: )7\\b");

    private static final int LONGEST_STATUS = 1 << 16;

    private ShellStarter() {}

    static Started start(Launch launch, Command stdio, Path scratch) {
        ProcessBuilder builder = new ProcessBuilder(argv(launch, scratch))
                .directory(launch.directory().toFile())
                .redirectInput(stdio.stdin())
                .redirectOutput(stdio.stdout())
                .redirectError(stdio.stderr());
        Map<String, String> environment = builder.environment();
        environment.clear();
        environment.putAll(launch.environment());
        try {
            return new Started(Launchers.start(builder), () -> status(launch, scratch));
        } catch (IOException e) {
            throw refused(launch, e);
        }
    }

    /** Lays the launch's files out and says what to execute; it can be executed as often as wanted. */
    static List<String> argv(Launch launch, Path scratch) {
        launch.files().forEach((name, bytes) -> Scratch.file(scratch, name, bytes));
        if (launch.feeds().isEmpty() && launch.statusFd().isEmpty()) {
            return launch.argv();
        }
        StringBuilder script = new StringBuilder("exec");
        List<String> opened = new ArrayList<>();
        launch.feeds().forEach((fd, bytes) -> {
            opened.add(Scratch.file(scratch, ".feed" + fd, bytes).toString());
            script.append(' ').append(fd).append("<\"$").append(opened.size()).append('"');
        });
        launch.statusFd().ifPresent(fd -> {
            opened.add(Scratch.file(scratch, STATUS, new byte[0]).toString());
            script.append(' ').append(fd).append(">\"$").append(opened.size()).append('"');
        });
        script.append("; shift ").append(opened.size()).append("; exec \"$@\"");
        List<String> argv = new ArrayList<>(List.of("/bin/sh", "-c", script.toString(), "sh"));
        argv.addAll(opened);
        argv.addAll(launch.argv());
        return argv;
    }

    private static String status(Launch launch, Path scratch) {
        if (launch.statusFd().isEmpty()) {
            return "";
        }
        try (InputStream written = Files.newInputStream(scratch.resolve(STATUS))) {
            return new String(written.readNBytes(LONGEST_STATUS), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }

    private static LaunchException refused(Launch launch, IOException e) {
        // The JDK tells the error's number in its message only; E2BIG is the one a caller can cause and mend.
        String said = String.valueOf(e.getMessage());
        if (TOO_LONG.matcher(said).find()) {
            return new LaunchException(
                    Phase.EXECUTE,
                    Fault.COMMAND,
                    "the arguments are longer than this system allows: give them in a file",
                    e);
        }
        return new LaunchException(
                Phase.CONFINE, Fault.HOST, "cannot start " + launch.argv().get(0) + ": " + said, e);
    }
}
