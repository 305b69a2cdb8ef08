package dev.stockade.cli;

import dev.stockade.api.Backends;
import dev.stockade.api.spi.Host;

/**
 * {@code stockade explain}: what a command could do under these options. Starts no command.
 *
 * @param arguments the command line
 * @param backends those installed
 * @param host this machine
 */
record Explain(Arguments arguments, Backends backends, Host host) implements Action {

    @Override
    public int perform(Console console) {
        Request request = Request.of(arguments, backends, host);
        Explanation explanation = Explanation.of(request, request.profileFor(arguments.operands(), host));
        if (arguments.has(Option.JSON)) {
            console.out().print(explanation.toJson());
        } else {
            console.answer(ExplanationText.of(explanation));
        }
        return explanation.chosen().isPresent() ? 0 : 1;
    }
}
