package dev.stockade.config;

import dev.stockade.api.Backends;
import dev.stockade.api.spi.ProfileProvider;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** The words that are known here: keys, and the names of what is installed. */
final class Vocabulary {

    private final List<String> backends;
    private final Map<String, Key> keys = new TreeMap<>();
    private final SortedSet<String> tables = new TreeSet<>();

    Vocabulary(Backends installed) {
        backends = installed.names();
        List<Key> all = new ArrayList<>(Key.ALL);
        all.add(Key.EXTENDS);
        installed.settings().forEach((name, help) -> all.add(Key.setting(name, help)));
        for (Key key : all) {
            keys.put(key.name(), key);
            if (!key.table().isEmpty()) {
                tables.add(key.table());
            }
        }
    }

    List<String> backends() {
        return backends;
    }

    /** Those that lie in a table of their own included. */
    List<Key> all() {
        return List.copyOf(keys.values());
    }

    Key key(String name) {
        Key key = keys.get(name);
        if (key == null) {
            throw new IllegalArgumentException("there is no key \"" + name + "\"" + Nearest.among(name, keys.keySet()));
        }
        return key;
    }

    /** The tables inside {@code [sandbox]} and inside a profile. */
    SortedSet<String> tables() {
        return Collections.unmodifiableSortedSet(tables);
    }

    /** The keys of {@code [sandbox]} itself, or of a profile itself. */
    SortedSet<String> keys(boolean inProfile) {
        SortedSet<String> known = new TreeSet<>();
        for (Key key : keys.values()) {
            if (key.table().isEmpty() && (inProfile ? key.inProfile() : !key.equals(Key.EXTENDS))) {
                known.add(key.name());
            }
        }
        return known;
    }

    /** The keys of a table inside. */
    SortedSet<String> keysOf(String table) {
        SortedSet<String> known = new TreeSet<>();
        for (Key key : keys.values()) {
            if (key.table().equals(table)) {
                known.add(key.last());
            }
        }
        return known;
    }

    boolean isInstalled(String profile) {
        return installedProfiles().contains(profile);
    }

    static Set<String> installedProfiles() {
        return ProfileProvider.installed().keySet();
    }
}
