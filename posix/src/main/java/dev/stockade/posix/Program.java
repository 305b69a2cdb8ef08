package dev.stockade.posix;

import dev.stockade.api.spi.Launch;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Which file a launch executes. */
final class Program {

    /** Where execvp(3) looks if there is no PATH: in the system's directories, and not in the current one. */
    private static final String DEFAULT = "/bin:/usr/bin";

    private Program() {}

    /**
     * execve(2) and posix_spawn(3) search nothing, so a bare name is looked for on the command's own PATH. The argument
     * itself stays as it is: some programs go by the name they are called by.
     */
    static String path(Launch launch) {
        String name = launch.argv().get(0);
        if (name.indexOf('/') >= 0) {
            return name;
        }
        for (String entry : launch.environment().getOrDefault("PATH", DEFAULT).split(":", -1)) {
            Path file = launch.directory().resolve(entry).resolve(name);
            if (Files.isExecutable(file) && !Files.isDirectory(file)) {
                return file.toString();
            }
        }
        return name;
    }

    /** What the shell is given, where the kernel knows no format of the file: execvp(3). */
    static List<String> byShell(Launch launch) {
        List<String> argv = new ArrayList<>(List.of("sh", path(launch)));
        argv.addAll(launch.argv().subList(1, launch.argv().size()));
        return argv;
    }
}
