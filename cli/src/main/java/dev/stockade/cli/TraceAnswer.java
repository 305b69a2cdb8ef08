package dev.stockade.cli;

import dev.stockade.cli.Trace.Traced;
import dev.stockade.cli.trace.Judge.Judged;
import dev.stockade.cli.trace.Refusal;
import dev.stockade.cli.trace.Target.Address;
import dev.stockade.cli.trace.Verdict;
import dev.stockade.config.Visible;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * What trace answers.
 *
 * @param argv the command
 * @param traced what came of it
 * @param proposal what would allow it
 */
record TraceAnswer(List<String> argv, Traced traced, Proposal proposal) {

    /** As many of what is set aside as somebody reads. */
    private static final int MOST = 10;

    private static final int SECOND = 11;
    private static final int DNS = 53;

    String toText() {
        StringBuilder text = new StringBuilder();
        List<Judged> likely = only(judged -> judged.isLikely() && !isNever(judged));
        List<Judged> never = only(TraceAnswer::isNever);
        List<Judged> aside = only(judged -> !judged.isLikely());
        String how = traced.backend().isEmpty()
                ? "was not started"
                : traced.status() == 0 ? "succeeded" : "ended with status " + traced.status();
        text.append(Paragraph.of(Visible.line(ShellWords.line(argv)) + " " + how + ".", "", ""));
        if (traced.judged().isEmpty()) {
            text.append(Paragraph.of(
                    "Nothing that it tried was refused by the sandbox"
                            + (traced.status() == 0
                                    ? "."
                                    : ", as far as files and network go: look for another cause. Variables that do not"
                                            + " cross are one (--env)."),
                    "",
                    ""));
        }
        section(text, "Refused, and likely the cause (the last one first)", likely, likely.size());
        section(text, "Refused, and not to be proposed", never, MOST);
        section(text, "Refused, and hardly the cause", aside, MOST);
        if (!traced.names().isEmpty()) {
            text.append('\n')
                    .append(Paragraph.of(
                            "It speaks of hosts that it could not reach: " + String.join(", ", traced.names()),
                            "",
                            ""));
        }
        proposal.notes().forEach(note -> text.append('\n').append(Paragraph.of(Visible.line(note), "", "")));
        if (!proposal.isEmpty()) {
            text.append('\n')
                    .append(Paragraph.of(
                            "The smallest change that would allow what is likely the cause. Review it: it holds for"
                                    + " every command that this file is read for. To apply it, pass it to",
                            "",
                            ""))
                    .append("  ")
                    .append(apply())
                    .append("\n\n")
                    .append(proposal.change().diff());
        }
        return text.toString();
    }

    private String apply() {
        Path file = proposal.change().file();
        Path parent = file.getParent();
        String make = parent == null || Files.isDirectory(parent)
                ? ""
                : "mkdir -p " + ShellWords.quoted(parent.toString()) + " && ";
        return make + "patch " + ShellWords.quoted(file.toString());
    }

    private List<Judged> only(Predicate<Judged> which) {
        return traced.judged().stream().filter(which).toList();
    }

    private static boolean isNever(Judged judged) {
        return judged.verdict() instanceof Verdict.Never;
    }

    private static void section(StringBuilder text, String title, List<Judged> all, int most) {
        if (all.isEmpty()) {
            return;
        }
        text.append('\n').append(title).append('\n');
        all.stream().limit(most).forEach(judged -> {
            Refusal refusal = judged.refusal();
            text.append(Paragraph.row(refusal.operation().word(), what(refusal), SECOND));
            text.append(Paragraph.row("", details(judged), SECOND));
        });
        if (all.size() > most) {
            text.append(Paragraph.row("", "and " + (all.size() - most) + " more (--json names them)", SECOND));
        }
    }

    private static String what(Refusal refusal) {
        boolean isNameServer = refusal.target() instanceof Address address && address.port() == DNS;
        return Visible.line(refusal.target().toString()) + (isNameServer ? " (a name server)" : "");
    }

    private static String details(Judged judged) {
        Refusal refusal = judged.refusal();
        List<String> details = new ArrayList<>();
        details.add(refusal.times() == 1 ? "once" : refusal.times() + " times");
        if (!refusal.programs().isEmpty()) {
            details.add("by " + Visible.line(String.join(", ", refusal.programs())));
        }
        details.add(refusal.error());
        String why = judged.verdict().why();
        return String.join(", ", details) + (why.isEmpty() ? "" : ": " + why);
    }

    String toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("command", argv);
        json.put("started", traced.backend().isPresent());
        json.put("exit_status", traced.status());
        traced.backend().ifPresent(backend -> json.put("backend", backend));
        json.put("refused", traced.judged().stream().map(TraceAnswer::refusal).toList());
        json.put("names", traced.names());
        json.put("file", proposal.change().file().toString());
        json.put("diff", proposal.change().diff());
        json.put("notes", proposal.notes());
        return Json.text(json);
    }

    private static Map<String, Object> refusal(Judged judged) {
        Refusal refusal = judged.refusal();
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("operation", refusal.operation().word());
        json.put("target", refusal.target().toString());
        json.put("error", refusal.error());
        json.put("times", refusal.times());
        json.put("programs", refusal.programs());
        json.put("standing", standing(judged.verdict()));
        json.put("why", judged.verdict().why());
        return json;
    }

    private static String standing(Verdict verdict) {
        return switch (verdict) {
            case Verdict.OpenPath ignored -> "likely";
            case Verdict.OpenNetwork ignored -> "likely";
            case Verdict.Aside ignored -> "aside";
            case Verdict.Never ignored -> "never";
        };
    }
}
