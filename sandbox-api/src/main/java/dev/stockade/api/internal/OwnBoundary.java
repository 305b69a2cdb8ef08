package dev.stockade.api.internal;

import dev.stockade.api.Backends.Boundary;
import dev.stockade.api.LaunchException;
import dev.stockade.api.LaunchException.Fault;
import dev.stockade.api.LaunchException.Phase;
import dev.stockade.api.Profile;
import dev.stockade.api.Profile.Change;
import dev.stockade.api.Reach;
import dev.stockade.api.SandboxException;
import dev.stockade.api.internal.RestartMark.Layer;
import dev.stockade.api.spi.Backend;
import dev.stockade.api.spi.Backend.Jvm;
import dev.stockade.api.spi.Backend.JvmBoundary;
import dev.stockade.api.spi.Host;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The boundaries around this JVM. Each call of the program's draws one, or, after a start in place, finds the one that
 * the same call of the start before has drawn. There is one process, so this is static.
 */
public final class OwnBoundary {

    /** Which backend draws it. */
    public interface Choice {

        /** An installed backend. */
        Optional<Backend> named(String name);

        /** The one to draw with, and what it will hold; throws where none can. */
        Chosen choose();
    }

    /**
     * A choice that was made.
     *
     * @param backend the one to draw with
     * @param boundary what it will hold
     */
    public record Chosen(Backend backend, Boundary boundary) {}

    private record Held(Profile profile, Boundary boundary) {}

    private static final List<Held> HELD = new ArrayList<>();

    private OwnBoundary() {}

    /**
     * Draws it, or proves that it has been drawn.
     *
     * @param asked the profile as the program made it, which it makes alike in each start
     * @param resolved the same with its paths looked up
     */
    public static synchronized Boundary confine(Profile asked, Profile resolved, Host host, Choice choice) {
        if (!HELD.isEmpty()) {
            Held last = HELD.get(HELD.size() - 1);
            if (RestartMark.digest(last.profile).equals(RestartMark.digest(asked))) {
                return last.boundary;
            }
            requireTighter(last.profile, asked);
        }
        RestartMark mark = RestartMark.find();
        Boundary boundary = HELD.size() < mark.layers().size()
                ? found(mark.layers().get(HELD.size()), asked, resolved, host, choice)
                : drawn(mark, asked, resolved, host, choice);
        HELD.add(new Held(asked, boundary));
        return boundary;
    }

    private static void requireTighter(Profile held, Profile asked) {
        // Which variables cross is no question here: this process has them all.
        Profile alike =
                asked.toBuilder().env(held.environment().toArray(String[]::new)).build();
        Profile before =
                held.toBuilder().env(asked.environment().toArray(String[]::new)).build();
        if (!alike.isAtMost(before)) {
            String widened = before.diff(alike).stream()
                    .filter(Change::widens)
                    .map(change -> change.what() + " from " + change.from() + " to " + change.to())
                    .collect(Collectors.joining("; "));
            throw new LaunchException(
                    Phase.PREPARE,
                    Fault.PROFILE,
                    "this JVM is confined already, and a boundary can only be made tighter; this one would widen "
                            + widened + ". Ask for all that is needed in the first call");
        }
    }

    private static Boundary found(Layer layer, Profile asked, Profile resolved, Host host, Choice choice) {
        if (!layer.digest().equals(RestartMark.digest(asked))) {
            throw new LaunchException(
                    Phase.PREPARE,
                    Fault.PROFILE,
                    "this JVM was started again to be confined, and now asks for another profile than before. Make it"
                            + " alike in each start: a workspace that is a new temporary directory each time is another");
        }
        JvmBoundary drawn = choice.named(layer.backend())
                .flatMap(Backend::jvmBoundary)
                .orElseThrow(() -> new LaunchException(
                        Phase.PREPARE,
                        Fault.COMMAND,
                        "this JVM was started again by the backend " + layer.backend()
                                + ", which is not among those that it has now"));
        return proven(drawn, new Boundary(layer.backend(), layer.capabilities(), layer.notices()), resolved, host);
    }

    private static Boundary proven(JvmBoundary drawn, Boundary claimed, Profile resolved, Host host) {
        if (!claimed.capabilities().can(Reach.GAIN_PRIVILEGE)) {
            ConfinedThreads.require();
        }
        List<String> notices = new ArrayList<>(claimed.notices());
        notices.addAll(drawn.prove(resolved, host));
        return new Boundary(claimed.backend(), claimed.capabilities(), notices);
    }

    private static Boundary drawn(RestartMark mark, Profile asked, Profile resolved, Host host, Choice choice) {
        Chosen chosen = choice.choose();
        Boundary claimed = chosen.boundary();
        JvmBoundary boundary = chosen.backend().jvmBoundary().orElseThrow();
        requireAlone();
        Layer layer =
                new Layer(RestartMark.digest(asked), claimed.backend(), claimed.capabilities(), claimed.notices());
        String text = mark.with(layer).text();
        Supplier<Jvm> jvm = () -> {
            requireUnread(OwnInput.look());
            return OwnJvm.read().described(Path.of("").toAbsolutePath(), text);
        };
        boundary.confine(resolved, host, scratch(resolved, host), jvm);
        return proven(boundary, claimed, resolved, host);
    }

    /** What was started before lies outside, and after a start in place nobody would wait for it. */
    private static void requireAlone() {
        if (OpenSandboxes.any()) {
            throw new LaunchException(
                    Phase.PREPARE,
                    Fault.COMMAND,
                    "this JVM has sandboxes open, whose commands would not be confined with it: confine it first, then open"
                            + " them");
        }
        String children = ProcessHandle.current()
                .children()
                .map(child -> Long.toString(child.pid()))
                .collect(Collectors.joining(", "));
        if (!children.isEmpty()) {
            throw new LaunchException(
                    Phase.PREPARE,
                    Fault.COMMAND,
                    "this JVM has started processes already (" + children + "), which would not be confined with it:"
                            + " confine it first, then start them");
        }
    }

    private static void requireUnread(OwnInput input) {
        input.wasRead().ifPresent(what -> {
            throw new LaunchException(
                    Phase.PREPARE,
                    Fault.COMMAND,
                    "to be confined this JVM has to start again, and its standard input, " + what
                            + ": confine it first, then read");
        });
    }

    /** A name that is free; inside another boundary there may be no place for one. */
    private static Optional<Path> scratch(Profile profile, Host host) {
        try (Scratch made = Scratch.create(profile, host)) {
            return Optional.of(made.directory());
        } catch (SandboxException e) {
            return Optional.empty();
        }
    }
}
