package dev.stockade.config;

/**
 * Text for people that somebody else chose: the name of a file, what a file says, what a command is called. Nothing of
 * it is to steer a terminal, or to look like another line; it stands there as {@code \}{@code u001b}.
 */
public final class Visible {

    private Visible() {}

    /**
     * One line.
     *
     * @param text any
     * @return the same without control characters, line ends, or characters that turn the direction of what follows
     */
    public static String line(String text) {
        return shown(text, "");
    }

    /**
     * Several lines.
     *
     * @param text any
     * @return the same, with its line ends and tabs, and no other control character
     */
    public static String lines(String text) {
        return shown(text, "\n\t");
    }

    private static String shown(String text, String kept) {
        StringBuilder shown = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            boolean steers = Character.isISOControl(c) || Character.getType(c) == Character.FORMAT;
            boolean plain = !steers || kept.indexOf(c) >= 0;
            shown.append(plain ? Character.toString(c) : String.format("\\u%04x", c));
        });
        return shown.toString();
    }
}
