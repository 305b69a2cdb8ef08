package dev.stockade.config;

import java.util.ArrayList;
import java.util.List;

/**
 * The difference of two short texts, as {@code patch} and {@code git apply} read it: unified format, three lines of
 * context.
 */
final class UnifiedDiff {

    private static final int CONTEXT = 3;

    /** Beyond this many lines that may differ, they are replaced as one block. */
    private static final int MOST_COMPARED = 2000;

    /** One line of an edit script: kept, taken out or put in. */
    private record Step(char sign, String line) {}

    private final List<String> before;
    private final List<String> after;
    private final List<Step> steps = new ArrayList<>();

    private UnifiedDiff(List<String> before, List<String> after) {
        this.before = before;
        this.after = after;
    }

    /** Empty where the texts are equal. */
    static String of(String oldName, String before, String newName, String after) {
        if (before.equals(after)) {
            return "";
        }
        UnifiedDiff diff = new UnifiedDiff(lines(before), lines(after));
        diff.compare();
        return "--- " + oldName + "\n+++ " + newName + "\n" + diff.hunks();
    }

    /** Each with its line feed; the last one may have none. */
    private static List<String> lines(String text) {
        List<String> lines = new ArrayList<>();
        int from = 0;
        while (from < text.length()) {
            int end = text.indexOf('\n', from);
            int next = end < 0 ? text.length() : end + 1;
            lines.add(text.substring(from, next));
            from = next;
        }
        return lines;
    }

    private void compare() {
        int start = 0;
        int most = Math.min(before.size(), after.size());
        while (start < most && before.get(start).equals(after.get(start))) {
            keep(before.get(start++));
        }
        int end = 0;
        while (end < most - start && before.get(before.size() - 1 - end).equals(after.get(after.size() - 1 - end))) {
            end++;
        }
        List<String> old = before.subList(start, before.size() - end);
        List<String> young = after.subList(start, after.size() - end);
        if (Math.max(old.size(), young.size()) > MOST_COMPARED) {
            old.forEach(line -> steps.add(new Step('-', line)));
            young.forEach(line -> steps.add(new Step('+', line)));
        } else {
            compare(old, young);
        }
        before.subList(before.size() - end, before.size()).forEach(this::keep);
    }

    /** By the longest common subsequence. */
    private void compare(List<String> old, List<String> young) {
        int[][] common = new int[old.size() + 1][young.size() + 1];
        for (int i = old.size() - 1; i >= 0; i--) {
            for (int j = young.size() - 1; j >= 0; j--) {
                common[i][j] = old.get(i).equals(young.get(j))
                        ? common[i + 1][j + 1] + 1
                        : Math.max(common[i + 1][j], common[i][j + 1]);
            }
        }
        int i = 0;
        int j = 0;
        while (i < old.size() || j < young.size()) {
            if (i < old.size() && j < young.size() && old.get(i).equals(young.get(j))) {
                keep(old.get(i++));
                j++;
            } else if (j == young.size() || (i < old.size() && common[i + 1][j] >= common[i][j + 1])) {
                steps.add(new Step('-', old.get(i++)));
            } else {
                steps.add(new Step('+', young.get(j++)));
            }
        }
    }

    private void keep(String line) {
        steps.add(new Step(' ', line));
    }

    private String hunks() {
        StringBuilder all = new StringBuilder();
        int oldLine = 0;
        int newLine = 0;
        int at = 0;
        while (at < steps.size()) {
            int change = nextChange(at);
            int from = Math.max(at, change - CONTEXT);
            if (change == steps.size()) {
                break;
            }
            oldLine += from - at;
            newLine += from - at;
            int last = change;
            for (int next = change; next < steps.size() && next - last <= 2 * CONTEXT; next = nextChange(next + 1)) {
                last = next;
            }
            int to = Math.min(steps.size(), last + 1 + CONTEXT);
            List<Step> hunk = steps.subList(from, to);
            int olds = count(hunk, '+');
            int news = count(hunk, '-');
            all.append("@@ -")
                    .append(range(oldLine, olds))
                    .append(" +")
                    .append(range(newLine, news))
                    .append(" @@\n");
            for (Step step : hunk) {
                boolean ends = step.line().endsWith("\n");
                all.append(step.sign()).append(step.line()).append(ends ? "" : "\n\\ No newline at end of file\n");
            }
            oldLine += olds;
            newLine += news;
            at = to;
        }
        return all.toString();
    }

    private int nextChange(int from) {
        int at = from;
        while (at < steps.size() && steps.get(at).sign() == ' ') {
            at++;
        }
        return at;
    }

    /** The lines of one side: those that do not belong to the other side alone. */
    private static int count(List<Step> hunk, char other) {
        return (int) hunk.stream().filter(step -> step.sign() != other).count();
    }

    /** A range of no lines is named by the line before it. */
    private static String range(int linesBefore, int count) {
        return (count == 0 ? linesBefore : linesBefore + 1) + "," + count;
    }
}
