package dev.stockade.config;

import dev.stockade.api.Command;
import dev.stockade.api.LaunchException;
import dev.stockade.api.Profile;
import dev.stockade.api.Profile.Access;
import dev.stockade.api.spi.Host;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A command that gets the network. Its words have to match, and the file that would be executed has to be the one that
 * is meant: found where no confined command can write, so that nobody can put a program of that name in front.
 *
 * @param words the command, or its beginning
 * @param prefix whether more words may follow
 */
record CommandRule(List<String> words, boolean prefix) {

    /** Where programs of the system are; a backend's own search path holds the same directories. */
    private static final String SYSTEM =
            "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:" + "/run/current-system/sw/bin";

    CommandRule {
        words = List.copyOf(words);
    }

    boolean matches(Command command, Profile profile, Host host) {
        return matchesWords(command.argv())
                && executed(command, profile, host)
                        .filter(meant(profile, host)::contains)
                        .isPresent();
    }

    private boolean matchesWords(List<String> argv) {
        return prefix
                ? argv.size() >= words.size() && argv.subList(0, words.size()).equals(words)
                : argv.equals(words);
    }

    /** The files that may be executed under this rule's name. */
    Set<Path> meant(Profile profile, Host host) {
        Set<Path> meant = new LinkedHashSet<>();
        for (Path candidate : candidates(profile, host)) {
            real(candidate)
                    .filter(file -> Files.isExecutable(file) && !Files.isDirectory(file))
                    .filter(file -> profile.accessTo(file)
                            .filter(access -> access == Access.WRITE)
                            .isEmpty())
                    .ifPresent(meant::add);
        }
        return meant;
    }

    private List<Path> candidates(Profile profile, Host host) {
        String program = words.get(0);
        List<Path> candidates = new ArrayList<>();
        try {
            if (program.contains("/")) {
                candidates.add(profile.workspace().resolve(program));
                return candidates;
            }
            String path = SYSTEM + ":" + host.environment().getOrDefault("PATH", "");
            for (String directory : path.split(":", -1)) {
                if (directory.startsWith("/")) {
                    candidates.add(host.files().getPath(directory, program));
                }
            }
        } catch (InvalidPathException e) {
            // A program that no file can be.
        }
        return candidates;
    }

    private static Optional<Path> executed(Command command, Profile profile, Host host) {
        Path directory = command.directory().map(profile.workspace()::resolve).orElse(profile.workspace());
        String passed =
                profile.environment().contains("PATH") ? host.environment().getOrDefault("PATH", SYSTEM) : SYSTEM;
        String path = command.environment().getOrDefault("PATH", passed);
        try {
            return Optional.of(command.resolveExecutable(directory, path, file -> true));
        } catch (LaunchException | InvalidPathException e) {
            return Optional.empty();
        }
    }

    private static Optional<Path> real(Path path) {
        try {
            return Optional.of(path.toRealPath());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    @Override
    public String toString() {
        return String.join(
                " ", prefix ? Stream.concat(words.stream(), Stream.of("…")).toList() : words);
    }
}
