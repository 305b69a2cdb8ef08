package dev.stockade.api.internal;

import dev.stockade.api.Availability;
import dev.stockade.api.Availability.Unavailable;
import dev.stockade.api.spi.Backend;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The backends there are, and what keeps others from being used.
 *
 * @param backends one a name
 * @param broken why, by the name of what could not be loaded, or that two backends share
 */
public record Discovery(List<Backend> backends, Map<String, Availability> broken) {

    private static final String REMEDY = "Remove its jar, or run the Java version it was made for";

    private static final class Installed {
        static final Services<Backend> OWN = Services.own(Backend.class);
    }

    /** Those that the service loader finds. */
    public static Discovery installed() {
        Services<Backend> services = Services.visible(Backend.class, Installed.OWN);
        Discovery usable = of(services.usable());
        Map<String, Availability> broken = new TreeMap<>(usable.broken());
        for (Throwable failure : services.broken()) {
            broken.put("unloadable-" + (broken.size() + 1), new Unavailable(Services.said(failure), REMEDY));
        }
        return new Discovery(usable.backends(), broken);
    }

    /** Those that are given. Of two with one name neither is used: nobody could say which was meant. */
    public static Discovery of(List<Backend> given) {
        Map<String, List<Backend>> byName = new TreeMap<>();
        Map<String, Availability> broken = new TreeMap<>();
        for (Backend backend : given) {
            try {
                byName.computeIfAbsent(backend.name(), name -> new ArrayList<>())
                        .add(backend);
            } catch (RuntimeException | LinkageError e) {
                broken.put(backend.getClass().getName(), new Unavailable("its name cannot be asked: " + e, REMEDY));
            }
        }
        List<Backend> backends = new ArrayList<>();
        byName.forEach((name, called) -> {
            if (called.size() == 1) {
                backends.add(called.get(0));
            } else {
                String all = called.stream().map(Discovery::origin).collect(Collectors.joining(", "));
                broken.put(
                        name,
                        new Unavailable(
                                "several backends are called " + name + ": " + all, "Remove all but one of them"));
            }
        });
        return new Discovery(List.copyOf(backends), broken);
    }

    private static String origin(Backend backend) {
        var source = backend.getClass().getProtectionDomain().getCodeSource();
        return backend.getClass().getName() + (source == null ? "" : " (" + source.getLocation() + ")");
    }
}
