package dev.stockade.backend.bwrap;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A version of bubblewrap, and what it can do. From its release notes and by trying 0.4.1, 0.8.0 and 0.12.0.
 *
 * @param major the first number
 * @param minor the second
 * @param patch the third
 */
record BwrapVersion(int major, int minor, int patch) implements Comparable<BwrapVersion> {

    /** The first with {@code --json-status-fd} and {@code --unshare-cgroup-try} in today's form. */
    static final BwrapVersion OLDEST = new BwrapVersion(0, 4, 0);

    private static final Pattern PRINTED = Pattern.compile("bubblewrap (\\d+)\\.(\\d+)(?:\\.(\\d+))?");

    /** Reads what {@code bwrap --version} prints. */
    static Optional<BwrapVersion> parse(String printed) {
        Matcher matcher = PRINTED.matcher(printed);
        if (!matcher.find()) {
            return Optional.empty();
        }
        String patch = matcher.group(3);
        return Optional.of(new BwrapVersion(
                Integer.parseInt(matcher.group(1)),
                Integer.parseInt(matcher.group(2)),
                patch == null ? 0 : Integer.parseInt(patch)));
    }

    /** {@code --clearenv}: the arguments alone decide the environment. */
    boolean clearsEnvironment() {
        return compareTo(new BwrapVersion(0, 5, 0)) >= 0;
    }

    /** {@code --disable-userns}. */
    boolean disablesUserNamespaces() {
        return compareTo(new BwrapVersion(0, 8, 0)) >= 0;
    }

    @Override
    public int compareTo(BwrapVersion other) {
        int byMajor = Integer.compare(major, other.major);
        int byMinor = byMajor != 0 ? byMajor : Integer.compare(minor, other.minor);
        return byMinor != 0 ? byMinor : Integer.compare(patch, other.patch);
    }

    @Override
    public String toString() {
        return major + "." + minor + "." + patch;
    }
}
