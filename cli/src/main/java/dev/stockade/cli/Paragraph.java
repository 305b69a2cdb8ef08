package dev.stockade.cli;

/** Text in lines of at most 80 columns. */
final class Paragraph {

    private static final int WIDTH = 80;

    /** Where the second column of a table begins. */
    private static final int SECOND = 14;

    private Paragraph() {}

    /** A table's row: a word, and what there is to say about it. */
    static String row(String word, String text) {
        return row(word, text, SECOND);
    }

    static String row(String word, String text, int second) {
        String left = "  " + word;
        String gap = " ".repeat(second);
        return left.length() + 2 > second
                ? left + "\n" + of(text, gap, gap)
                : of(text, left + " ".repeat(second - left.length()), gap);
    }

    /** Breaks at spaces; a word that is longer than a line gets a line of its own. */
    static String of(String text, String first, String rest) {
        StringBuilder all = new StringBuilder(first);
        int column = first.length();
        boolean fresh = true;
        for (String word : text.strip().split("\\s+", -1)) {
            if (!fresh && column + 1 + word.length() > WIDTH) {
                all.append('\n').append(rest);
                column = rest.length();
                fresh = true;
            }
            if (!fresh) {
                all.append(' ');
                column++;
            }
            all.append(word);
            column += word.length();
            fresh = false;
        }
        return all.append('\n').toString();
    }
}
