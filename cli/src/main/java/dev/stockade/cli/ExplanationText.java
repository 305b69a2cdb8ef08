package dev.stockade.cli;

import dev.stockade.api.Availability;
import dev.stockade.api.Backends.Verdict;
import dev.stockade.api.Capabilities;
import dev.stockade.api.Profile;
import dev.stockade.api.Profile.Access;
import dev.stockade.api.Reach;
import dev.stockade.api.spi.Assessment.Refusal;
import dev.stockade.config.Loaded;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** An explanation for people. */
final class ExplanationText {

    /** As many paths as somebody reads. */
    private static final int MOST = 12;

    private final Explanation explanation;
    private final Profile profile;
    private final StringBuilder text = new StringBuilder();

    private ExplanationText(Explanation explanation) {
        this.explanation = explanation;
        this.profile = explanation.profile();
    }

    static String of(Explanation explanation) {
        ExplanationText made = new ExplanationText(explanation);
        explanation.chosen().ifPresentOrElse(made::answers, made::nobody);
        made.asked();
        explanation.chosen().ifPresent(verdict -> made.reaches(verdict.capabilities()));
        made.rules();
        made.notices();
        made.others();
        return made.text.toString();
    }

    private void answers(Verdict chosen) {
        Capabilities capabilities = chosen.capabilities();
        String detail = chosen.availability() instanceof Availability.Available it ? " (" + it.detail() + ")" : "";
        paragraph("The command would be confined by " + chosen.backend() + detail + ". It "
                + (capabilities.canReachNetwork() ? "can" : "cannot") + " reach the network, and it "
                + (capabilities.reachesBeyondWorkspace() ? "can" : "cannot")
                + " reach data beyond its workspace.");
    }

    private void nobody() {
        paragraph("Nothing would be run: no backend that may be chosen can hold this here.");
    }

    private void asked() {
        heading("Asked for");
        List<String> reads = new ArrayList<>(List.of("the workspace " + profile.workspace()));
        reads.addAll(explanation.paths(Access.READ));
        reads.addAll(explanation.paths(Access.WRITE));
        reads.add(
                profile.reads() == Profile.Reads.HOST
                        ? "everything that you can read, less what is hidden"
                        : "the operating system (/usr, /etc without its secrets, and the like)");
        List<String> writes = new ArrayList<>();
        if (profile.workspaceAccess() == Access.WRITE) {
            writes.add("the workspace");
        }
        writes.addAll(explanation.paths(Access.WRITE));
        row("read", reads);
        row("write", writes);
        row("hidden", explanation.paths(Access.HIDE));
        row("network", List.of(network()));
        row("variables", explanation.variables());
        row("/tmp", List.of(profile.tmp() == Profile.Tmp.SHARED ? "the host's" : "one of its own"));
        profile.settings().forEach((key, value) -> row(key, List.of(value)));
    }

    private String network() {
        return switch (profile.network()) {
            case OFF -> "off";
            case LOOPBACK -> "loopback: servers on this machine, as far as the backend shares them";
            case ON -> "on";
        };
    }

    private void reaches(Capabilities capabilities) {
        list("It cannot", capabilities, reach -> !capabilities.can(reach));
        list(
                "It still can, though this was not asked for",
                capabilities,
                reach -> capabilities.can(reach) && !explanation.isAskedFor(reach));
        list("It can, as asked", capabilities, reach -> capabilities.can(reach) && explanation.isAskedFor(reach));
    }

    private void list(String title, Capabilities capabilities, Predicate<Reach> which) {
        List<Reach> those = new ArrayList<>();
        for (Reach reach : Reach.values()) {
            if (which.test(reach)) {
                those.add(reach);
            }
        }
        if (those.isEmpty()) {
            return;
        }
        heading(title);
        for (Reach reach : those) {
            text.append(Paragraph.of(reach.phrase(), "  ", "  "));
            text.append(Paragraph.of(capabilities.reason(reach), "      ", "      "));
        }
    }

    /** Not one by one for what a profile brings: its name says it. */
    private void rules() {
        Map<String, List<String>> byOrigin = new LinkedHashMap<>();
        for (Loaded.Rule rule : explanation.rules()) {
            byOrigin.computeIfAbsent(rule.origin(), origin -> new ArrayList<>()).add(rule.rule());
        }
        heading("Who said so");
        byOrigin.forEach((origin, rules) -> {
            String shown = String.join("; ", rules.subList(0, Math.min(rules.size(), MOST)));
            String more = rules.size() > MOST ? "; and " + (rules.size() - MOST) + " more (--json names them)" : "";
            text.append(Paragraph.of(origin + ": " + shown + more, "  ", "      "));
        });
    }

    private void notices() {
        if (!explanation.notices().isEmpty()) {
            heading("Worth knowing");
            explanation.notices().forEach(notice -> text.append(Paragraph.of(notice, "  ", "      ")));
        }
    }

    private void others() {
        if (explanation.others().isEmpty()) {
            return;
        }
        heading(explanation.chosen().isPresent() ? "Other backends" : "Backends");
        for (Verdict verdict : explanation.others()) {
            text.append(Paragraph.row(verdict.backend(), why(verdict)));
        }
    }

    private String why(Verdict verdict) {
        if (verdict.availability() instanceof Availability.Unavailable it) {
            return "does not work here: " + it.reason() + ". " + it.remedy();
        }
        if (!verdict.refused().isEmpty()) {
            List<String> parts = new ArrayList<>();
            for (Refusal refusal : verdict.refused()) {
                parts.add(refusal.key() + ": " + refusal.why());
            }
            return "refuses " + String.join("; ", parts);
        }
        if (!explanation.automatic().contains(verdict.backend())) {
            return "would have to be named: --backend " + verdict.backend();
        }
        return "could hold it too; --backend " + verdict.backend() + " chooses it";
    }

    private void heading(String title) {
        text.append('\n').append(title).append('\n');
    }

    private void paragraph(String sentence) {
        text.append(Paragraph.of(sentence, "", ""));
    }

    private void row(String word, List<String> all) {
        String shown = String.join(", ", all.subList(0, Math.min(all.size(), MOST)));
        String more = all.size() > MOST ? ", and " + (all.size() - MOST) + " more (--json names them)" : "";
        text.append(Paragraph.row(word, all.isEmpty() ? "nothing" : shown + more));
    }
}
