package dev.stockade.cli;

import dev.stockade.api.spi.Host;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Whether somebody is looking. */
final class Screen {

    static final int OUT = 1;
    static final int ERR = 2;

    private Screen() {}

    /** isatty(3), which Java has for standard input and output together only. */
    static boolean is(int descriptor) {
        try {
            String name = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor))
                    .toString();
            return name.startsWith("/dev/pts/") || name.startsWith("/dev/tty") || name.equals("/dev/console");
        } catch (IOException e) {
            return Files.notExists(Path.of("/proc/self"))
                    && Optional.ofNullable(System.console())
                            .filter(java.io.Console::isTerminal)
                            .isPresent();
        }
    }

    /** Colour only on a terminal, and not where it is declined: https://no-color.org. */
    static boolean showsColour() {
        return is(OUT) && acceptsColour(Host.local().environment());
    }

    static boolean acceptsColour(Map<String, String> environment) {
        return environment.getOrDefault("NO_COLOR", "").isEmpty()
                && !environment.getOrDefault("TERM", "dumb").equals("dumb");
    }
}
