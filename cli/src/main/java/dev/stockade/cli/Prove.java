package dev.stockade.cli;

import dev.stockade.api.Availability;
import dev.stockade.api.Backends;
import dev.stockade.api.Profile;
import dev.stockade.api.SandboxException;
import dev.stockade.api.spi.Host;
import dev.stockade.config.Configuration;
import dev.stockade.conformance.probe.Prover;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

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
        String profile = arguments.one(Option.PROFILE).orElse("strict");
        Prover prover = new Prover();
        List<Proven> all = new ArrayList<>();
        for (Backends candidate : candidates()) {
            Proven proven = proven(prover, candidate, this::profile);
            all.add(proven);
            if (!arguments.has(Option.JSON)) {
                console.out().print(proven.toText());
            }
        }
        boolean stands = all.stream().allMatch(Proven::stands);
        if (arguments.has(Option.JSON)) {
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("profile", profile);
            json.put("stands", stands);
            json.put("backends", all.stream().map(Proven::toJson).toList());
            console.out().print(Json.text(json));
        }
        return stands ? 0 : 1;
    }

    private List<Backends> candidates() {
        if (!arguments.has(Option.EVERY)) {
            return List.of(Request.chosen(arguments, backends));
        }
        Map<String, Availability> found = backends.availability();
        return backends.names().stream()
                .filter(name -> found.containsKey(name) && found.get(name).isAvailable())
                .map(name -> (arguments.has(Option.PARTIAL) ? backends.partial() : backends).only(name))
                .toList();
    }

    private Profile profile(Path workspace) {
        return Request.base(Configuration.of(workspace, host).backends(backends), arguments, host)
                .load()
                .profile();
    }

    private Proven proven(Prover prover, Backends candidate, Function<Path, Profile> profile)
            throws InterruptedException {
        try {
            return Proven.of(prover.prove(candidate, profile));
        } catch (SandboxException e) {
            if (!arguments.has(Option.EVERY)) {
                throw e;
            }
            return Proven.notOpened(e);
        }
    }
}
