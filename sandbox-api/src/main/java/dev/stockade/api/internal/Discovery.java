package dev.stockade.api.internal;

import dev.stockade.api.Availability;
import dev.stockade.api.Availability.Unavailable;
import dev.stockade.api.spi.Backend;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The backends there are, and what keeps others from being used.
 *
 * @param backends one a name
 * @param broken why, by the name of what could not be loaded, or that two backends share
 */
public record Discovery(List<Backend> backends, Map<String, Availability> broken) {

    private static final class Installed {
        static final Discovery FOUND = find();

        private static Discovery find() {
            Services<Backend> services = Services.load(ServiceLoader.load(Backend.class));
            Discovery usable = of(services.usable());
            Map<String, Availability> broken = new TreeMap<>(usable.broken());
            for (Throwable failure : services.broken()) {
                broken.put(
                        "unloadable-" + (broken.size() + 1),
                        new Unavailable(
                                String.valueOf(failure.getMessage()),
                                "Remove its jar, or run the Java version it was made for"));
            }
            return new Discovery(usable.backends(), broken);
        }
    }

    /** Those that the service loader finds; looked for once. */
    public static Discovery installed() {
        return Installed.FOUND;
    }

    /** Those that are given. Of two with one name neither is used: nobody could say which was meant. */
    public static Discovery of(List<Backend> given) {
        Map<String, List<Backend>> byName =
                given.stream().collect(Collectors.groupingBy(Backend::name, TreeMap::new, Collectors.toList()));
        List<Backend> backends = new ArrayList<>();
        Map<String, Availability> broken = new TreeMap<>();
        byName.forEach((name, called) -> {
            if (called.size() == 1) {
                backends.add(called.get(0));
            } else {
                broken.put(
                        name,
                        new Unavailable(
                                "several backends are called " + name + ": "
                                        + called.stream().map(Discovery::origin).collect(Collectors.joining(", ")),
                                "Remove all but one of them"));
            }
        });
        return new Discovery(List.copyOf(backends), broken);
    }

    private static String origin(Backend backend) {
        var source = backend.getClass().getProtectionDomain().getCodeSource();
        return backend.getClass().getName() + (source == null ? "" : " (" + source.getLocation() + ")");
    }
}
