package dev.stockade.config;

import dev.stockade.api.Limits;
import dev.stockade.api.Network;
import dev.stockade.api.Profile;
import dev.stockade.api.Profile.Access;
import dev.stockade.api.Profile.Reads;
import dev.stockade.api.Profile.Tmp;
import dev.stockade.config.ConfigurationException.Problem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the sources come to, while it is being put together: a later word replaces an earlier one. */
final class Draft {

    private final List<Problem> problems;
    private final Map<String, Origin> origins = new HashMap<>();
    private final Map<CommandRule, Origin> rules = new LinkedHashMap<>();
    private final List<String> notices = new ArrayList<>();
    private Profile profile;
    private Mode mode = Mode.REQUIRED;
    private Optional<String> backend = Optional.empty();
    private Optional<Duration> timeout = Optional.empty();

    Draft(Profile start, List<Problem> problems) {
        this.profile = start;
        this.problems = problems;
    }

    Profile profile() {
        return profile;
    }

    void profile(Profile replaced) {
        profile = replaced;
    }

    Mode mode() {
        return mode;
    }

    Optional<String> backend() {
        return backend;
    }

    Optional<Duration> timeout() {
        return timeout;
    }

    List<CommandRule> rules() {
        return List.copyOf(rules.keySet());
    }

    Map<CommandRule, Origin> ruleOrigins() {
        return rules;
    }

    List<String> notices() {
        return notices;
    }

    /** Who said something last, by the key, the path, or {@code env NAME}. */
    Optional<Origin> origin(String subject) {
        return Optional.ofNullable(origins.get(subject));
    }

    /** Adds what a trusted source says. */
    void apply(List<Entry> entries) {
        Profile.Builder words = profile.toBuilder();
        List<Entry> carveOuts = new ArrayList<>();
        for (Entry entry : entries) {
            if (entry.key().name().equals("read_only")) {
                carveOuts.add(entry); // What is writable around it may be said further down.
            } else {
                try {
                    apply(entry, words);
                } catch (IllegalArgumentException e) {
                    problems.add(entry.origin().problem(String.valueOf(e.getMessage())));
                }
            }
        }
        profile = words.build();
        keep(carveOuts);
    }

    /** The same once more, now that something weaker has been applied in between; its notices have been given. */
    void again(List<Entry> entries) {
        List<String> given = List.copyOf(notices);
        apply(entries);
        notices.clear();
        notices.addAll(given);
    }

    private void apply(Entry entry, Profile.Builder words) {
        Key key = entry.key();
        switch (key.kind()) {
            case PATHS -> grant(entry, words);
            case VARIABLES -> {
                words.env(entry.text());
                origins.put("env " + entry.text(), entry.origin());
            }
            case COMMANDS, PREFIXES ->
                rules.putIfAbsent(new CommandRule(entry.words(), key.kind() == Key.Kind.PREFIXES), entry.origin());
            default -> {
                one(entry, words);
                origins.put(key.name(), entry.origin());
            }
        }
    }

    private void one(Entry entry, Profile.Builder words) {
        switch (entry.key().name()) {
            case "backend" -> backend = Optional.of(entry.text());
            case "mode" -> mode = entry.word(Mode.class);
            case "timeout" -> timeout = Optional.of(entry.time());
            case "network" -> words.network(entry.word(Network.class));
            case "reads" -> words.reads(entry.word(Reads.class));
            case "tmp" -> words.tmp(entry.word(Tmp.class));
            case "limits.memory", "limits.cpus", "limits.processes" ->
                words.limits(limit(entry, words.build().limits()));
            case "profile", "extends" -> {} // Looked at before anything else.
            default -> words.set(entry.key().name(), entry.text());
        }
    }

    static Limits limit(Entry entry, Limits limits) {
        return switch (entry.key().last()) {
            case "memory" -> limits.memoryBytes(entry.number().longValue());
            case "cpus" -> limits.cpus(entry.number().doubleValue());
            default -> limits.processes(entry.number().intValue());
        };
    }

    private void grant(Entry entry, Profile.Builder words) {
        Access access = access(entry.key());
        Grants.add(words, access, entry.path());
        origins.put(entry.path().toString(), entry.origin());
        if (access != Access.HIDE && !Files.exists(entry.path()) && !takesAway(access, entry.path(), words)) {
            notices.add(entry.origin().text() + ": " + entry.key().name() + " " + entry.path()
                    + " does not exist and is skipped");
        }
    }

    /** Whether a readable path lies in a writable tree; one that does not exist there is refused, not skipped. */
    private static boolean takesAway(Access access, Path path, Profile.Builder words) {
        Path parent = path.getParent();
        return access == Access.READ
                && parent != null
                && words.build().accessTo(parent).equals(Optional.of(Access.WRITE));
    }

    static Access access(Key key) {
        return switch (key.name()) {
            case "readable", "read_only" -> Access.READ;
            case "writable" -> Access.WRITE;
            default -> Access.HIDE;
        };
    }

    private void keep(List<Entry> carveOuts) {
        Profile.Builder words = profile.toBuilder();
        for (Entry entry : carveOuts) {
            Path path = entry.path();
            Optional<Access> now = profile.accessTo(path);
            if (now.equals(Optional.of(Access.WRITE))) {
                words.readable(path);
                origins.put(path.toString(), entry.origin());
            } else if (!now.equals(Optional.of(Access.READ))) {
                notices.add(entry.origin().text() + ": read_only " + path
                        + " lies in nothing writable, so there is nothing to take away");
            }
        }
        profile = words.build();
    }

    /** Replaces what one entry is about, for a source that may only tighten and has been found to do so. */
    void tighten(Entry entry, Profile tighter) {
        profile = tighter;
        origins.put(
                entry.key().kind().isList()
                        ? entry.value().toString()
                        : entry.key().name(),
                entry.origin());
    }

    void tightenMode(Entry entry) {
        mode = entry.word(Mode.class);
        origins.put("mode", entry.origin());
    }

    void tightenTimeout(Entry entry) {
        timeout = Optional.of(entry.time());
        origins.put("timeout", entry.origin());
    }
}
