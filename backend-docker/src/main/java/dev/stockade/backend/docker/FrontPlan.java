package dev.stockade.backend.docker;

import dev.stockade.api.Command;
import dev.stockade.api.spi.Launch;
import dev.stockade.api.spi.Planner.Plan;
import dev.stockade.api.spi.Planner.Start;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The client's {@code exec}, as a process of the host's: for terminals, for streams that are files, and for other
 * starters. The values of variables travel in a private file.
 *
 * @param setup what is held, by what
 * @param container where
 */
record FrontPlan(Setup setup, String container) implements Plan {

    private static final String VARIABLES = "environment";

    /** Lines longer than 64 KiB end the client's reading: bufio.MaxScanTokenSize. */
    private static final int LONGEST = 1 << 15;

    /** A terminal inside only where there is one outside, which only the started process can tell. */
    private static final String FRONT = "t=-i; [ -t 0 ] && [ -t 1 ] && t=-it; c=$1; d=$3; h=$5; shift 5;"
            + " exec \"$c\" --config \"$d\" --host \"$h\" exec \"$t\" \"$@\"";

    @Override
    public boolean usesTmp() {
        return false;
    }

    @Override
    public Launch launch(Command command, Start start) {
        StringBuilder file = new StringBuilder();
        Map<String, String> byName = new HashMap<>();
        List<String> options = new ArrayList<>();
        setup.environment(command).forEach((name, value) -> {
            if (fitsFile(name, value)) {
                file.append(name).append('=').append(value).append('\n');
            } else {
                byName.put(name, value);
                options.addAll(List.of("--env", name));
            }
        });
        List<String> argv = new ArrayList<>(List.of("/bin/sh", "-c", FRONT, "sh"));
        argv.addAll(setup.engine().client(start.scratch()));
        argv.addAll(List.of("--env-file", start.scratch().resolve(VARIABLES).toString()));
        argv.addAll(options);
        argv.addAll(List.of("--user", setup.user().toString(), "--workdir", setup.directory(command), container));
        argv.addAll(command.argv());
        return Launch.of(argv, byName, setup.profile().workspace())
                .file(VARIABLES, file.toString().getBytes(StandardCharsets.UTF_8))
                .clearingEnvironment();
    }

    /** What the file's format cannot hold is passed by its name, from the client's own environment. */
    private static boolean fitsFile(String name, String value) {
        return name.matches("[A-Za-z_][A-Za-z0-9_.-]*")
                && value.length() < LONGEST
                && value.indexOf('\n') < 0
                && value.indexOf('\r') < 0;
    }
}
