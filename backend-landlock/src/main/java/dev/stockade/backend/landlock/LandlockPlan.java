package dev.stockade.backend.landlock;

import dev.stockade.api.Command;
import dev.stockade.api.Profile;
import dev.stockade.api.spi.Host;
import dev.stockade.api.spi.Launch;
import dev.stockade.api.spi.Planner.Plan;
import dev.stockade.api.spi.Planner.Purpose;
import dev.stockade.api.spi.Planner.Start;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** One profile, for many commands. What it needs on the machine is made when the first one starts. */
final class LandlockPlan implements Plan {

    /** Nothing of the caller's search path: it may name a directory of the repository. */
    static final String PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

    private static final String RECORDED = "recorded";

    private final Profile profile;
    private final Facts facts;
    private final Host host;
    private Optional<Prepared> prepared = Optional.empty();

    LandlockPlan(Profile profile, Facts facts, Host host) {
        this.profile = profile;
        this.facts = facts;
        this.host = host;
    }

    @Override
    public boolean provesEachStart() {
        return true;
    }

    @Override
    public Launch launch(Command command, Start start) {
        if (facts.namespaces()) {
            return inNamespace(command, start);
        }
        if (start.purpose() == Purpose.HANDED_OVER) {
            return handedOver(command, start);
        }
        Path tmp = start.tmp().orElseThrow();
        Prepared ready = prepared(tmp);
        Launch launch = launch(command, ready.environment(), ready.rules());
        return start.purpose() == Purpose.WRAPPED
                ? behindJvm(launch, start, recorded(launch, facts, tmp, Optional.empty()))
                : launch.onThread(ready.step(Streams.inherited(command)));
    }

    /** Behind a JVM for whoever starts it. Nobody would remove what that one reads: so this process does not become it. */
    private Launch inNamespace(Command command, Start start) {
        Path tmp = start.tmp().orElseGet(() -> start.scratch().resolve("tmp"));
        Facts inside = facts.inNamespace();
        Rules rules = Rules.of(profile, facts.abi(), host.files()).with(tmp, facts.abi());
        Launch launch = launch(command, Prepared.environment(profile, inside, host, tmp), rules);
        if (start.purpose() == Purpose.WRAPPED) {
            return behindJvm(launch, start, recorded(launch, inside, tmp, Optional.empty()));
        }
        Path told = start.scratch().resolve("told");
        return behindJvm(launch, start, recorded(launch, inside, tmp, Optional.of(told)))
                .decodedBy((status, channel) -> FrontJvm.outcome(status, told));
    }

    private Recorded recorded(Launch launch, Facts there, Path tmp, Optional<Path> told) {
        return new Recorded(
                profile, there.toString(), facts.namespaces(), told, tmp, launch.directory(), launch.environment());
    }

    private static Launch behindJvm(Launch launch, Start start, Recorded recorded) {
        Path file = start.scratch().resolve(RECORDED);
        List<String> argv = FrontJvm.argv(file, recorded.inNamespace(), launch.argv());
        return Launch.of(argv, Map.of(), launch.directory())
                .file(RECORDED, recorded.bytes())
                .clearingEnvironment();
    }

    private synchronized Prepared prepared(Path tmp) {
        if (prepared.isEmpty()) {
            Rules rules = Rules.of(profile, facts.abi(), host.files());
            OptionalInt canary = facts.abi().scopesSignals() ? Canary.pid() : OptionalInt.empty();
            prepared = Optional.of(new Prepared(profile, facts, host, rules, tmp, Prepared.Who.COMMANDS, canary));
        }
        return prepared.get();
    }

    private Launch launch(Command command, Map<String, String> fixed, Rules rules) {
        Map<String, String> environment = host.environmentFor(profile, command, fixed);
        Path directory = command.directory().orElse(profile.workspace());
        List<String> argv = new ArrayList<>(command.argv());
        String path = environment.getOrDefault("PATH", PATH);
        command.resolveExecutable(directory, path, rules::shows);
        argv.set(0, found(argv.get(0), directory, path, rules));
        return Launch.of(argv, environment, directory);
    }

    /**
     * The program as it was found on the search path, not where its links lead: busybox, and Python in a virtual
     * environment, look at the name they are called by.
     */
    private static String found(String program, Path directory, String path, Rules rules) {
        if (program.indexOf('/') >= 0) {
            return program;
        }
        for (String entry : path.split(":", -1)) {
            Path file = directory.resolve(entry).resolve(program);
            if (Files.isExecutable(file) && !Files.isDirectory(file) && isShown(file, rules)) {
                return file.toString();
            }
        }
        return program;
    }

    private static boolean isShown(Path file, Rules rules) {
        try {
            return rules.shows(file.toRealPath());
        } catch (java.io.IOException e) {
            return false;
        }
    }

    private Launch handedOver(Command command, Start start) {
        HandOver handOver = new HandOver(profile, facts, host, start.scratch(), Streams.inherited(command));
        Launch launch = launch(command, handOver.environment(), handOver.rules());
        return launch.onThread(handOver);
    }

    @Override
    public synchronized void close() {
        prepared.ifPresent(Prepared::close);
    }
}
