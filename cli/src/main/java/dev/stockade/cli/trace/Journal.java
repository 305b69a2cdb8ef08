package dev.stockade.cli.trace;

import dev.stockade.cli.trace.Event.Call;
import dev.stockade.cli.trace.Event.Ended;
import dev.stockade.cli.trace.PathCalls.Use;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Follows a command's processes through the log and keeps what they were refused: what fails here and would not fail on
 * the host. Thread-safe.
 */
public final class Journal {

    /** More different things than anybody reads; a command that is refused more is not helped by the rest. */
    private static final int MOST = 10_000;

    private record Key(TracedProcess process, Operation operation, Target target) {}

    private static final class Seen {
        private int times;
        private int elsewhere;
        private boolean upwards;
        private boolean walks = true;
        private Path around = Path.of("");
        private boolean creates;
        private long last;
        private String error = "";
        private String program = "";
    }

    private final StraceLog log = new StraceLog();
    private final Sockets sockets = new Sockets();
    private final Path workspace;
    private final Path start;
    private final Predicate<Attempt> refused;
    private final Map<Integer, TracedProcess> tasks = new HashMap<>();
    private final Map<Key, Seen> seen = new LinkedHashMap<>();
    private final Map<TracedProcess, List<Seen>> searching = new HashMap<>();
    private long clock;

    /**
     * Begins with the first process.
     *
     * @param workspace the command's
     * @param start the directory it starts in
     * @param host what would happen outside
     */
    public Journal(Path workspace, Path start, HostView host) {
        this(workspace, start, host::refuses);
    }

    Journal(Path workspace, Path start, Predicate<Attempt> refused) {
        this.workspace = workspace;
        this.start = start;
        this.refused = refused;
    }

    /**
     * Reads a log to its end.
     *
     * @param in what strace writes
     * @throws IOException if it cannot be read
     */
    public void read(InputStream in) throws IOException {
        log.read(in, this::add);
    }

    synchronized void add(Event event) {
        clock++;
        TracedProcess process = tasks.computeIfAbsent(event.task(), unknown -> new TracedProcess("", start));
        switch (event) {
            case Ended ended -> {
                process.status = Math.max(process.status, ended.status());
                if (process.isMade) {
                    tasks.remove(ended.task()); // The number may be given to another one.
                }
            }
            case Call call -> add(process, call);
        }
    }

    private void add(TracedProcess process, Call call) {
        if (call.succeeded()) {
            follow(process, call);
        }
        sockets.attempt(process, call).ifPresent(attempt -> note(process, attempt));
        for (Use use : PathCalls.of(call)) {
            path(process, call, use).ifPresent(path -> file(process, call, use, path));
        }
    }

    private void follow(TracedProcess process, Call call) {
        switch (call.name()) {
            case "fork", "vfork", "clone", "clone3" -> child(process, call);
            case "execve", "execveat" ->
                path(process, call, PathCalls.of(call).get(0))
                        .map(Path::getFileName)
                        .ifPresent(name -> process.program = name.toString());
            case "chdir" -> path(process, call, PathCalls.of(call).get(0)).ifPresent(to -> process.directory = to);
            case "fchdir" ->
                StraceLog.pathOf(call.argument(0)).flatMap(Journal::path).ifPresent(to -> process.directory = to);
            default -> {}
        }
    }

    /** clone(2): returns the number of the new task, a thread if it was asked for with CLONE_THREAD. */
    private void child(TracedProcess process, Call call) {
        int end = call.result().indexOf(' ');
        String number = end < 0 ? call.result() : call.result().substring(0, end);
        if (!number.matches("[1-9]\\d{0,8}")) {
            return;
        }
        int task = Integer.parseInt(number);
        boolean thread = call.arguments().stream().anyMatch(argument -> argument.contains("CLONE_THREAD"));
        Optional<TracedProcess> seenBefore =
                Optional.ofNullable(tasks.get(task)).filter(known -> !known.isMade);
        TracedProcess made = seenBefore.orElseGet(() -> new TracedProcess("", start));
        made.isMade = true;
        if (thread) {
            made.threadOf = Optional.of(process);
            tasks.put(task, process);
            return;
        }
        made.program = made.program.isEmpty() ? process.program : made.program;
        made.directory = made.directory.equals(start) ? process.directory : made.directory;
        tasks.put(task, made);
    }

    private static Optional<Path> path(TracedProcess process, Call call, Use use) {
        Optional<String> written = StraceLog.text(call.argument(use.path())).filter(text -> !text.isEmpty());
        Path from = StraceLog.pathOf(use.from(call)).flatMap(Journal::path).orElse(process.directory);
        return written.flatMap(Journal::path).map(path -> from.resolve(path).normalize());
    }

    private static Optional<Path> path(String text) {
        try {
            return Optional.of(Path.of(text));
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }

    private void file(TracedProcess process, Call call, Use use, Path path) {
        boolean walks = use.walks(call);
        if (call.succeeded()) {
            if (!walks && use.operation() == Operation.READ) {
                process.named.add(path);
            }
            if (process.looksForAgain(path)) {
                searching(process).forEach(each -> each.elsewhere++);
            }
            searching(process).clear();
            return;
        }
        Attempt attempt = new Attempt(use.operation(), new Target.File(path), use.creates(), call.error());
        boolean upwards = isUpwards(process, path);
        process.missed.add(path);
        if (!process.looksForAgain(path)) {
            searching(process).clear();
        }
        process.searchedName = Optional.ofNullable(path.getFileName());
        note(process, attempt).ifPresent(each -> {
            each.upwards |= upwards;
            each.walks &= walks;
            each.around = around(process, path);
            searching(process).add(each);
        });
    }

    /**
     * What the command itself named on the way down: it asked for {@code other} and {@code other/.git} before it was
     * refused {@code other/.git/HEAD}. Where looking up is free (Landlock) this is what it is about.
     */
    private static Path around(TracedProcess process, Path path) {
        Path around = path;
        while (around.getParent() != null && process.named.contains(around.getParent())) {
            around = around.getParent();
        }
        return around;
    }

    /** The last few refusals, as long as it goes on to look for a file of the same name. */
    private List<Seen> searching(TracedProcess process) {
        return searching.computeIfAbsent(process, begun -> new ArrayList<>());
    }

    /**
     * Whether the same was looked for one directory further down before, on the way from the workspace to the root: as
     * git does for {@code .git}, and node for {@code node_modules}.
     */
    private boolean isUpwards(TracedProcess process, Path path) {
        for (Path inner = workspace; inner.getParent() != null; inner = inner.getParent()) {
            Path outer = inner.getParent();
            if (path.startsWith(outer) && !path.startsWith(inner)) {
                return process.missed.contains(inner.resolve(outer.relativize(path)));
            }
        }
        return false;
    }

    private Optional<Seen> note(TracedProcess process, Attempt attempt) {
        if (!refused.test(attempt)) {
            return Optional.empty();
        }
        Key key = new Key(process, attempt.operation(), attempt.target());
        Seen known = seen.get(key);
        if (known == null) {
            if (seen.size() == MOST) {
                return Optional.empty();
            }
            known = new Seen();
            seen.put(key, known);
        }
        known.times++;
        known.last = clock;
        known.error = attempt.error();
        known.creates |= attempt.creates();
        known.program = process.program.isEmpty() ? known.program : process.program;
        return Optional.of(known);
    }

    /**
     * What was refused so far.
     *
     * @return the last one first
     */
    public synchronized List<Refusal> refusals() {
        Map<String, Refusal> all = new LinkedHashMap<>();
        seen.forEach((key, one) -> {
            String what = key.operation() + " " + key.target();
            all.merge(what, refusal(key, one), Journal::together);
        });
        List<Refusal> sorted = new ArrayList<>(all.values());
        sorted.sort(Comparator.comparingLong(Refusal::last).reversed());
        return sorted;
    }

    private Refusal refusal(Key key, Seen one) {
        return new Refusal(
                key.operation(),
                key.target(),
                one.around,
                one.creates,
                one.error,
                one.times,
                Stream.of(one.program, key.process().name())
                        .filter(name -> !name.isEmpty())
                        .limit(1)
                        .toList(),
                one.last,
                aside(key, one));
    }

    private String aside(Key key, Seen one) {
        if (one.elsewhere == one.times) {
            return "the next place that was tried had it";
        }
        if (one.upwards) {
            return "it was looked for in every directory on the way up";
        }
        if (one.walks && isAboveAnother(key)) {
            return "it was only passed on the way to something below it";
        }
        return key.process().failed() ? "" : "its process succeeded all the same";
    }

    private boolean isAboveAnother(Key key) {
        return key.target() instanceof Target.File above
                && seen.entrySet().stream()
                        .anyMatch(entry -> !entry.getValue().walks
                                && entry.getKey().target() instanceof Target.File below
                                && !below.path().equals(above.path())
                                && below.path().startsWith(above.path()));
    }

    /** Of two processes the one that may have failed for it counts. */
    private static Refusal together(Refusal one, Refusal other) {
        TreeSet<String> programs = new TreeSet<>(one.programs());
        programs.addAll(other.programs());
        Refusal last = one.last() > other.last() ? one : other;
        Refusal worse = one.aside().isEmpty() == other.aside().isEmpty()
                ? last
                : one.aside().isEmpty() ? one : other;
        return new Refusal(
                one.operation(),
                one.target(),
                worse.around(),
                one.creates() || other.creates(),
                worse.error(),
                one.times() + other.times(),
                List.copyOf(programs),
                worse.last(),
                worse.aside());
    }

    /**
     * Whether a command was traced at all.
     *
     * @return false if strace could not
     */
    public synchronized boolean sawAnything() {
        return clock > 0;
    }
}
