package dev.stockade.backend.docker;

import dev.stockade.api.Command;
import dev.stockade.api.ConfinedProcess;
import dev.stockade.api.LaunchException;
import dev.stockade.api.Outcome;
import dev.stockade.api.spi.Confinement;
import dev.stockade.api.spi.Planner;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Executes a command through the client, which the host connects to a terminal or to files. */
final class FrontSession implements Session {

    private static final int NOT_EXECUTABLE = 126;
    private static final int NOT_FOUND = 127;

    private static final String LOOK = "case $1 in"
            + " */*) [ -e \"$1\" ] || exit 127; [ -x \"$1\" ] && [ ! -d \"$1\" ] || exit 126 ;;"
            + " *) command -v \"$1\" >/dev/null || exit 127 ;; esac";

    private final KeptContainer container;
    private final Command command;
    private final Confinement confinement;
    private final ConfinedProcess front;

    private FrontSession(KeptContainer container, Command command, Confinement confinement, ConfinedProcess front) {
        this.container = container;
        this.command = command;
        this.confinement = confinement;
        this.front = front;
    }

    static FrontSession start(Setup setup, KeptContainer container, Command command) {
        Confinement confinement =
                Planner.confinement(new FrontPlan(setup, container.name()), setup.profile(), setup.host());
        try {
            return new FrontSession(container, command, confinement, confinement.start(command));
        } catch (RuntimeException e) {
            confinement.close();
            throw e;
        }
    }

    @Override
    public Outcome await() throws InterruptedException {
        try {
            Outcome outcome = front.outcome();
            if (outcome.exitStatus() == NOT_FOUND || outcome.exitStatus() == NOT_EXECUTABLE) {
                look();
            }
            return outcome;
        } finally {
            confinement.close();
        }
    }

    /** The client's status does not tell its own failure from a command that chose this status. */
    private void look() throws InterruptedException {
        String program = command.argv().get(0);
        int found;
        try {
            found = container
                    .execute(command.withArgv(List.of("sh", "-c", LOOK, "sh", program)))
                    .await()
                    .exitStatus();
        } catch (IOException | LaunchException e) {
            return; // The container is gone, so the command ran and was ended with it.
        }
        if (found == NOT_FOUND) {
            throw LaunchException.notFound(program, "the image has no such program, nor has what the profile grants");
        }
        if (found == NOT_EXECUTABLE) {
            throw LaunchException.notExecutable(program, "it is a directory, or lacks the permission to be executed");
        }
    }

    /** Its container is gone, so the client ends by itself, and restores the terminal; killed, it could not. */
    @Override
    public void abandon() {
        try {
            if (!front.waitFor(2, TimeUnit.SECONDS)) {
                front.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            front.destroyForcibly();
        }
    }

    @Override
    public OutputStream stdin() {
        return front.getOutputStream();
    }

    @Override
    public InputStream stdout() {
        return front.getInputStream();
    }

    @Override
    public InputStream stderr() {
        return front.getErrorStream();
    }
}
