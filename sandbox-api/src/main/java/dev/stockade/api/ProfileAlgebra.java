package dev.stockade.api;

import dev.stockade.api.Profile.Access;
import dev.stockade.api.Profile.Change;
import dev.stockade.api.Profile.Grant;
import dev.stockade.api.Profile.Reads;
import dev.stockade.api.Profile.Tmp;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Compares what profiles allow.
 *
 * <p>Over paths a profile is a step function: it changes only where a path is named. Two of them are compared, and the
 * lesser of two is made, by looking at every path that either names and at all the rest as one.
 */
final class ProfileAlgebra {

    /**
     * What may be done with a path, as far as a profile alone can tell. What is PERHAPS read only the backend knows:
     * which files make up the operating system, or what it puts in place of the host's {@code /tmp}.
     */
    private enum Level {
        HIDDEN,
        PERHAPS,
        READ,
        WRITE;

        static Level of(Access access) {
            return switch (access) {
                case HIDE -> HIDDEN;
                case READ -> READ;
                case WRITE -> WRITE;
            };
        }

        Optional<Access> access() {
            return switch (this) {
                case HIDDEN -> Optional.of(Access.HIDE);
                case PERHAPS -> Optional.empty();
                case READ -> Optional.of(Access.READ);
                case WRITE -> Optional.of(Access.WRITE);
            };
        }
    }

    /** What a backend may replace or leave out even where all of the host is readable, unless it is named. */
    private static final List<String> WITHHELD = List.of("/tmp", "/var/tmp", "/run", "/dev", "/proc", "/sys");

    private ProfileAlgebra() {}

    /** The step function: the paths where it may change, and what holds there. */
    private record Steps(Set<Path> paths, Function<Path, Level> levels) {

        static Steps of(Profile profile) {
            Set<Path> paths = new TreeSet<>(words(profile).keySet());
            WITHHELD.forEach(
                    place -> paths.add(profile.workspace().getFileSystem().getPath(place)));
            return new Steps(paths, path -> level(profile, path));
        }

        Level at(Path path) {
            return levels.apply(path);
        }

        boolean lessAt(Path path, Steps other) {
            return at(path).compareTo(other.at(path)) <= 0;
        }
    }

    private static Level level(Profile profile, Path path) {
        for (Path at = path; at != null; at = at.getParent()) {
            Optional<Access> named = named(profile, at);
            if (named.isPresent()) {
                return Level.of(named.get());
            }
        }
        if (profile.tmp() == Tmp.SHARED && path.startsWith("/tmp")) {
            return Level.WRITE;
        }
        boolean withheld = WITHHELD.stream().anyMatch(path::startsWith);
        return profile.reads() == Reads.HOST && !withheld ? Level.READ : Level.PERHAPS;
    }

    /** Among the grants, which are sorted. */
    private static Optional<Access> named(Profile profile, Path path) {
        if (path.equals(profile.workspace())) {
            return Optional.of(profile.workspaceAccess());
        }
        List<Grant> grants = profile.grants();
        int low = 0;
        int high = grants.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (grants.get(middle).path().compareTo(path) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low < grants.size() && grants.get(low).path().equals(path)
                ? Optional.of(grants.get(low).access())
                : Optional.empty();
    }

    /** The paths that a profile names, the workspace among them. */
    private static Map<Path, Access> words(Profile profile) {
        Map<Path, Access> words = new TreeMap<>();
        for (Grant grant : profile.grants()) {
            words.put(grant.path(), grant.access());
        }
        words.put(profile.workspace(), profile.workspaceAccess());
        return words;
    }

    static Optional<Access> accessTo(Profile profile, Path path) {
        return level(profile, path.toAbsolutePath().normalize()).access();
    }

    static boolean isAtMost(Profile a, Profile b) {
        return a.network().compareTo(b.network()) <= 0
                && a.tmp().compareTo(b.tmp()) <= 0
                && b.environment().containsAll(a.environment())
                && b.settings().entrySet().containsAll(a.settings().entrySet())
                && isAtMost(a.limits(), b.limits())
                && a.reads().compareTo(b.reads()) <= 0
                && isAtMost(Steps.of(a), Steps.of(b));
    }

    private static boolean isAtMost(Steps a, Steps b) {
        return Stream.concat(a.paths().stream(), b.paths().stream()).allMatch(path -> a.lessAt(path, b));
    }

    static Profile narrow(Profile a, Profile b) {
        Steps stepsA = Steps.of(a);
        Steps stepsB = Steps.of(b);
        if (stepsB.at(a.workspace()).compareTo(Level.READ) < 0) {
            throw new IllegalArgumentException("the workspace " + a.workspace()
                    + " is not readable under the other profile, and a workspace cannot be hidden");
        }
        Profile.Builder less = new Profile.Builder(a.workspace());
        Set<Path> words = new TreeSet<>(words(a).keySet());
        words.addAll(words(b).keySet());
        Set<Path> steps = new TreeSet<>(stepsA.paths());
        steps.addAll(stepsB.paths());
        Map<Path, Level> kept = new HashMap<>();
        for (Path path : steps) {
            Level level = min(stepsA.at(path), stepsB.at(path));
            if (level == Level.PERHAPS && nearest(kept, path).compareTo(level) > 0) {
                // There is no word to go back to PERHAPS below a path that is named.
                kept.put(path, Level.HIDDEN);
                less.grant(Access.HIDE, path);
            } else if (level != Level.PERHAPS && words.contains(path)) {
                kept.put(path, level);
                level.access().ifPresent(access -> less.grant(access, path));
            }
        }
        less.reads(min(a.reads(), b.reads()))
                .network(min(a.network(), b.network()))
                .tmp(min(a.tmp(), b.tmp()));
        a.environment().stream().filter(name -> b.environment().contains(name)).forEach(less::env);
        a.settings().forEach((key, value) -> {
            if (value.equals(b.settings().get(key))) {
                less.set(key, value);
            }
        });
        return less.limits(lesser(a.limits(), b.limits())).build();
    }

    private static Level nearest(Map<Path, Level> kept, Path path) {
        for (Path at = path; at != null; at = at.getParent()) {
            Level level = kept.get(at);
            if (level != null) {
                return level;
            }
        }
        return Level.PERHAPS;
    }

    static List<Change> diff(Profile from, Profile to) {
        Differences all = new Differences(new ArrayList<>());
        Steps before = Steps.of(from);
        Steps after = Steps.of(to);
        all.compare("workspace", from.workspace().toString(), to.workspace().toString(), false);
        all.compareEach("", words(from), words(to), ProfileAlgebra::word, path -> widens(path, before, after));
        all.compare("reads", from.reads(), to.reads());
        all.compare("network", from.network(), to.network());
        all.compare("tmp", from.tmp(), to.tmp());
        all.compareEach(
                "env ",
                named(from),
                named(to),
                word -> word,
                name -> to.environment().contains(name));
        Limits had = from.limits();
        Limits has = to.limits();
        all.compare("limits.memory", word(had.memoryBytes()), word(has.memoryBytes()), memory(has) > memory(had));
        all.compare("limits.cpus", word(had.cpus()), word(has.cpus()), cpus(has) > cpus(had));
        all.compare("limits.processes", word(had.processes()), word(has.processes()), processes(has) > processes(had));
        all.compareEach(
                "",
                from.settings(),
                to.settings(),
                word -> word,
                key -> to.settings().containsKey(key));
        return List.copyOf(all.changes());
    }

    /** A name decides about what would be withheld below it, too. */
    private static boolean widens(Path path, Steps before, Steps after) {
        return Stream.concat(
                        Stream.of(path),
                        WITHHELD.stream().map(path.getFileSystem()::getPath).filter(place -> place.startsWith(path)))
                .anyMatch(step -> !after.lessAt(step, before));
    }

    private static boolean isAtMost(Limits a, Limits b) {
        return memory(a) <= memory(b) && cpus(a) <= cpus(b) && processes(a) <= processes(b);
    }

    private static Limits lesser(Limits a, Limits b) {
        Limits lesser = Limits.NONE;
        if (a.memoryBytes().isPresent() || b.memoryBytes().isPresent()) {
            lesser = lesser.memoryBytes(Math.min(memory(a), memory(b)));
        }
        if (a.cpus().isPresent() || b.cpus().isPresent()) {
            lesser = lesser.cpus(Math.min(cpus(a), cpus(b)));
        }
        if (a.processes().isPresent() || b.processes().isPresent()) {
            lesser = lesser.processes(Math.min(processes(a), processes(b)));
        }
        return lesser;
    }

    private static long memory(Limits limits) {
        return limits.memoryBytes().orElse(Long.MAX_VALUE);
    }

    private static double cpus(Limits limits) {
        return limits.cpus().orElse(Double.POSITIVE_INFINITY);
    }

    private static int processes(Limits limits) {
        return limits.processes().orElse(Integer.MAX_VALUE);
    }

    private static Map<String, String> named(Profile profile) {
        Map<String, String> named = new TreeMap<>();
        profile.environment().forEach(name -> named.put(name, "passed on"));
        return named;
    }

    private static String word(Access access) {
        return switch (access) {
            case HIDE -> "hidden";
            case READ -> "readable";
            case WRITE -> "writable";
        };
    }

    private static String word(OptionalLong ceiling) {
        return ceiling.isPresent() ? Long.toString(ceiling.getAsLong()) : "none";
    }

    private static String word(OptionalDouble ceiling) {
        return ceiling.isPresent() ? Double.toString(ceiling.getAsDouble()) : "none";
    }

    private static String word(OptionalInt ceiling) {
        return ceiling.isPresent() ? Integer.toString(ceiling.getAsInt()) : "none";
    }

    private static <T extends Comparable<? super T>> T min(T a, T b) {
        return a.compareTo(b) <= 0 ? a : b;
    }

    /** Collects what differs. */
    private record Differences(List<Change> changes) {

        void compare(String what, String from, String to, boolean widens) {
            if (!from.equals(to)) {
                changes.add(new Change(what, from, to, widens));
            }
        }

        <E extends Enum<E>> void compare(String what, E from, E to) {
            compare(what, lower(from), lower(to), to.compareTo(from) > 0);
        }

        private static String lower(Enum<?> value) {
            return value.name().toLowerCase(Locale.ROOT);
        }

        <K extends Comparable<? super K>, V> void compareEach(
                String prefix, Map<K, V> from, Map<K, V> to, Function<V, String> text, Predicate<K> widens) {
            Set<K> keys = new TreeSet<>(from.keySet());
            keys.addAll(to.keySet());
            for (K key : keys) {
                V before = from.get(key);
                V after = to.get(key);
                if (!Objects.equals(before, after)) {
                    changes.add(new Change(prefix + key, said(before, text), said(after, text), widens.test(key)));
                }
            }
        }

        private static <V> String said(@Nullable V value, Function<V, String> text) {
            return value == null ? "not named" : text.apply(value);
        }
    }
}
