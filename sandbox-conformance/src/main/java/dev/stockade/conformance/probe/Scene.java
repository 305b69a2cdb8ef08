package dev.stockade.conformance.probe;

import dev.stockade.api.Command;
import dev.stockade.api.Result;
import dev.stockade.api.Sandbox;
import java.time.Duration;

/**
 * What a staged attempt has at hand.
 *
 * @param sandbox the sandbox under test, or the exposed one that twins run in
 * @param ground the bait around it
 */
record Scene(Sandbox sandbox, Ground ground) {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    Command sh(String script, String... arguments) {
        var argv = new java.util.ArrayList<>(java.util.List.of("sh", "-c", script, "sh"));
        argv.addAll(java.util.List.of(arguments));
        return Command.of(argv).environment(ground.bait());
    }

    Result run(Command command) throws InterruptedException {
        return sandbox.run(command.timeout().isPresent() ? command : command.timeout(LIMIT));
    }
}
