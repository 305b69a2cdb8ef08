package dev.stockade.api;

import dev.stockade.api.LaunchException.Phase;
import dev.stockade.api.internal.Discovery;
import dev.stockade.api.internal.InheritedStreams;
import dev.stockade.api.internal.LocalHost;
import dev.stockade.api.internal.OpenConfinement;
import dev.stockade.api.internal.OwnBoundary;
import dev.stockade.api.internal.Resolution;
import dev.stockade.api.spi.Assessment;
import dev.stockade.api.spi.Assessment.Refusal;
import dev.stockade.api.spi.Backend;
import dev.stockade.api.spi.Host;
import dev.stockade.api.spi.Launch;
import dev.stockade.api.spi.Planner;
import dev.stockade.api.spi.Planner.Purpose;
import dev.stockade.api.spi.Planner.Start;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A set of backends to choose from: those installed, or a list of one's own. Immutable and thread-safe.
 *
 * <p>The choice is deterministic. Of the backends that may be chosen without being named, are available and refuse
 * nothing, the one that closes most wins; then the one that starts cheaper; then the name decides.
 */
public final class Backends {

    /**
     * What one backend says about one profile.
     *
     * @param backend its name
     * @param availability whether it works here
     * @param refused what it cannot hold; of no meaning where it is not available
     * @param claimed what the backend itself says that a command could still do; {@link Capabilities#EVERYTHING} where
     *     it is not available
     * @param capabilities what a command could still do: as claimed, and what the profile itself opens
     */
    public record Verdict(
            String backend,
            Availability availability,
            List<Refusal> refused,
            Capabilities claimed,
            Capabilities capabilities) {

        /**
         * Copies what it is given.
         *
         * @param backend its name
         * @param availability whether it works here
         * @param refused what it cannot hold
         * @param claimed what the backend itself says that a command could still do
         * @param capabilities what a command could still do
         */
        public Verdict {
            refused = List.copyOf(refused);
        }

        /**
         * Whether it could be opened.
         *
         * @return available, and nothing refused
         */
        public boolean holds() {
            return availability.isAvailable() && refused.isEmpty();
        }
    }

    /**
     * A boundary around the JVM that asks.
     *
     * @param backend what holds it
     * @param capabilities what this JVM, and all it starts, can still do
     * @param notices what was skipped, added or not proven: sentences for people
     */
    public record Boundary(String backend, Capabilities capabilities, List<String> notices) {

        /**
         * Copies what it is given.
         *
         * @param backend what holds it
         * @param capabilities what stays possible
         * @param notices sentences for people
         */
        public Boundary {
            notices = List.copyOf(notices);
        }
    }

    private static final String REPORT = "Report it to those who made this backend";

    /** What a command could do that can do nothing. */
    private static final Capabilities NOTHING = nothing();

    private static Capabilities nothing() {
        Capabilities all = Capabilities.EVERYTHING;
        for (Reach reach : Reach.values()) {
            all = all.closing(reach, "closed");
        }
        return all;
    }

    private final Discovery found;
    private final Host host;
    private final Optional<String> only;
    private final boolean partial;
    private final List<String> remarks;

    private Backends(Discovery found, Host host, Optional<String> only, boolean partial, List<String> remarks) {
        this.found = found;
        this.host = host;
        this.only = only;
        this.partial = partial;
        this.remarks = List.copyOf(remarks);
    }

    /**
     * Those that {@link java.util.ServiceLoader} finds. One that cannot be loaded is reported as not available and
     * keeps no other from being found.
     *
     * @return the installed backends
     */
    public static Backends installed() {
        return new Backends(Discovery.installed(), LocalHost.INSTANCE, Optional.empty(), false, List.of());
    }

    /**
     * Those that are given.
     *
     * @param backends with names of their own; two of one name are both unavailable
     * @return the backends
     */
    public static Backends of(Backend... backends) {
        return new Backends(Discovery.of(List.of(backends)), LocalHost.INSTANCE, Optional.empty(), false, List.of());
    }

    /**
     * Chooses one by its name. The one way to a backend that must be named, such as {@code none}.
     *
     * @param name the name
     * @return the same backends, of which only this one may be chosen
     * @throws NoBackendException if there is none of that name; the message lists those that there are
     */
    public Backends only(String name) {
        if (!names().contains(name)) {
            if (found.broken().get(name) instanceof Availability.Unavailable none) {
                throw new NoBackendException(none.reason() + ". " + none.remedy(), List.of());
            }
            String installed = names().isEmpty() ? "none is installed" : "installed are " + String.join(", ", names());
            throw new NoBackendException("there is no backend \"" + name + "\"; " + installed, List.of());
        }
        return new Backends(found, host, Optional.of(name), partial, remarks);
    }

    /**
     * Accepts that {@link Network#OFF} is held only in part. The capabilities then say what stays open.
     *
     * @return the same backends, with that consent
     */
    public Backends partial() {
        return new Backends(found, host, only, true, remarks);
    }

    /**
     * Gives the sandboxes opened from these a notice of the caller's, such as that nothing is confined by choice.
     *
     * @param notice a sentence for people
     * @return the same backends, with that notice
     */
    public Backends noting(String notice) {
        List<String> more = new ArrayList<>(remarks);
        more.add(notice);
        return new Backends(found, host, only, partial, more);
    }

    /**
     * The names that can be chosen.
     *
     * @return sorted
     */
    public List<String> names() {
        return found.backends().stream().map(Backend::name).sorted().toList();
    }

    /**
     * Those that may be chosen without being named.
     *
     * @return their names, sorted; whether they work here is another question
     */
    public List<String> automatic() {
        return found.backends().stream()
                .filter(Backend::automatic)
                .map(Backend::name)
                .sorted()
                .toList();
    }

    /**
     * The settings that each backend understands.
     *
     * @return a sentence of help by {@code backend.key}
     */
    public Map<String, String> settings() {
        Map<String, String> all = new LinkedHashMap<>();
        for (Backend backend : found.backends()) {
            backend.settings().forEach((key, help) -> all.put(backend.name() + "." + key, help));
        }
        return all;
    }

    /**
     * Whether each works here. Starts at most one short process a backend.
     *
     * @return by name; what could not be loaded stands under its class, or a number where not even that is known
     */
    public Map<String, Availability> availability() {
        Map<String, Availability> all = new LinkedHashMap<>();
        found.backends().stream()
                .sorted(Comparator.comparing(Backend::name))
                .forEach(backend -> all.put(backend.name(), availability(backend)));
        all.putAll(found.broken());
        return all;
    }

    /**
     * What each backend says about a profile. Starts no command.
     *
     * @param profile the profile
     * @return one verdict a backend, the one that would be chosen first
     */
    public List<Verdict> verdicts(Profile profile) {
        Resolution resolution = Resolution.of(profile);
        Stream<Verdict> judged = ranked(resolution).stream().map(Ranked::verdict);
        Stream<Verdict> broken =
                found.broken().entrySet().stream().map(entry -> unavailable(entry.getKey(), entry.getValue()));
        return Stream.concat(judged, broken).toList();
    }

    /**
     * What would be skipped or added, were this profile opened.
     *
     * @param profile the profile
     * @return sentences for people
     */
    public List<String> notices(Profile profile) {
        return notices(Resolution.of(profile));
    }

    private List<String> notices(Resolution resolution) {
        List<String> notices = new ArrayList<>(resolution.notices());
        resolution.profile().settings().keySet().stream()
                .filter(key -> found.backends().stream().noneMatch(backend -> key.startsWith(backend.name() + ".")))
                .forEach(key -> notices.add(key + " has no effect: no backend of that name is installed"));
        return notices;
    }

    /**
     * Opens a sandbox: chooses a backend, prepares it and proves it by a trial command that tries what is claimed to
     * be closed. A backend that does not start gives way to the next one that holds the same profile, with a notice;
     * one that starts but does not hold what it claims ends the opening.
     *
     * @param profile what commands may touch
     * @return the sandbox, proven
     * @throws NoBackendException if no backend works here
     * @throws ProfileNotSupportedException if none of those that may be chosen can hold the profile
     * @throws LaunchException if the chosen one does not work, or does not hold
     */
    public Sandbox open(Profile profile) {
        return open(profile, Optional.empty());
    }

    Sandbox open(Profile profile, Optional<Sandbox> root) {
        Resolution resolution = Resolution.of(profile);
        List<String> notices = new ArrayList<>(remarks);
        notices.addAll(notices(resolution));
        Optional<LaunchException> last = Optional.empty();
        Choice choice = new Choice(resolution);
        for (Optional<Ranked> next = choice.next(); next.isPresent(); next = choice.next()) {
            Ranked candidate = next.get();
            try {
                OpenConfinement opened = OpenConfinement.proven(
                        candidate.backend(),
                        resolution.profile(),
                        candidate.verdict().claimed(),
                        host);
                notices.addAll(opened.notices());
                return new Sandbox(
                        this,
                        profile,
                        candidate.backend().name(),
                        candidate.verdict().capabilities(),
                        notices,
                        opened.confinement(),
                        root);
            } catch (LaunchException e) {
                if (e.phase() == Phase.PROVE || only.isPresent()) {
                    throw e;
                }
                notices.add(candidate.backend().name() + " was passed over: " + e.getMessage());
                last = Optional.of(e);
            }
        }
        throw last.<SandboxException>map(e -> e).orElseGet(() -> nobody(verdicts(profile)));
    }

    /**
     * Replaces this process by a confined command: same pid, same terminal. The claims are tried by a prologue in
     * front of the command, so nothing runs if they do not stand (the status is then 125). Returns, with nothing
     * started, where this cannot be done: no spawner is installed, or the command has a time limit or input, or the
     * backend has to supervise it. {@link #open} then does.
     *
     * @param profile what the command may touch
     * @param command what to become
     * @throws NoBackendException if no backend works here
     * @throws ProfileNotSupportedException if none of those that may be chosen can hold the profile
     * @throws LaunchException if it fails half-way: report and end, the calling thread may be confined already
     */
    public void become(Profile profile, Command command) {
        Resolution resolution = Resolution.of(profile);
        Ranked chosen = chosen(profile, resolution);
        Command placed = Sandbox.placed(command, profile);
        new InheritedStreams().require(placed, chosen.verdict().capabilities());
        OpenConfinement.become(
                chosen.backend(), resolution.profile(), chosen.verdict().claimed(), host, placed);
    }

    /**
     * Confines this JVM itself: every thread, and whatever it starts from now on, for good. Of the backends that can do
     * this and refuse nothing, the one that disturbs a start least is taken.
     *
     * <p>Call it first in {@code main}: where the kernel cannot confine all threads at once, this JVM is started again in
     * place, with the same command line, variables, terminal and (but for {@code bwrap}) pid, and then comes here once
     * more. That second start finds the boundary, tries it, and goes on. So what was done before is done twice; it has
     * to ask for the same profile both times. Descriptors above 2 are closed in between, but for those of socket
     * activation and those that an argument names, such as {@code /dev/fd/63}. Descriptors 0 to 2 stay what they are.
     *
     * <p>The environment stays as it is, whatever the profile names: this process has read it already. A later call can
     * only tighten. Not affected: processes that were started before, which is why there may be none.
     *
     * @param profile what this JVM may touch
     * @return the boundary
     * @throws NoBackendException if no backend works here
     * @throws ProfileNotSupportedException if none of those that may be chosen can hold the profile around a JVM
     * @throws LaunchException if it cannot be drawn or does not hold, if this JVM cannot be started again (its command
     *     line is not to be found, standard input was read already, processes or sandboxes are open), or if the call
     *     would widen an earlier one. Unless all of that can be mended: report and end, never go on
     */
    public Boundary confineThisJvm(Profile profile) {
        Resolution resolution = Resolution.of(profile);
        return OwnBoundary.confine(profile, resolution.profile(), host, new OwnBoundary.Choice() {
            @Override
            public Optional<Backend> named(String name) {
                return found.backends().stream()
                        .filter(backend -> backend.name().equals(name))
                        .findFirst();
            }

            @Override
            public OwnBoundary.Chosen choose() {
                List<Ranked> ranked = aroundJvm(resolution);
                Ranked chosen = ranked.stream()
                        .filter(Backends.this::mayBeChosen)
                        .findFirst()
                        .orElseThrow(() ->
                                nobody(ranked.stream().map(Ranked::verdict).toList()));
                List<String> notices = new ArrayList<>(remarks);
                notices.addAll(notices(resolution));
                String name = chosen.backend().name();
                Boundary boundary = new Boundary(name, chosen.verdict().capabilities(), notices);
                return new OwnBoundary.Chosen(chosen.backend(), boundary);
            }
        });
    }

    /** The process stays what it was with the one that starts cheapest, whatever another one closes besides. */
    private List<Ranked> aroundJvm(Resolution resolution) {
        return ranked(
                resolution,
                Backends::assessmentOfJvm,
                Comparator.comparing((Ranked r) -> !mayBeChosen(r))
                        .thenComparing(r -> r.backend().startCost()));
    }

    private static Assessment assessmentOfJvm(Backend backend, Profile profile, Host host) {
        return backend.jvmBoundary()
                .map(boundary -> boundary.assess(profile, host))
                .orElseGet(() -> new Assessment(
                        List.of(new Refusal("this JVM", backend.name() + " cannot confine a JVM that runs already")),
                        Capabilities.EVERYTHING));
    }

    /**
     * What the chosen backend would execute, as a handed-over command, to be read by people. Starts nothing and leaves
     * nothing behind.
     *
     * @param profile what the command may touch
     * @param command what would be started
     * @return the plan, without the proof that goes in front of the command; empty if that backend does not plan
     * @throws NoBackendException if no backend works here
     * @throws ProfileNotSupportedException if none of those that may be chosen can hold the profile
     * @throws LaunchException if the command cannot be found or executed
     */
    public Optional<Launch> plan(Profile profile, Command command) {
        Resolution resolution = Resolution.of(profile);
        Backend chosen = chosen(profile, resolution).backend();
        if (!(chosen instanceof Planner planner)) {
            return Optional.empty();
        }
        Path nowhere = Path.of(System.getProperty("java.io.tmpdir"), "stockade-scratch");
        Start start = new Start(nowhere, Optional.empty(), Purpose.HANDED_OVER);
        return Optional.of(planner.prepare(resolution.profile(), host).launch(Sandbox.placed(command, profile), start));
    }

    private Ranked chosen(Profile profile, Resolution resolution) {
        return new Choice(resolution).next().orElseThrow(() -> nobody(verdicts(profile)));
    }

    private record Ranked(Backend backend, Verdict verdict) {}

    // Written out: the lambdas of Comparator.comparing are serializable, which keeps them out of a JVM's AOT cache.
    private static final Comparator<Backend> CHEAPEST = (one, other) -> {
        int cost = one.startCost().compareTo(other.startCost());
        return cost != 0 ? cost : one.name().compareTo(other.name());
    };

    private static final Comparator<Ranked> STRONGEST = (one, other) -> {
        int closed = Long.compare(
                closed(other.verdict().capabilities()), closed(one.verdict().capabilities()));
        return closed != 0 ? closed : CHEAPEST.compare(one.backend(), other.backend());
    };

    /**
     * Those that may be chosen, the strongest first. To ask a backend may start a process, so no more are asked than
     * it takes to know which comes next: the cheapest first, and none after one that closes all that can be closed.
     */
    private final class Choice {

        private final Resolution resolution;
        private final long most;
        private final Deque<Backend> unasked = new ArrayDeque<>();
        private final PriorityQueue<Ranked> asked = new PriorityQueue<>(STRONGEST);

        Choice(Resolution resolution) {
            this.resolution = resolution;
            most = closed(openedBy(resolution.profile(), NOTHING));
            found.backends().stream()
                    .filter(Backends.this::mayBeAsked)
                    .sorted(CHEAPEST)
                    .forEach(unasked::add);
        }

        Optional<Ranked> next() {
            while (!unasked.isEmpty()
                    && (asked.isEmpty() || closed(asked.peek().verdict().capabilities()) < most)) {
                Ranked judged = judged(unasked.remove(), resolution, Backend::assess);
                if (judged.verdict().holds()) {
                    asked.add(judged);
                }
            }
            return Optional.ofNullable(asked.poll());
        }
    }

    private static Verdict unavailable(String backend, Availability why) {
        return new Verdict(backend, why, List.of(), Capabilities.EVERYTHING, Capabilities.EVERYTHING);
    }

    /** What a backend says about holding a profile around something. */
    private interface Assessor {
        Assessment assess(Backend backend, Profile profile, Host host);
    }

    private List<Ranked> ranked(Resolution resolution) {
        return ranked(resolution, Backend::assess, Comparator.comparing((Ranked r) -> !mayBeChosen(r)));
    }

    private List<Ranked> ranked(Resolution resolution, Assessor assessor, Comparator<Ranked> first) {
        Comparator<Ranked> order = first.thenComparing(STRONGEST);
        return found.backends().stream()
                .map(backend -> judged(backend, resolution, assessor))
                .sorted(order)
                .toList();
    }

    private boolean mayBeChosen(Ranked candidate) {
        return mayBeAsked(candidate.backend()) && candidate.verdict().holds();
    }

    private boolean mayBeAsked(Backend backend) {
        return only.map(backend.name()::equals).orElse(backend.automatic());
    }

    private static long closed(Capabilities capabilities) {
        return Stream.of(Reach.values())
                .filter(reach -> !capabilities.can(reach))
                .count();
    }

    private Ranked judged(Backend backend, Resolution resolution, Assessor assessor) {
        Availability availability = availability(backend);
        if (!availability.isAvailable()) {
            return new Ranked(backend, unavailable(backend.name(), availability));
        }
        Profile profile = resolution.profile();
        List<Refusal> refused = new ArrayList<>(resolution.refused());
        refused.addAll(unknownSettings(backend, profile));
        Assessment assessment = assessment(backend, profile, assessor);
        refused.addAll(assessment.refused());
        Capabilities capabilities = openedBy(profile, assessment.capabilities());
        partly(backend, profile, assessment.capabilities(), capabilities)
                .filter(network -> refused.stream().noneMatch(part -> part.key().equals(network.key())))
                .ifPresent(refused::add);
        Verdict verdict = new Verdict(backend.name(), availability, refused, assessment.capabilities(), capabilities);
        return new Ranked(backend, verdict);
    }

    /** That the network is off, but not quite, has to be agreed to. */
    private Optional<Refusal> partly(Backend backend, Profile profile, Capabilities claims, Capabilities capabilities) {
        // To name a backend that closes nothing at all is consent, too; one that names itself has nobody's.
        boolean named = only.isPresent() || !backend.automatic();
        boolean agreed = partial || (closed(claims) == 0 && named);
        if (agreed || profile.network() != Network.OFF || !capabilities.canReachNetwork()) {
            return Optional.empty();
        }
        Reach open = Stream.of(Reach.SEND_OFF_MACHINE, Reach.HOST_LOOPBACK, Reach.HOST_UNIX_SOCKETS)
                .filter(capabilities::can)
                .findFirst()
                .orElseThrow();
        return Optional.of(new Refusal(
                "network",
                "off is held only in part here: the command can still " + open.phrase() + " ("
                        + capabilities.reason(open) + "). To accept that, ask for partial"));
    }

    /** A backend that breaks its promise never to throw keeps no other from being used. */
    private Availability availability(Backend backend) {
        try {
            return backend.availability(host);
        } catch (RuntimeException | LinkageError e) {
            return new Availability.Unavailable("it broke when it was asked: " + e, REPORT);
        }
    }

    private Assessment assessment(Backend backend, Profile profile, Assessor assessor) {
        try {
            return assessor.assess(backend, profile, host);
        } catch (RuntimeException | LinkageError e) {
            Refusal all = new Refusal("backend", "it broke when it was asked: " + e + ". " + REPORT);
            return new Assessment(List.of(all), Capabilities.EVERYTHING);
        }
    }

    private static List<Refusal> unknownSettings(Backend backend, Profile profile) {
        String prefix = backend.name() + ".";
        return profile.settings().keySet().stream()
                .filter(key ->
                        key.startsWith(prefix) && !backend.settings().containsKey(key.substring(prefix.length())))
                .map(key -> new Refusal(
                        key,
                        "there is no such setting; "
                                + (backend.settings().isEmpty()
                                        ? backend.name() + " has none"
                                        : "known are "
                                                + String.join(
                                                        ", ", backend.settings().keySet()))))
                .toList();
    }

    /** What the profile itself opens, so that no backend can claim otherwise. */
    private static Capabilities openedBy(Profile profile, Capabilities claimed) {
        Capabilities all = claimed;
        if (claimed.can(Reach.HOST_UNIX_SOCKETS)) {
            // A tmux, D-Bus or docker socket does whatever its peer asks: no file rule stands behind it.
            String relayed = "a host program asked through its Unix socket may do it for the command";
            for (Reach reach : List.of(Reach.READ_BEYOND, Reach.WRITE_BEYOND, Reach.METADATA_BEYOND)) {
                all = claimed.can(reach) ? all : all.opening(reach, relayed);
            }
        }
        if (profile.network() == Network.ON) {
            all = all.opening(Reach.SEND_OFF_MACHINE, "the profile turns the network on");
        }
        if (profile.tmp() == Profile.Tmp.SHARED) {
            all = all.opening(Reach.SHARED_TMP, "the profile shares /tmp");
        }
        String writable = beyond(profile, access -> access == Profile.Access.WRITE);
        if (!writable.isEmpty()) {
            all = all.opening(Reach.WRITE_BEYOND, "the profile makes " + writable + " writable");
        }
        if (profile.reads() == Profile.Reads.HOST) {
            return all.opening(Reach.READ_BEYOND, "the profile lets all of the host be read, less what it hides");
        }
        String granted = beyond(profile, access -> access != Profile.Access.HIDE);
        return granted.isEmpty() ? all : all.opening(Reach.READ_BEYOND, "the profile grants " + granted);
    }

    private static String beyond(Profile profile, Predicate<Profile.Access> access) {
        return profile.grants().stream()
                .filter(grant -> access.test(grant.access()) && !grant.path().startsWith(profile.workspace()))
                .map(grant -> grant.path().toString())
                .collect(Collectors.joining(", "));
    }

    private SandboxException nobody(List<Verdict> verdicts) {
        List<Verdict> asked = verdicts.stream()
                .filter(verdict -> only.map(verdict.backend()::equals)
                        .orElseGet(() -> found.backends().stream()
                                .noneMatch(
                                        backend -> backend.name().equals(verdict.backend()) && !backend.automatic())))
                .toList();
        boolean works =
                asked.stream().anyMatch(verdict -> verdict.availability().isAvailable());
        String said = asked.stream().map(Backends::line).collect(Collectors.joining("\n"));
        String others = verdicts.stream()
                .filter(verdict -> only.isPresent() && !asked.contains(verdict) && verdict.holds())
                .filter(verdict -> closed(verdict.capabilities()) > 0)
                .map(Verdict::backend)
                .collect(Collectors.joining(", "));
        if (!works) {
            String all = asked.isEmpty() ? "no backend is installed that may be chosen without being named" : said;
            return new NoBackendException("no sandbox works here\n" + all + could(others), verdicts);
        }
        return new ProfileNotSupportedException("the profile cannot be held\n" + said + could(others), verdicts);
    }

    private static String could(String others) {
        return others.isEmpty() ? "" : "\n  It could be held by " + others;
    }

    private static String line(Verdict verdict) {
        if (verdict.availability() instanceof Availability.Unavailable none) {
            return "  " + verdict.backend() + ": " + none.reason() + ". " + none.remedy();
        }
        return verdict.refused().stream()
                .map(refusal -> "  " + verdict.backend() + " refuses " + refusal.key() + ": " + refusal.why())
                .collect(Collectors.joining("\n"));
    }
}
