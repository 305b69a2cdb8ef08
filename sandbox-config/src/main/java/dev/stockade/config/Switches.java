package dev.stockade.config;

import dev.stockade.config.ConfigurationException.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What variables of the caller's environment say. */
final class Switches {

    private static final List<String> ON = List.of("1", "true", "yes", "on", "y", "t", "enable", "enabled");
    private static final List<String> OFF = List.of("", "0", "false", "no", "off", "n", "f", "disable", "disabled");

    private Switches() {}

    static boolean areSet(Map<String, String> environment) {
        return List.of("STOCKADE_SANDBOX", "STOCKADE_FS_RW", "STOCKADE_NETWORK").stream()
                .anyMatch(environment::containsKey);
    }

    /**
     * As entries.
     *
     * @param mode what it would be without them: a switch that is on does not make it weaker
     */
    static List<Entry> entries(Map<String, String> environment, Mode mode, Values values, List<Problem> problems) {
        List<Entry> entries = new ArrayList<>();
        read(environment, "STOCKADE_SANDBOX", problems, text -> {
                    boolean on = isOn(text);
                    return on && mode != Mode.OFF
                            ? List.of()
                            : List.of(entry("mode", on ? "required" : "off", "STOCKADE_SANDBOX", values));
                })
                .ifPresent(entries::addAll);
        read(environment, "STOCKADE_NETWORK", problems, text -> {
                    String word = text.toLowerCase(Locale.ROOT);
                    String network = word.equals("loopback") ? word : isOn(text) ? "on" : "off";
                    return List.of(entry("network", network, "STOCKADE_NETWORK", values));
                })
                .ifPresent(entries::addAll);
        read(environment, "STOCKADE_FS_RW", problems, text -> {
                    List<Entry> writable = new ArrayList<>();
                    for (String path : text.split(":", -1)) {
                        if (!path.isEmpty()) {
                            writable.add(entry("writable", path, "STOCKADE_FS_RW", values));
                        }
                    }
                    return writable;
                })
                .ifPresent(entries::addAll);
        return entries;
    }

    private interface Meaning {
        List<Entry> of(String text) throws Unfit;
    }

    private static Optional<List<Entry>> read(
            Map<String, String> environment, String variable, List<Problem> problems, Meaning meaning) {
        String text = environment.get(variable);
        if (text == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(meaning.of(text.strip()));
        } catch (Unfit unfit) {
            problems.add(new Origin.Named(variable).problem(unfit.message()));
            return Optional.empty();
        }
    }

    private static Entry entry(String key, String value, String variable, Values values) throws Unfit {
        Key known = Key.named(key).orElseThrow();
        return new Entry(known, values.one(known, value), new Origin.Named(variable));
    }

    private static boolean isOn(String text) throws Unfit {
        String word = text.toLowerCase(Locale.ROOT);
        if (ON.contains(word)) {
            return true;
        }
        if (OFF.contains(word)) {
            return false;
        }
        throw new Unfit("must be 1, true, yes or on, or 0, false, no, off or empty");
    }
}
