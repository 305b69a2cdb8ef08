package dev.stockade.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.stockade.api.Capabilities;
import dev.stockade.api.LaunchException;
import dev.stockade.api.LaunchException.Fault;
import dev.stockade.api.LaunchException.Phase;
import dev.stockade.api.Reach;
import dev.stockade.conformance.probe.Claim;
import dev.stockade.conformance.probe.Claim.Promise;
import dev.stockade.conformance.probe.Evidence;
import dev.stockade.conformance.probe.Finding;
import dev.stockade.conformance.probe.Report;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What prove prints of what the probes found. */
class ProveTest {

    private static final Claim NO_LOOPBACK = new Claim.Closed(Reach.HOST_LOOPBACK);

    private static Proven proven(Evidence... evidence) {
        Capabilities claimed = Capabilities.EVERYTHING.opening(Reach.READ_BEYOND, "the profile grants /srv");
        return Proven.of(new Report("strong", claimed, List.of(evidence), List.of()));
    }

    @Test
    void setsClaimAgainstEvidence() {
        Proven proven = proven(
                new Evidence("loopback.tcp4", NO_LOOPBACK, Finding.HELD, "Connection refused"),
                new Evidence("loopback.raw", NO_LOOPBACK, Finding.NOT_PROBED, "only root may"),
                new Evidence("read.home", new Claim.Closed(Reach.READ_BEYOND), Finding.OPEN, "and it got through"),
                new Evidence("work.pipes", Promise.WORK, Finding.HELD, "it got through"));
        assertTrue(proven.stands());
        assertEquals("""
                strong
                  held        the command cannot connect to servers on the host's loopback: 1
                              attempt, loopback.tcp4 (Connection refused)
                  open        the command can read beyond the workspace: the profile grants /srv
                  held        the command can do ordinary work: 1 attempt, work.pipes (it got
                              through)

                  Not probed, so neither held nor fallen:
                  loopback.raw: only root may

                Every claim stands, as far as it was tried.

                """, proven.toText());
    }

    @Test
    void letsOneAttemptThatGotThroughOutweighAllThatDidNot() {
        Proven proven = proven(
                new Evidence("loopback.tcp4", NO_LOOPBACK, Finding.HELD, "Connection refused"),
                new Evidence("loopback.udp4", NO_LOOPBACK, Finding.FELL, "the host saw it"));
        assertFalse(proven.stands());
        assertTrue(proven.toText().contains("  FELL  "), proven::toText);
        assertTrue(proven.toText().contains("NOT every claim stands"), proven::toText);
        assertEquals(false, proven.toJson().get("stands"));
    }

    @Test
    void takesAnOpeningThatFailedForAClaimThatFell() {
        assertFalse(Proven.notOpened(new LaunchException(Phase.PROVE, Fault.STOCKADE, "it does not hold"))
                .stands());
    }
}
