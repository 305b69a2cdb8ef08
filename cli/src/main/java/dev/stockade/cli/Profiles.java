package dev.stockade.cli;

import dev.stockade.api.spi.Host;
import dev.stockade.config.Configuration;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * {@code stockade profiles}.
 *
 * @param json whether a program reads the answer
 * @param host this machine
 */
record Profiles(boolean json, Host host) implements Action {

    private static final int SECOND = 16;

    @Override
    public int perform(Console console) {
        Map<String, String> names = names();
        if (json) {
            List<Object> all = new ArrayList<>();
            names.forEach((name, about) -> all.add(Map.of("name", name, "about", about)));
            console.out().print(Json.text(all));
        } else {
            names.forEach((name, about) -> console.out().print(Paragraph.row(name, about, SECOND)));
        }
        return 0;
    }

    /** Those that are installed, and those of the configuration files that count here. */
    private Map<String, String> names() {
        try {
            return Configuration.of(Path.of("").toAbsolutePath(), host).profiles();
        } catch (IllegalArgumentException e) {
            throw new UsageException(e.getMessage() + "; ask from the directory of a project", e);
        }
    }
}
