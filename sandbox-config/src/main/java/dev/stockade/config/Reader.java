package dev.stockade.config;

import dev.stockade.config.ConfigurationException.Problem;
import dev.stockade.config.Origin.InFile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Checks a document against the keys there are. What is wrong is collected, so that all of it can be told at once. */
final class Reader {

    private final InFile root;
    private final Document document;
    private final Values values;
    private final Vocabulary vocabulary;
    private final List<Problem> problems;

    Reader(Document document, Values values, Vocabulary vocabulary, List<Problem> problems) {
        this.document = document;
        this.root = new InFile(document, List.of());
        this.values = values;
        this.vocabulary = vocabulary;
        this.problems = problems;
    }

    Layer read() {
        List<Entry> sandbox = new ArrayList<>();
        Map<String, List<Entry>> profiles = new LinkedHashMap<>();
        document.content().forEach((name, written) -> {
            InFile origin = root.below(name);
            switch (name) {
                case "sandbox" -> sandbox.addAll(table("[sandbox]", false, written, origin));
                case "profiles" -> profiles.putAll(profiles(written, origin));
                default -> problems.add(origin.problem(unknownAtTheTop(name)));
            }
        });
        return new Layer(sandbox, profiles);
    }

    private String unknownAtTheTop(String name) {
        if (vocabulary.keys(false).contains(name) || vocabulary.tables().contains(name)) {
            return "\"" + name + "\" belongs into [sandbox]";
        }
        List<String> known = List.of("profiles", "sandbox");
        return "unknown key \"" + name + "\"" + Nearest.among(name, known);
    }

    private Map<String, List<Entry>> profiles(Object written, InFile origin) {
        Map<String, List<Entry>> profiles = new TreeMap<>();
        if (!(written instanceof Map<?, ?> tables)) {
            problems.add(
                    origin.problem("profiles must be a table, such as [profiles.ci], not " + Values.kind(written)));
            return profiles;
        }
        tables.forEach((key, table) -> {
            String name = String.valueOf(key);
            InFile place = origin.below(name);
            if (!name.matches("[A-Za-z0-9_-]+")) {
                problems.add(place.problem("a profile's name is made of letters, digits, - and _"));
            } else if (vocabulary.isInstalled(name)) {
                problems.add(place.problem("there is an installed profile \"" + name
                        + "\" already; choose another name, and let it extend that one"));
            } else {
                profiles.put(name, table("[profiles." + name + "]", true, table, place));
            }
        });
        return profiles;
    }

    private List<Entry> table(String title, boolean inProfile, Object written, InFile origin) {
        List<Entry> entries = new ArrayList<>();
        if (!(written instanceof Map<?, ?> table)) {
            problems.add(origin.problem(title + " must be a table, not " + Values.kind(written)));
            return entries;
        }
        table.forEach((name, value) -> {
            String key = String.valueOf(name);
            InFile place = origin.below(key);
            if (vocabulary.tables().contains(key)) {
                entries.addAll(inner(title, key, value, place));
            } else if (vocabulary.keys(inProfile).contains(key)) {
                entries.addAll(entries(vocabulary.key(key), value, place));
            } else {
                problems.add(place.problem(unknown(title, key, inProfile)));
            }
        });
        return entries;
    }

    private String unknown(String title, String key, boolean inProfile) {
        if (inProfile && vocabulary.keys(false).contains(key)) {
            return "\"" + key + "\" belongs into [sandbox], not into a profile";
        }
        Set<String> known = new TreeSet<>(vocabulary.keys(inProfile));
        known.addAll(vocabulary.tables());
        return unknown(title, key, known);
    }

    private static String unknown(String title, String key, Set<String> known) {
        return "unknown key \"" + key + "\" in " + title + Nearest.among(key, known);
    }

    /** The limits, or a backend's settings. */
    private List<Entry> inner(String title, String name, Object written, InFile origin) {
        List<Entry> entries = new ArrayList<>();
        String inside = title.substring(0, title.length() - 1) + "." + name + "]";
        if (!(written instanceof Map<?, ?> table)) {
            problems.add(origin.problem(inside + " must be a table, not " + Values.kind(written)));
            return entries;
        }
        Set<String> known = vocabulary.keysOf(name);
        table.forEach((last, value) -> {
            String key = String.valueOf(last);
            InFile place = origin.below(key);
            if (known.contains(key)) {
                entries.addAll(entries(vocabulary.key(name + "." + key), value, place));
            } else {
                problems.add(place.problem(unknown(inside, key, known)));
            }
        });
        return entries;
    }

    private List<Entry> entries(Key key, Object written, InFile origin) {
        if (!key.kind().isList()) {
            return one(key, written, origin);
        }
        if (!(written instanceof List<?> list)) {
            problems.add(origin.problem(Values.wrongType(key, written).message()));
            return List.of();
        }
        if (key.kind().isCommand() && !list.isEmpty() && list.stream().allMatch(String.class::isInstance)) {
            problems.add(origin.problem(
                    key.name() + " must be " + key.kind().text() + ": put each command into brackets of its own"));
            return List.of();
        }
        List<Entry> entries = new ArrayList<>();
        for (int element = 0; element < list.size(); element++) {
            entries.addAll(one(key, list.get(element), origin.below(Integer.toString(element))));
        }
        return entries;
    }

    private List<Entry> one(Key key, Object written, InFile origin) {
        try {
            Object value = values.one(key, written);
            if (key.name().equals("backend") && !vocabulary.backends().contains(value.toString())) {
                throw new Unfit("there is no backend \"" + value + "\""
                        + Nearest.among(value.toString(), vocabulary.backends()));
            }
            return List.of(new Entry(key, value, origin));
        } catch (Unfit unfit) {
            problems.add(origin.problem(unfit.message()));
            return List.of();
        }
    }
}
