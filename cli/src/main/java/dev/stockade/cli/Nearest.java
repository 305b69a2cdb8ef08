package dev.stockade.cli;

import java.util.List;
import java.util.Optional;

/** What somebody may have meant. */
final class Nearest {

    private Nearest() {}

    /** A remark behind an error's first half; empty if nothing is near. */
    static String hint(String word, List<String> known) {
        return to(word, known).map(meant -> " (did you mean " + meant + "?)").orElse("");
    }

    static Optional<String> to(String word, List<String> known) {
        int allowed = Math.max(1, word.replace("-", "").length() / 3);
        Optional<String> nearest = Optional.empty();
        for (String candidate : known) {
            int distance = distance(word, candidate);
            if (distance <= allowed) {
                allowed = distance - 1;
                nearest = Optional.of(candidate);
            }
        }
        return nearest;
    }

    /** How many letters to add, drop, replace, or swap with their neighbour. */
    static int distance(String a, String b) {
        int[][] rows = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                rows[i][j] = i == 0 || j == 0 ? i + j : step(rows, a, b, i, j);
            }
        }
        return rows[a.length()][b.length()];
    }

    private static int step(int[][] rows, String a, String b, int i, int j) {
        boolean same = a.charAt(i - 1) == b.charAt(j - 1);
        int best = Math.min(rows[i - 1][j - 1] + (same ? 0 : 1), 1 + Math.min(rows[i - 1][j], rows[i][j - 1]));
        boolean swapped = i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
        return swapped ? Math.min(best, rows[i - 2][j - 2] + 1) : best;
    }
}
