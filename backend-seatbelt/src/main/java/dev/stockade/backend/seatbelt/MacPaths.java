package dev.stockade.backend.seatbelt;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Paths as the kernel of macOS compares them. It follows links before it asks the sandbox, so a rule about {@code /tmp}
 * matches nothing: that is a link to {@code /private/tmp}. Nor does it show the data volume, whose directories appear at
 * the root through firmlinks.
 */
final class MacPaths {

    static final String DATA_VOLUME = "/System/Volumes/Data";

    private static final Map<String, String> LINKS = Map.of(
            "/tmp", "/private/tmp",
            "/var", "/private/var",
            "/etc", "/private/etc",
            "/home", DATA_VOLUME + "/home");

    private MacPaths() {}

    /** The path under the name that rules match, whichever it is called by. */
    static String canonical(Path path) {
        return canonical(path.toString());
    }

    static String canonical(String path) {
        boolean isOnDataVolume = isWithin(path, DATA_VOLUME) && !path.equals(DATA_VOLUME);
        if (isOnDataVolume && !isWithin(path, DATA_VOLUME + "/home")) {
            return canonical(path.substring(DATA_VOLUME.length()));
        }
        for (Map.Entry<String, String> link : LINKS.entrySet()) {
            if (isWithin(path, link.getKey())) {
                return link.getValue() + path.substring(link.getKey().length());
            }
        }
        return path;
    }

    static boolean isWithin(String path, String tree) {
        return path.equals(tree) || path.startsWith(tree.equals("/") ? tree : tree + "/");
    }

    /** The directories that lead to a path, the root first, itself not among them. */
    static List<String> ancestors(String path) {
        List<String> leading = new ArrayList<>();
        if (!path.equals("/")) {
            leading.add("/");
            for (int slash = path.indexOf('/', 1); slash > 0; slash = path.indexOf('/', slash + 1)) {
                leading.add(path.substring(0, slash));
            }
        }
        return leading;
    }

    static int depth(String path) {
        return ancestors(path).size();
    }
}
