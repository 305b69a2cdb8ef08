package dev.stockade.conformance.probe;

import dev.stockade.api.Backends;
import dev.stockade.api.Backends.Verdict;
import dev.stockade.api.Command;
import dev.stockade.api.LaunchException;
import dev.stockade.api.Profile;
import dev.stockade.api.ProfileNotSupportedException;
import dev.stockade.api.Result;
import dev.stockade.api.Sandbox;
import dev.stockade.conformance.probe.Claim.Promise;
import dev.stockade.conformance.probe.Probe.Script;
import dev.stockade.conformance.probe.Probe.Stage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Tries what is claimed for a sandbox, on this host. Each sandbox is tried in a workspace of its own, with bait around
 * it that is removed afterwards: in the home, in {@code /var/tmp} and {@code /tmp}, on the loopback. Twins are run
 * once a JVM. For one thread.
 */
public final class Prover {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    /** A datagram that got out is heard a moment later. */
    private static final Duration ARRIVAL = Duration.ofMillis(150);

    /** By the probe's id. They say what this host allows, which no sandbox changes. */
    private static final Map<String, Attempt> TWINS = new ConcurrentHashMap<>();

    private final List<Probe> probes;

    /** Makes every attempt there is. */
    public Prover() {
        this(probe -> true);
    }

    /**
     * Makes some attempts only.
     *
     * @param chosen says which
     */
    public Prover(Predicate<Probe> chosen) {
        probes = Probes.all().stream().filter(chosen).toList();
    }

    /**
     * Opens a sandbox and makes every attempt in it. Where the backend holds that too, the profile also hides and
     * guards some bait in the workspace.
     *
     * @param backends of which one may be chosen
     * @param profile makes the profile for the workspace it is given
     * @return what the attempts showed
     * @throws dev.stockade.api.SandboxException if no sandbox opens
     * @throws InterruptedException if the thread is interrupted
     */
    public Report prove(Backends backends, Function<Path, Profile> profile) throws InterruptedException {
        runTwins();
        try (Ground ground = Ground.lay()) {
            Profile plain = profile.apply(ground.workspace());
            Profile restricted = ground.restricted(plain);
            Traces traces = Traces.before(ground.workspace());
            List<Evidence> evidence = new ArrayList<>();
            Sandbox tested = opened(backends, restricted, plain);
            Profile tried = tested.profile();
            boolean holdsBoth = tried.equals(restricted);
            try (Sandbox sandbox = tested) {
                traces.idle(sandbox);
                Verdict verdict = backends.verdicts(tried).stream()
                        .filter(each -> each.backend().equals(sandbox.backend()))
                        .findFirst()
                        .orElseThrow();
                Map<String, Attempt> attempts = attempts(probes, sandbox, ground);
                Judgement judgement = new Judgement(verdict, tried, ground);
                for (Probe probe : probes) {
                    Attempt attempt = holdsBoth || !probe.claim().equals(Promise.RESTRICTIONS)
                            ? attempts.getOrDefault(probe.id(), Attempt.silent("it was not made"))
                            : Attempt.impossible("the backend refuses hidden or read-only paths in the workspace");
                    Attempt twin = TWINS.getOrDefault(probe.id(), Attempt.silent("it was not made"));
                    evidence.add(judgement.of(probe, attempt, twin));
                }
            }
            evidence.add(left(traces, backends, tried));
            return new Report(tested.backend(), tested.capabilities(), evidence, tested.notices());
        } catch (IOException e) {
            throw new UncheckedIOException("no bait could be laid out here", e);
        }
    }

    /** A backend may keep a helper once a JVM: what counts as left behind is what the second run leaves, too. */
    private static Evidence left(Traces first, Backends backends, Profile profile) throws InterruptedException {
        Evidence once = first.after();
        if (!once.finding().isFailure()) {
            return once;
        }
        Traces second = Traces.before(profile.workspace());
        try (Sandbox sandbox = backends.open(profile)) {
            second.idle(sandbox);
        }
        return first.sawFilesAppear() ? once : second.after();
    }

    private static Sandbox opened(Backends backends, Profile restricted, Profile plain) {
        try {
            return backends.open(restricted);
        } catch (ProfileNotSupportedException e) {
            return backends.open(plain);
        }
    }

    private void runTwins() throws InterruptedException {
        List<Probe> missing =
                probes.stream().filter(probe -> !TWINS.containsKey(probe.id())).toList();
        if (missing.isEmpty()) {
            return;
        }
        try (Ground ground = Ground.lay();
                Sandbox exposed = Backends.of(new Exposed())
                        .only(Exposed.NAME)
                        .open(Profile.builder(ground.workspace()).build())) {
            TWINS.putAll(attempts(missing, exposed, ground));
        } catch (IOException e) {
            throw new UncheckedIOException("no bait could be laid out here", e);
        }
    }

    private static Map<String, Attempt> attempts(List<Probe> probes, Sandbox sandbox, Ground ground)
            throws InterruptedException {
        Map<String, Attempt> attempts = new HashMap<>();
        for (Interpreter interpreter : Interpreter.values()) {
            attempts.putAll(scripted(probes, interpreter, sandbox, ground));
        }
        Thread.sleep(ARRIVAL.toMillis());
        Scene scene = new Scene(sandbox, ground);
        for (Probe probe : probes) {
            if (probe.attack() instanceof Stage stage) {
                attempts.put(probe.id(), played(stage, scene));
            }
            probe.witness()
                    .ifPresent(witness ->
                            attempts.computeIfPresent(probe.id(), (id, said) -> witnessed(said, witness.saw(ground))));
        }
        return attempts;
    }

    private static Attempt played(Stage stage, Scene scene) throws InterruptedException {
        try {
            return stage.play(scene);
        } catch (LaunchException e) {
            return Attempt.silent(e.getMessage());
        }
    }

    private static Attempt witnessed(Attempt said, boolean seen) {
        if (seen) {
            return Attempt.through("the host saw it");
        }
        return said.isThrough() ? Attempt.refused("it went nowhere that the host could see") : said;
    }

    private static Map<String, Attempt> scripted(
            List<Probe> probes, Interpreter interpreter, Sandbox sandbox, Ground ground) throws InterruptedException {
        Map<String, Attempt> attempts = new HashMap<>();
        Map<String, String> scripts = new LinkedHashMap<>();
        for (Probe probe : probes) {
            if (probe.attack() instanceof Script script && script.interpreter() == interpreter) {
                String missing = script.bait().stream()
                        .flatMap(name -> ground.whyMissing(name).stream())
                        .findFirst()
                        .orElse("");
                if (missing.isEmpty()) {
                    scripts.put(probe.id(), script.lines());
                    attempts.put(probe.id(), Attempt.silent("no answer"));
                } else {
                    attempts.put(probe.id(), Attempt.impossible(missing));
                }
            }
        }
        if (scripts.isEmpty()) {
            return attempts;
        }
        Command command =
                interpreter.running(scripts).environment(ground.bait()).timeout(LIMIT);
        try {
            Result result = sandbox.run(command);
            attempts.putAll(Interpreter.answers(result.stdout().text()));
            String said = result.outcome() + " " + result.stderr().text().strip();
            attempts.replaceAll((id, attempt) -> attempt.equals(Attempt.silent("no answer"))
                    ? result.exitStatus() == 127
                            ? Attempt.impossible("there is no " + interpreter.program() + " inside")
                            : Attempt.silent("no answer: " + said)
                    : attempt);
        } catch (LaunchException e) {
            Attempt none = e.exitStatus() == 127 || e.exitStatus() == 126
                    ? Attempt.impossible("there is no " + interpreter.program() + " inside")
                    : Attempt.silent(e.getMessage());
            scripts.keySet().forEach(id -> attempts.put(id, none));
        }
        return attempts;
    }
}
