package dev.stockade.conformance.probe;

import dev.stockade.api.Reach;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** One attempt, as data. Immutable. */
public final class Probe {

    private static final Pattern BAIT = Pattern.compile("BAIT_[A-Z0-9_]+");

    /** How an attempt is made. */
    sealed interface Attack {}

    /** A few lines for an interpreter inside. Several of them share one start. */
    record Script(Interpreter interpreter, String lines) implements Attack {
        /** The bait that the lines name: what must exist for the attempt to be made. */
        Set<String> bait() {
            Set<String> named = new LinkedHashSet<>();
            BAIT.matcher(lines).results().forEach(match -> named.add(match.group()));
            return named;
        }
    }

    /** An attempt that needs a start of its own, or a hand outside while it runs. */
    @FunctionalInterface
    non-sealed interface Stage extends Attack {
        Attempt play(Scene scene) throws InterruptedException;
    }

    /** Whether the host saw an attempt get through; where there is one, its word counts and not the script's. */
    @FunctionalInterface
    interface Witness {
        boolean saw(Ground ground);
    }

    private final String id;
    private final Claim claim;
    private final Attack attack;
    private final Optional<Witness> witness;
    private final Optional<String> excuse;

    private Probe(String id, Claim claim, Attack attack, Optional<Witness> witness, Optional<String> excuse) {
        this.id = id;
        this.claim = claim;
        this.attack = attack;
        this.witness = witness;
        this.excuse = excuse;
    }

    static Probe of(String id, Claim claim, Attack attack) {
        return new Probe(id, claim, attack, Optional.empty(), Optional.empty());
    }

    static Probe sh(String id, Reach reach, String lines) {
        return of(id, new Claim.Closed(reach), new Script(Interpreter.SH, lines));
    }

    static Probe python(String id, Reach reach, String lines) {
        return of(id, new Claim.Closed(reach), new Script(Interpreter.PYTHON, lines));
    }

    Probe seen(Witness by) {
        return new Probe(id, claim, attack, Optional.of(by), excuse);
    }

    /** Says why the host itself may refuse the attempt to everyone, so that a twin that fails is no fault. */
    Probe unless(String why) {
        return new Probe(id, claim, attack, witness, Optional.of(why));
    }

    /**
     * Its name.
     *
     * @return unique, lower case: a topic, a dot, the attempt
     */
    public String id() {
        return id;
    }

    /**
     * What it puts to the test.
     *
     * @return the claim
     */
    public Claim claim() {
        return claim;
    }

    Attack attack() {
        return attack;
    }

    Optional<Witness> witness() {
        return witness;
    }

    Optional<String> excuse() {
        return excuse;
    }

    @Override
    public String toString() {
        return id + ": " + claim.phrase();
    }
}
