package dev.stockade.cli;

import dev.stockade.api.Backends;
import dev.stockade.api.spi.Host;

/** What a command line asks for. */
sealed interface Action
        permits Run, Wrap, Trace, Explain, Doctor, Prove, Profiles, Init, Completion, Help, Manual, Version {

    /**
     * Does it.
     *
     * @return the exit status
     * @throws InterruptedException if the thread is interrupted while a command runs
     */
    int perform(Console console) throws InterruptedException;

    /** Looks for backends only where they are asked for. */
    static Action of(Arguments arguments) {
        return switch (arguments.verb()) {
            case HELP ->
                arguments
                        .one(Option.MAN_PAGES)
                        .<Action>map(directory -> new Manual(Request.path(directory, Host.local())))
                        .orElseGet(() -> new Help(arguments.operands()));
            case COMPLETION ->
                new Completion(arguments.operands(), Backends.installed().names());
            case VERSION -> new Version();
            case PROFILES -> new Profiles(arguments.has(Option.JSON), Host.local());
            case INIT -> new Init(Backends.installed(), Host.local());
            case DOCTOR -> new Doctor(arguments.has(Option.JSON), Backends.installed(), Host.local());
            case PROVE -> new Prove(arguments, Backends.installed(), Host.local());
            case EXPLAIN -> new Explain(arguments, Backends.installed(), Host.local());
            case TRACE -> new Trace(arguments, Backends.installed(), Host.local());
            case WRAP -> new Wrap(arguments, Backends.installed(), Host.local());
            case RUN, SHELL -> new Run(arguments, Backends.installed(), Host.local());
        };
    }
}
