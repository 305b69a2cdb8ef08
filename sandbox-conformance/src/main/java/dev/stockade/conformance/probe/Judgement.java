package dev.stockade.conformance.probe;

import dev.stockade.api.Backends.Verdict;
import dev.stockade.api.Profile;
import dev.stockade.api.Reach;
import dev.stockade.conformance.probe.Attempt.End;
import dev.stockade.conformance.probe.Claim.Promise;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Reads attempts against claims.
 *
 * @param verdict what is claimed
 * @param profile what was asked for
 * @param ground what was bait, unless the profile grants it
 */
record Judgement(Verdict verdict, Profile profile, Ground ground) {

    private static final Set<Reach> OF_FILES = Set.of(Reach.READ_BEYOND, Reach.WRITE_BEYOND, Reach.METADATA_BEYOND);

    Evidence of(Probe probe, Attempt attempt, Attempt twin) {
        Claim claim = probe.claim();
        boolean open = claim instanceof Claim.Closed closed
                ? !isClosed(closed.reach())
                : claim.equals(Promise.RESTRICTIONS) && !confines();
        if (open) {
            return new Evidence(probe.id(), claim, Finding.OPEN, whereOpen(attempt));
        }
        boolean mustSucceed = claim.equals(Promise.WORK);
        return switch (attempt.end()) {
            case IMPOSSIBLE -> new Evidence(probe.id(), claim, Finding.NOT_PROBED, attempt.told());
            case SILENT -> new Evidence(probe.id(), claim, Finding.BROKEN, attempt.told());
            case THROUGH -> new Evidence(probe.id(), claim, mustSucceed ? Finding.HELD : Finding.FELL, attempt.told());
            case REFUSED -> refused(probe, attempt, twin, mustSucceed ? Finding.FELL : Finding.HELD);
        };
    }

    /** Only a twin that got through makes a refusal mean anything. */
    private static Evidence refused(Probe probe, Attempt attempt, Attempt twin, Finding finding) {
        if (twin.isThrough()) {
            return new Evidence(probe.id(), probe.claim(), finding, attempt.told());
        }
        boolean excused = probe.excuse().isPresent() || twin.end() == End.IMPOSSIBLE;
        return new Evidence(
                probe.id(),
                probe.claim(),
                excused ? Finding.NOT_PROBED : Finding.BROKEN,
                "where nothing is in its way it fails too: " + twin.told()
                        + probe.excuse().map(why -> " (" + why + ")").orElse(""));
    }

    private static String whereOpen(Attempt attempt) {
        return switch (attempt.end()) {
            case THROUGH -> "and " + attempt.told();
            case REFUSED -> "though this attempt was refused: " + attempt.told();
            case IMPOSSIBLE, SILENT -> "and not tried: " + attempt.told();
        };
    }

    private boolean confines() {
        return Stream.of(Reach.values()).anyMatch(reach -> !verdict.claimed().can(reach));
    }

    /**
     * Closed in all, or closed by the backend where the profile opens another way only: what it grants is not the
     * bait.
     */
    private boolean isClosed(Reach reach) {
        if (!verdict.capabilities().can(reach)) {
            return true;
        }
        boolean reading = reach == Reach.READ_BEYOND;
        boolean granted = ground.isGranted(profile, reading ? Profile.Access.READ : Profile.Access.WRITE)
                || (reading && profile.reads() == Profile.Reads.HOST);
        return OF_FILES.contains(reach) && !granted && !verdict.claimed().can(reach);
    }
}
