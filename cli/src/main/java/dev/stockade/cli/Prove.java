package dev.stockade.cli;

import dev.stockade.api.Availability;
import dev.stockade.api.Backends;
import dev.stockade.api.Profile;
import dev.stockade.api.SandboxException;
import dev.stockade.api.spi.Host;
import dev.stockade.conformance.probe.Prover;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * {@code stockade prove}: what is claimed, tried on this machine.
 *
 * @param arguments the command line
 * @param backends those installed
 * @param host this machine
 */
record Prove(Arguments arguments, Backends backends, Host host) implements Action {

    @Override
    public int perform(Console console) throws InterruptedException {
        Prover prover = new Prover();
        List<Proven> all = new ArrayList<>();
        for (Backends candidate : candidates()) {
            Proven proven = Progress.during(console, "trying what is claimed", () -> proven(prover, candidate));
            all.add(proven);
            if (!arguments.has(Option.JSON)) {
                console.answer(proven.toText());
            }
        }
        boolean stands = all.stream().allMatch(Proven::stands);
        if (arguments.has(Option.JSON)) {
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("stands", stands);
            json.put("backends", all.stream().map(Proven::toJson).toList());
            console.out().print(Json.text(json));
        }
        return stands ? 0 : 1;
    }

    private List<Backends> candidates() {
        if (!arguments.has(Option.EVERY)) {
            Request request = Request.of(arguments, backends, host);
            return List.of(request.named().map(request.backends()::only).orElseGet(request::backends));
        }
        Map<String, Availability> found = backends.availability();
        return backends.names().stream()
                .filter(name -> found.containsKey(name) && found.get(name).isAvailable())
                .map(name -> (arguments.has(Option.PARTIAL) ? backends.partial() : backends).only(name))
                .toList();
    }

    /** What the options and configuration files come to for another workspace. */
    private Profile profile(Path workspace) {
        Map<Option, List<String>> values = new EnumMap<>(Option.class);
        values.putAll(arguments.values());
        values.put(Option.WORKSPACE, List.of(workspace.toString()));
        return Request.of(new Arguments(arguments.verb(), values, List.of()), backends, host)
                .profile();
    }

    private Proven proven(Prover prover, Backends candidate) throws InterruptedException {
        try {
            return Proven.of(prover.prove(candidate, this::profile));
        } catch (SandboxException e) {
            if (!arguments.has(Option.EVERY)) {
                throw e;
            }
            return Proven.notOpened(e);
        }
    }
}
