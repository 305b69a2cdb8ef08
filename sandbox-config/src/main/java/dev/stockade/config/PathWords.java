package dev.stockade.config;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * What a written path means.
 *
 * @param base what relative ones are taken from
 * @param home what {@code ~} stands for
 */
record PathWords(Path base, Path home) {

    private static final String PATTERN = "[*?\\[]|\\{.*,.*}";

    Path path(String written) throws Unfit {
        if (written.isEmpty()) {
            throw new Unfit("a path is empty");
        }
        try {
            Path path = base.resolve(expanded(written)).normalize();
            boolean literal = Files.exists(path, LinkOption.NOFOLLOW_LINKS);
            if (!literal && Pattern.compile(PATTERN).matcher(written).find()) {
                throw new Unfit(
                        "\"" + written + "\" looks like a pattern, which is not supported: one that matches nothing"
                                + " would be a trap; name the directory instead");
            }
            if (!literal && written.startsWith("$")) {
                throw new Unfit(
                        "\"" + written + "\" begins with a variable, which is not looked up; write ~ for your home"
                                + " directory, or the whole path");
            }
            if (path.getParent() == null) {
                throw new Unfit("the root directory cannot be named; reads = \"host\" lets all of the host be read");
            }
            return path;
        } catch (InvalidPathException e) {
            throw new Unfit("a path holds a character that no path can hold");
        }
    }

    private String expanded(String written) throws Unfit {
        if (written.equals("~")) {
            return home.toString();
        }
        if (written.startsWith("~/")) {
            return home.resolve(written.substring(2).replaceFirst("^/+", "")).toString();
        }
        if (written.startsWith("~") && !Files.exists(base.resolve(written), LinkOption.NOFOLLOW_LINKS)) {
            throw new Unfit(
                    "\"" + written + "\" names another user's home, which is not looked up; write the path out, or"
                            + " ./" + written + " for a file of that name");
        }
        return written;
    }
}
