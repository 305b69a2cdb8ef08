package dev.stockade.cli;

import dev.stockade.api.Backends;
import dev.stockade.api.Command;
import dev.stockade.api.ConfinedProcess;
import dev.stockade.api.LaunchException;
import dev.stockade.api.Outcome;
import dev.stockade.api.Sandbox;
import dev.stockade.api.spi.Host;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * {@code stockade run} and {@code stockade shell}: becomes the command where nobody has to supervise it, else starts it
 * and waits.
 *
 * @param arguments the command line
 * @param backends those installed
 * @param host this machine
 */
record Run(Arguments arguments, Backends backends, Host host) implements Action {

    @Override
    public int perform(Console console) throws InterruptedException {
        Optional<StatusFile> status =
                arguments.one(Option.STATUS_FILE).map(file -> StatusFile.at(Request.path(file, host)));
        try {
            Request request = Request.of(arguments, backends, host);
            request.warnings().forEach(console::say);
            Optional<Duration> limit = request.timeout();
            Command command = request.command(
                    arguments.verb() == Verb.SHELL ? InteractiveShell.argv(request) : arguments.operands());
            boolean piped = StandardInput.mustBePiped();
            boolean silent =
                    !piped && status.isEmpty() && !arguments.has(Option.VERBOSE) && !request.mayRunUnconfined();
            if (silent && limit.isEmpty()) {
                request.backends().become(request.loaded().profileFor(command, host), command);
                // Still here: this process cannot become another one.
            }
            Command limited = limit.map(command::timeout).orElse(command);
            return supervise(request, piped ? StandardInput.piped(limited) : limited, status, console);
        } catch (Throwable thrown) {
            status.ifPresent(file -> file.failed(Failure.of(thrown)));
            if (arguments.verb() == Verb.RUN
                    && thrown instanceof LaunchException failure
                    && failure.exitStatus() != Failure.COULD_NOT
                    && Screen.is(Screen.ERR)) {
                console.say(
                        "if the program is there, this tells what is missing: stockade trace, with the same options");
            }
            throw thrown;
        }
    }

    private int supervise(Request request, Command command, Optional<StatusFile> status, Console console)
            throws InterruptedException {
        try (Sandbox sandbox = Progress.during(console, "preparing the sandbox", () -> request.open(command, host))) {
            tell(request, sandbox, console);
            long from = System.nanoTime();
            ConfinedProcess process = sandbox.start(command);
            if (!command.isAttached()) {
                StandardInput.feed(process);
            }
            Outcome outcome = process.outcome();
            Duration took = Duration.ofNanos(System.nanoTime() - from);
            if (outcome instanceof Outcome.TimedOut) {
                console.say("its time was up after "
                        + TimeLimit.text(command.timeout().orElseThrow()) + ", so it was ended");
            }
            status.ifPresent(file -> file.ended(outcome, took, sandbox));
            hint(outcome, console);
            return outcome.exitStatus();
        }
    }

    /**
     * Its output is not seen here, so it is not known what it failed for. A command that this process has become has
     * nobody to say it.
     */
    private void hint(Outcome outcome, Console console) {
        boolean failed = outcome instanceof Outcome.Exited && outcome.exitStatus() != 0;
        if (failed && arguments.verb() == Verb.RUN && Screen.is(Screen.ERR)) {
            console.say("it ended with status " + outcome.exitStatus()
                    + "; if it was refused something, this tells what: stockade trace, with the same options");
        }
    }

    /** What a profile skips by itself is said only if asked for; what a flag named has been said already. */
    private void tell(Request request, Sandbox sandbox, Console console) {
        List<String> notices = new ArrayList<>(sandbox.notices());
        if (arguments.has(Option.VERBOSE)) {
            console.say("confined by " + sandbox.backend());
        } else if (!request.mayRunUnconfined()) {
            notices.removeAll(request.backends().notices(request.profile()));
        }
        notices.forEach(console::say);
    }
}
