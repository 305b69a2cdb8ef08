package dev.stockade.agent;

import dev.stockade.api.Network;
import dev.stockade.api.Profile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What whoever starts a JVM wants for it. Options, separated by commas: {@code on}; {@code profile=NAME}, else
 * {@code write-guard}; {@code workspace=DIR}, else the current directory; {@code backend=NAME}, else the one that
 * disturbs the JVM least. Variables, as the command line has them:
 * {@code STOCKADE_SANDBOX} (without {@code on} among the options, a word for no turns it off),
 * {@code STOCKADE_FS_RW} (more writable paths, separated by colons), {@code STOCKADE_NETWORK}.
 *
 * @param on whether to confine at all
 * @param profile the name of an installed profile
 * @param workspace empty for the current directory
 * @param backend empty for any
 * @param writable more paths
 * @param network empty for the profile's own
 */
record Wish(
        boolean on,
        String profile,
        Optional<Path> workspace,
        Optional<String> backend,
        List<Path> writable,
        Optional<Network> network) {

    private static final List<String> YES = List.of("1", "true", "yes", "on", "y", "t", "enable", "enabled");
    private static final List<String> NO = List.of("", "0", "false", "no", "off", "n", "f", "disable", "disabled");

    Wish {
        writable = List.copyOf(writable);
    }

    /**
     * Reads it.
     *
     * @throws IllegalArgumentException for a word that nobody knows, with a sentence for people
     */
    static Wish of(String options, Map<String, String> environment) {
        boolean flag = false;
        String profile = "write-guard";
        Optional<Path> workspace = Optional.empty();
        Optional<String> backend = Optional.empty();
        for (String option : options.split(",", -1)) {
            String value = option.substring(option.indexOf('=') + 1);
            if (option.equals("on")) {
                flag = true;
            } else if (option.startsWith("profile=")) {
                profile = value;
            } else if (option.startsWith("workspace=")) {
                workspace = Optional.of(Path.of(value));
            } else if (option.startsWith("backend=")) {
                backend = Optional.of(value);
            } else if (!option.isEmpty()) {
                throw new IllegalArgumentException("there is no option \"" + option
                        + "\"; there are on, profile=NAME, workspace=DIR and backend=NAME");
            }
        }
        String asked = environment.get("STOCKADE_SANDBOX");
        boolean wanted = asked == null || isOn("STOCKADE_SANDBOX", asked);
        return new Wish(flag || wanted, profile, workspace, backend, writable(environment), network(environment));
    }

    private static List<Path> writable(Map<String, String> environment) {
        List<Path> paths = new ArrayList<>();
        for (String path : environment.getOrDefault("STOCKADE_FS_RW", "").split(":", -1)) {
            if (!path.isEmpty()) {
                paths.add(Path.of(path).toAbsolutePath());
            }
        }
        return paths;
    }

    private static Optional<Network> network(Map<String, String> environment) {
        return Optional.ofNullable(environment.get("STOCKADE_NETWORK")).map(text -> {
            if (text.strip().equalsIgnoreCase("loopback")) {
                return Network.LOOPBACK;
            }
            return isOn("STOCKADE_NETWORK", text) ? Network.ON : Network.OFF;
        });
    }

    private static boolean isOn(String variable, String text) {
        String word = text.strip().toLowerCase(Locale.ROOT);
        if (YES.contains(word)) {
            return true;
        }
        if (NO.contains(word)) {
            return false;
        }
        throw new IllegalArgumentException(variable + " must be 1, true, yes or on, or 0, false, no, off or empty");
    }

    /** The profile, in a directory; empty if nothing is to be confined. */
    Optional<Profile> profile(Path current) {
        if (!on) {
            return Optional.empty();
        }
        Profile.Builder builder = Profile.named(
                        profile, workspace.orElse(current).toAbsolutePath())
                .toBuilder()
                .writable(writable.toArray(Path[]::new));
        network.ifPresent(builder::network);
        return Optional.of(builder.build());
    }
}
