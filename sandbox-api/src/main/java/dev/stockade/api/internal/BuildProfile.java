package dev.stockade.api.internal;

import dev.stockade.api.Network;
import dev.stockade.api.Profile;
import dev.stockade.api.Profile.Access;
import dev.stockade.api.Profile.Reads;
import dev.stockade.api.spi.Host;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The profile that builds run under: they find the toolchains, packages and settings of the host, but no credentials,
 * and may write package caches, but nothing that the user runs.
 */
final class BuildProfile {

    /** Where tools look for what they need. None of these is known to hold a secret. */
    private static final String[] VARIABLES = {
        "HOME",
        "USER",
        "LOGNAME",
        "SHELL",
        "PATH",
        "LANG",
        "LC_ALL",
        "LC_CTYPE",
        "TZ",
        "TERM",
        "CI",
        "JAVA_HOME",
        "MAVEN_HOME",
        "M2_HOME",
        "GRADLE_HOME",
        "GRADLE_USER_HOME",
        "CARGO_HOME",
        "RUSTUP_HOME",
        "RUSTUP_TOOLCHAIN",
        "GOPATH",
        "GOROOT",
        "GOMODCACHE",
        "GOCACHE",
        "GOFLAGS",
        "NVM_DIR",
        "npm_config_cache",
        "PNPM_HOME",
        "PYENV_ROOT",
        "PYENV_VERSION",
        "VIRTUAL_ENV",
        "PIP_CACHE_DIR",
        "UV_CACHE_DIR",
        "ANDROID_HOME",
        "SDKMAN_DIR",
        "XDG_CACHE_HOME",
        "XDG_CONFIG_HOME",
        "XDG_DATA_HOME",
        "XDG_STATE_HOME"
    };

    private final UserDirectories directories;
    private final Path workspace;
    private final Path home;
    private final List<Path> programs;
    private final Map<Path, Access> grants = new TreeMap<>();

    private BuildProfile(Path workspace, Host host) {
        this.directories = new UserDirectories(host);
        this.workspace = workspace;
        this.home = host.home();
        this.programs = programs(directories, home);
    }

    static Profile of(Profile strict, Host host) {
        BuildProfile build = new BuildProfile(strict.workspace(), host);
        build.openCaches();
        build.keepPrograms();
        build.keepGit();
        build.hideCredentials();
        Profile.Builder words =
                strict.toBuilder().reads(Reads.HOST).network(Network.LOOPBACK).env(VARIABLES);
        build.grants.forEach((path, access) -> {
            switch (access) {
                case WRITE -> words.writable(path);
                case READ -> words.readable(path);
                case HIDE -> words.hidden(path);
            }
        });
        return words.build();
    }

    /** The directories of the search path, and those that links in them lead to, as long as they are the user's. */
    private static List<Path> programs(UserDirectories directories, Path home) {
        List<Path> programs = new ArrayList<>();
        Path realHome = real(home).orElse(home);
        for (Path directory : directories.searchPath()) {
            programs.add(directory);
            real(directory).ifPresent(programs::add);
            if (directory.startsWith(home) || directory.startsWith(realHome)) {
                programs.addAll(linkedFrom(directory));
            }
        }
        return programs;
    }

    private static List<Path> linkedFrom(Path directory) {
        List<Path> targets = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            for (Path entry : entries) {
                if (Files.isSymbolicLink(entry)) {
                    real(entry).ifPresent(targets::add);
                }
            }
        } catch (IOException | java.nio.file.DirectoryIteratorException e) {
            // Not there: then nothing can be run from it.
        }
        return targets;
    }

    private void openCaches() {
        for (Path cache : directories.all(PackageCaches.places())) {
            boolean holdsHome = home.startsWith(cache) || workspace.startsWith(cache);
            boolean runs = programs.stream().anyMatch(program -> cache.startsWith(program) || program.equals(cache));
            if (!holdsHome && !runs && !isWritable(cache) && Files.exists(cache)) {
                grants.put(cache, Access.WRITE);
            }
        }
    }

    /** Of a cache that holds programs, the part that does stays as it is. */
    private void keepPrograms() {
        List<Path> caches = List.copyOf(grants.keySet());
        for (Path program : programs) {
            for (Path cache : caches) {
                Path place = real(cache).orElse(cache);
                for (Path tree : List.of(cache, place)) {
                    if (program.startsWith(tree)) {
                        Path part = cache.resolve(tree.relativize(program).getName(0));
                        if (Files.exists(part, LinkOption.NOFOLLOW_LINKS)) {
                            grants.put(part, Access.READ);
                        }
                    }
                }
            }
        }
        for (Path program : directories.all(PackageCaches.programs())) {
            if (isWritable(program) && Files.exists(program, LinkOption.NOFOLLOW_LINKS)) {
                grants.put(program, Access.READ);
            }
        }
    }

    /** Also where there are none yet, unless in a tree that a build may write: nothing can be covered there. */
    private void hideCredentials() {
        for (Path store : directories.all(CredentialStores.places())) {
            Optional<Path> real = real(store);
            if (real.isEmpty() && isWritable(store)) {
                continue;
            }
            // A link in a writable tree would be refused as perhaps planted; where it leads is what has to be hidden.
            Path path = real.orElse(store);
            if (!workspace.startsWith(path) && !isUnder(path, Access.HIDE)) {
                grants.put(path, Access.HIDE);
            }
        }
    }

    /** Hooks and configuration in there are run by the user's own git. */
    private void keepGit() {
        Path git = workspace.resolve(".git");
        if (Files.exists(git, LinkOption.NOFOLLOW_LINKS) && !Files.isSymbolicLink(git)) {
            grants.put(git, Access.READ);
        }
    }

    private boolean isWritable(Path path) {
        return path.startsWith(workspace) || isUnder(path, Access.WRITE);
    }

    private boolean isUnder(Path path, Access access) {
        return grants.entrySet().stream()
                .anyMatch(grant -> grant.getValue() == access && path.startsWith(grant.getKey()));
    }

    private static Optional<Path> real(Path path) {
        try {
            return Optional.of(path.toRealPath());
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
