package dev.stockade.cli;

import dev.stockade.api.LaunchException;
import dev.stockade.api.SandboxException;
import dev.stockade.conformance.probe.Claim;
import dev.stockade.conformance.probe.Evidence;
import dev.stockade.conformance.probe.Finding;
import dev.stockade.conformance.probe.Report;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What came of trying one backend.
 *
 * @param report the evidence, where a sandbox opened
 * @param refusal why none opened, else empty
 * @param stands whether nothing speaks against the backend
 */
record Proven(Optional<Report> report, String refusal, boolean stands) {

    static Proven of(Report report) {
        return new Proven(Optional.of(report), "", report.failures().isEmpty());
    }

    /** A refusal is an honest answer; a sandbox that does not hold when it is opened is not. */
    static Proven notOpened(SandboxException why) {
        return new Proven(Optional.empty(), why.getMessage(), !(why instanceof LaunchException));
    }

    String toText() {
        return report.map(Proven::text).orElseGet(() -> Paragraph.of(refusal, "", "  ") + "\n");
    }

    private static String text(Report report) {
        StringBuilder text = new StringBuilder(report.backend()).append('\n');
        for (Map.Entry<Claim, List<Evidence>> claim : byClaim(report).entrySet()) {
            List<Evidence> tried = claim.getValue();
            text.append(Paragraph.row(standing(tried).word(), sentence(report, claim.getKey(), tried)));
        }
        List<Evidence> skipped = with(Finding.NOT_PROBED, report.evidence());
        if (!skipped.isEmpty()) {
            text.append("\n  Not probed, so neither held nor fallen:\n");
            Map<String, String> byReason = skipped.stream()
                    .collect(Collectors.groupingBy(
                            Evidence::told,
                            LinkedHashMap::new,
                            Collectors.mapping(Evidence::probe, Collectors.joining(", "))));
            byReason.forEach((why, probes) -> text.append(Paragraph.of(probes + ": " + why, "  ", "    ")));
        }
        String conclusion = report.failures().isEmpty()
                ? "Every claim stands, as far as it was tried."
                : "NOT every claim stands: do not rely on " + report.backend() + " here, and please report this.";
        return text.append('\n').append(conclusion).append("\n\n").toString();
    }

    private static Map<Claim, List<Evidence>> byClaim(Report report) {
        return report.evidence().stream()
                .collect(Collectors.groupingBy(Evidence::claim, LinkedHashMap::new, Collectors.toList()));
    }

    private static Finding standing(List<Evidence> tried) {
        for (Finding finding : List.of(Finding.FELL, Finding.BROKEN, Finding.OPEN, Finding.HELD)) {
            if (!with(finding, tried).isEmpty()) {
                return finding;
            }
        }
        return Finding.NOT_PROBED;
    }

    private static String sentence(Report report, Claim claim, List<Evidence> tried) {
        Finding standing = standing(tried);
        List<Evidence> such = with(standing, tried);
        return switch (standing) {
            case FELL, BROKEN ->
                claim.phrase() + ": "
                        + such.stream()
                                .map(each -> each.probe() + ": " + each.told())
                                .collect(Collectors.joining("; "));
            case OPEN ->
                claim instanceof Claim.Closed closed
                        ? "the command can " + closed.reach().phrase() + ": "
                                + report.capabilities().reason(closed.reach())
                        : "nothing is confined, so nothing that the profile hides or guards is";
            case HELD ->
                claim.phrase() + ": " + such.size() + (such.size() == 1 ? " attempt, " : " attempts, such as ")
                        + such.get(0).probe() + " (" + such.get(0).told() + ")";
            case NOT_PROBED -> claim.phrase() + ": it could not be tried here";
        };
    }

    private static List<Evidence> with(Finding finding, List<Evidence> from) {
        return from.stream().filter(each -> each.finding() == finding).toList();
    }

    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("stands", stands);
        json.put("opened", report.isPresent());
        if (report.isEmpty()) {
            json.put("why", refusal);
            return json;
        }
        json.put("name", report.get().backend());
        json.put("notices", report.get().notices());
        List<Object> evidence = new ArrayList<>();
        for (Evidence each : report.get().evidence()) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("probe", each.probe());
            one.put("claim", each.claim().phrase());
            one.put("finding", each.finding().name().toLowerCase(Locale.ROOT));
            one.put("told", each.told());
            evidence.add(one);
        }
        json.put("evidence", evidence);
        return json;
    }
}
