package dev.stockade.conformance.probe;

import dev.stockade.api.Capabilities;
import java.util.List;

/**
 * What all probes showed about one sandbox.
 *
 * @param backend its backend's name
 * @param capabilities what a command can still do, by what is claimed
 * @param evidence one entry a probe
 * @param notices what was skipped when the sandbox was opened, for people
 */
public record Report(String backend, Capabilities capabilities, List<Evidence> evidence, List<String> notices) {

    /**
     * Copies what it is given.
     *
     * @param backend its backend's name
     * @param capabilities what a command can still do
     * @param evidence one entry a probe
     * @param notices what was skipped
     */
    public Report {
        evidence = List.copyOf(evidence);
        notices = List.copyOf(notices);
    }

    /**
     * Whether a claim fell, or a probe gave no usable answer.
     *
     * @return the evidence for it, empty if all is well
     */
    public List<Evidence> failures() {
        return evidence.stream().filter(each -> each.finding().isFailure()).toList();
    }
}
