package dev.stockade.cli.trace;

import dev.stockade.api.Profile;
import dev.stockade.api.Profile.Access;
import dev.stockade.api.Profile.Grant;
import dev.stockade.api.spi.Host;
import dev.stockade.api.spi.ProfileProvider;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * What no proposal opens, whoever asks for it: credentials, what the system keeps to itself, and places whose content is
 * executed outside of every sandbox.
 */
final class Secrets {

    private static final String CREDENTIALS = "credentials are kept there";

    /** What shells, desktops, editors and git run or obey, from the home directory on. */
    private static final List<String> RUN_BY_THE_USER = List.of(
            ".bashrc",
            ".bash_profile",
            ".bash_login",
            ".bash_logout",
            ".bash_aliases",
            ".profile",
            ".zshrc",
            ".zshenv",
            ".zprofile",
            ".zlogin",
            ".kshrc",
            ".inputrc",
            ".xinitrc",
            ".xprofile",
            ".xsession",
            ".pam_environment",
            ".gitconfig",
            ".vimrc",
            ".vim",
            ".emacs",
            ".emacs.d",
            ".gdbinit",
            ".config",
            ".local/bin",
            ".local/lib",
            ".local/share/applications",
            ".local/share/systemd",
            "bin",
            "Library/LaunchAgents");

    private static final List<String> SYSTEM = List.of(
            "/usr",
            "/etc",
            "/opt",
            "/bin",
            "/sbin",
            "/lib",
            "/lib32",
            "/lib64",
            "/libx32",
            "/boot",
            "/nix",
            "/gnu",
            "/var/spool/cron");

    private static final Set<String> EXECUTED = Set.of(
            "bin",
            ".bin",
            "sbin",
            "shims",
            "hooks",
            "plugins",
            "extensions",
            "toolchains",
            "init.d",
            "services",
            "autostart");

    private static final List<Path> HOMES = List.of(Path.of("/home"), Path.of("/Users"));

    private final Profile profile;
    private final Path home;
    private final List<Path> credentials = new ArrayList<>();
    private final List<Path> programs = new ArrayList<>();
    private final List<Path> caches = new ArrayList<>();

    /**
     * Asks the profile for builds where credentials are, for it hides them, and what is a cache, which it opens.
     *
     * @param profile what the command may touch
     */
    Secrets(Profile profile, Host host) {
        this.profile = profile;
        this.home = host.home();
        Optional.ofNullable(ProfileProvider.installed().get("build"))
                .map(provider -> provider.profile("build", profile.workspace(), host))
                .ifPresent(build -> {
                    credentials.addAll(paths(build, Access.HIDE));
                    caches.addAll(paths(build, Access.WRITE));
                });
        Stream.of(host.environment().getOrDefault("PATH", "").split(":", -1))
                .filter(entry -> entry.startsWith("/"))
                .map(host.files()::getPath)
                .forEach(programs::add);
        RUN_BY_THE_USER.forEach(place -> programs.add(home.resolve(place)));
    }

    private static List<Path> paths(Profile profile, Access access) {
        return profile.grants().stream()
                .filter(grant -> grant.access() == access)
                .map(Grant::path)
                .toList();
    }

    /** Why a path is not to be opened, by its name or by where it leads; empty if nothing speaks against it. */
    Optional<String> why(Path path, Operation operation) {
        TreeSet<Path> names = new TreeSet<>(List.of(path));
        HostView.real(path).ifPresent(names::add);
        return names.stream().flatMap(name -> reason(name, operation).stream()).findFirst();
    }

    private Optional<String> reason(Path path, Operation operation) {
        if (path.startsWith("/sys") || path.startsWith("/proc")) {
            return Optional.of("it is the kernel's, and programs do without");
        }
        if (path.startsWith("/dev")) {
            return Optional.of("devices are not granted");
        }
        return confidential(path)
                .or(() -> operation == Operation.WRITE ? executed(path) : Optional.empty())
                .or(() -> isHostSocket(path) ? Optional.of(Verdict.HOST_PROGRAM) : Optional.empty());
    }

    private Optional<String> confidential(Path path) {
        if (path.startsWith("/etc")) {
            return Optional.of("secrets of the system are kept there");
        }
        Path asOwn = asIfOwn(path);
        if (credentials.stream().anyMatch(store -> path.startsWith(store) || asOwn.startsWith(store))) {
            return Optional.of(CREDENTIALS);
        }
        if (paths(profile, Access.HIDE).stream().anyMatch(path::startsWith)) {
            return Optional.of("it is hidden on purpose");
        }
        if (home.startsWith(path) || asOwn.equals(home) || HOMES.contains(path)) {
            return Optional.of("it holds a home directory, and with that all credentials");
        }
        return credentials.stream()
                .filter(store -> store.startsWith(path) && Files.exists(store, LinkOption.NOFOLLOW_LINKS))
                .findFirst()
                .map(store -> "it holds credentials, such as " + store);
    }

    /** Another user's home looks like this user's. */
    private Path asIfOwn(Path path) {
        for (Path homes : HOMES) {
            if (path.startsWith(homes) && path.getNameCount() >= 2 && !path.startsWith(home)) {
                return path.getNameCount() == 2 ? home : home.resolve(path.subpath(2, path.getNameCount()));
            }
        }
        Path root = Path.of("/root");
        return path.startsWith(root) ? home.resolve(root.relativize(path)).normalize() : path;
    }

    /** What programs of the user's own put there, but for caches: a name that is known to nobody here may be one's settings. */
    private boolean isHiddenInHome(Path path) {
        Path asOwn = asIfOwn(path);
        return asOwn.startsWith(home)
                && !asOwn.equals(home)
                && home.relativize(asOwn).toString().startsWith(".")
                && !path.startsWith(profile.workspace());
    }

    private Optional<String> executed(Path path) {
        if (SYSTEM.stream().anyMatch(path::startsWith)) {
            return Optional.of("no command is to change the operating system");
        }
        if (programs.stream().anyMatch(place -> path.startsWith(place) || place.startsWith(path))) {
            return Optional.of("what lies there is run by you, outside of every sandbox");
        }
        boolean git = Files.exists(path.resolve(".git"), LinkOption.NOFOLLOW_LINKS);
        boolean executed = false;
        for (Path name : path) {
            git |= name.toString().equals(".git");
            executed |= EXECUTED.contains(name.toString());
        }
        if (git && !path.equals(profile.workspace())) {
            return Optional.of("your own git runs hooks and obeys settings in there; --rw opens it for once");
        }
        if (executed && !path.startsWith(profile.workspace())) {
            return Optional.of("places of that name hold what is run outside of every sandbox; --rw opens it for once");
        }
        if (isHiddenInHome(path) && caches.stream().noneMatch(path::startsWith)) {
            return Optional.of("your own programs may keep settings there, and obey them; --rw opens it for once");
        }
        if (profile.workspace().startsWith(path) && !profile.workspace().equals(path)) {
            return Optional.of("all that lies around the workspace would be writable, too");
        }
        return profile.accessTo(path).equals(Optional.of(Access.READ))
                ? Optional.of("it is kept read-only on purpose")
                : Optional.empty();
    }

    private static boolean isHostSocket(Path path) {
        return path.startsWith("/run")
                || path.startsWith("/var/run")
                || (Files.exists(path) && !Files.isDirectory(path) && !Files.isRegularFile(path));
    }
}
