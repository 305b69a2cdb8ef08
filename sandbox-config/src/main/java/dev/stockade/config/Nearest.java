package dev.stockade.config;

import java.util.Collection;
import java.util.Optional;

/** What somebody may have meant. */
final class Nearest {

    private Nearest() {}

    /** A remark to end an error with; empty if nothing is near. */
    static String hint(String word, Collection<String> known) {
        return to(word, known).map(meant -> "; did you mean \"" + meant + "\"?").orElse("");
    }

    /** A remark to end an error with: what is near, and all that there is. */
    static String among(String word, Collection<String> known) {
        String all = "nown are " + String.join(", ", known);
        return to(word, known)
                .map(meant -> "; did you mean \"" + meant + "\"? K" + all)
                .orElse("; k" + all);
    }

    private static Optional<String> to(String word, Collection<String> known) {
        int allowed = Math.max(1, word.length() / 3);
        Optional<String> nearest = Optional.empty();
        for (String candidate : known) {
            if (Math.abs(candidate.length() - word.length()) <= allowed) {
                int distance = distance(word, candidate);
                if (distance <= allowed) {
                    allowed = distance - 1;
                    nearest = Optional.of(candidate);
                }
            }
        }
        return nearest;
    }

    /** How many letters to add, drop, replace, or swap with their neighbour. */
    private static int distance(String a, String b) {
        int[][] rows = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                rows[i][j] = i == 0 || j == 0 ? i + j : step(rows, a, b, i, j);
            }
        }
        return rows[a.length()][b.length()];
    }

    private static int step(int[][] rows, String a, String b, int i, int j) {
        int replaced = rows[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        int best = Math.min(replaced, 1 + Math.min(rows[i - 1][j], rows[i][j - 1]));
        boolean swapped = i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
        return swapped ? Math.min(best, rows[i - 2][j - 2] + 1) : best;
    }
}
