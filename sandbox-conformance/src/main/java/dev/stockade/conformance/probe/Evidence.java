package dev.stockade.conformance.probe;

/**
 * What came of one probe in one sandbox.
 *
 * @param probe its id
 * @param claim what it attacked
 * @param finding what that says about the claim
 * @param told what was seen: a sentence for people
 */
public record Evidence(String probe, Claim claim, Finding finding, String told) {

    @Override
    public String toString() {
        String about = finding == Finding.FELL ? "a claim fell: " + claim.phrase() : claim.phrase();
        return probe + ": " + finding.word() + ": " + about + ": " + told;
    }
}
