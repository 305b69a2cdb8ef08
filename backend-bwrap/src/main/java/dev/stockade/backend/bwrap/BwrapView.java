package dev.stockade.backend.bwrap;

import dev.stockade.api.Network;
import dev.stockade.api.Profile;
import dev.stockade.api.Profile.Access;
import dev.stockade.api.Profile.Grant;
import dev.stockade.api.Profile.Reads;
import dev.stockade.api.spi.Assessment.Refusal;
import dev.stockade.api.spi.Host;
import dev.stockade.linux.host.EtcSecrets;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which files a command sees: bubblewrap's mount arguments, in order, parents before what lies in them.
 *
 * <p>A hidden path is covered by a mount only inside a writable tree. Elsewhere the directories on the way down to it
 * are made anew and their other entries bound one by one: a mount on a path is lost when the host renames another
 * file over that path (Linux 3.18, "Lazily remove mounts on unlinked files and directories"), and a path that does not
 * exist cannot be mounted on at all. What is not bound stays unseen, whatever the host does.
 */
final class BwrapView {

    /** The operating system, where a host has it: Debian and others, NixOS, Guix. */
    private static final List<String> SYSTEM = List.of("/usr", "/opt", "/etc", "/nix", "/gnu");

    /** Directories on some hosts, links into /usr on others. */
    private static final List<String> MERGED =
            List.of("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/run/current-system");

    /** The command's own, whatever is readable: kernel doors, and where host daemons keep their sockets. */
    private static final List<String> PRIVATE = List.of("/proc", "/dev", "/run", "/tmp", "/var/tmp");

    /** MAX_ARGS in bubblewrap.c is 9000; the rest is for what is not about files. */
    private static final int MOST_ARGUMENTS = 8800;

    private final Profile profile;
    private final Host host;
    private final FileSystem files;
    private final TreeMap<Path, Access> decided = new TreeMap<>();
    private final TreeSet<Path> listed = new TreeSet<>();
    private final List<Path> restrictions = new ArrayList<>();
    private final List<Refusal> refused = new ArrayList<>();
    private final List<String> base = new ArrayList<>();
    private final List<String> granted = new ArrayList<>();
    private final TreeSet<Path> sealed = new TreeSet<>();
    private final TreeSet<Path> pinned = new TreeSet<>();

    private BwrapView(Profile profile, Host host) {
        this.profile = profile;
        this.host = host;
        this.files = host.files();
    }

    static BwrapView of(Profile profile, Host host) {
        BwrapView view = new BwrapView(profile, host);
        view.decide();
        view.showBase();
        view.showGrants();
        view.showResolver();
        view.seal();
        return view;
    }

    /** What cannot be held. */
    List<Refusal> refused() {
        return refused;
    }

    /** Whether the sandbox's own temporary directory can be {@code /tmp}: not where a grant has to be mounted into it. */
    boolean usesTmp() {
        return profile.tmp() == Profile.Tmp.PRIVATE
                && decided.keySet().stream().noneMatch(path -> path.startsWith("/tmp"));
    }

    /** Read-only and hidden paths inside writable trees, which a command may have moved between two starts. */
    List<Path> restrictions() {
        return restrictions;
    }

    /** The mount arguments, with the command's temporary directory, or one that ends with it. */
    List<String> arguments(Optional<Path> tmp) {
        List<String> all = new ArrayList<>(base);
        if (tmp.isPresent() && usesTmp()) {
            add(all, "--bind", tmp.get().toString(), "/tmp");
        } else {
            add(all, "--tmpfs", "/tmp");
        }
        // Read-only: a file below /proc/sys is writable for uid 0 without any capability, and one of them names a
        // program
        // that the kernel runs on the host, as root (core(5), core_pattern).
        add(all, "--tmpfs", "/var/tmp", "--proc", "/proc", "--remount-ro", "/proc", "--dev", "/dev");
        all.addAll(granted);
        return all;
    }

    /** Whether a file of the host's can be executed inside by its own path. */
    boolean shows(Path real) {
        return decision(real)
                .map(decision -> decision.access() != Access.HIDE)
                .orElseGet(() -> baseZone(real).isPresent());
    }

    /** Whether a path is the command's own, so that the host's file of that name says nothing about it. */
    boolean isPrivate(Path path) {
        return decision(path).isEmpty() && PRIVATE.stream().anyMatch(path::startsWith);
    }

    /** The longest path that decides about this one. */
    private Optional<Grant> decision(@Nullable Path path) {
        for (Path at = path; at != null; at = at.getParent()) {
            Access access = decided.get(at);
            if (access != null) {
                return Optional.of(new Grant(at, access));
            }
        }
        return Optional.empty();
    }

    private void decide() {
        if (profile.tmp() == Profile.Tmp.SHARED) {
            decided.put(files.getPath("/tmp"), Access.WRITE); // So that what is hidden below it is.
        }
        profile.grants().forEach(grant -> decided.put(grant.path(), grant.access()));
        decided.put(profile.workspace(), profile.workspaceAccess());
        Path etc = files.getPath("/etc");
        String runtime = host.environment().getOrDefault("XDG_RUNTIME_DIR", "");
        if (profile.reads() == Reads.HOST && runtime.startsWith("/")) {
            decided.putIfAbsent(files.getPath(runtime), Access.HIDE); // Sockets of the user's own daemons.
        }
        List<Path> secrets = EtcSecrets.under(etc).stream()
                .filter(secret -> host.uid() == 0 || Files.isReadable(secret))
                .toList();
        secrets.forEach(secret -> decided.putIfAbsent(secret, Access.HIDE));
        if (host.uid() == 0 && Files.isDirectory(etc)) {
            listed.add(etc); // Root could read a secret that is put there later.
        }
        new TreeMap<>(decided).forEach((path, access) -> {
            if (access == Access.HIDE) {
                hide(path);
            }
        });
    }

    /** Finds what has to be done so that a path is not seen. */
    private void hide(Path path) {
        Optional<Grant> around = decision(path.getParent());
        if (around.isPresent() && around.get().access() == Access.HIDE) {
            return;
        }
        if (around.isPresent() && around.get().access() == Access.WRITE) {
            if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
                refused.add(new Refusal("hidden", missing(path)));
            }
            return;
        }
        around.map(Grant::path).or(() -> baseZone(path)).ifPresent(zone -> {
            for (Path at = path.getParent(); at != null && at.startsWith(zone); at = at.getParent()) {
                if (Files.isDirectory(at, LinkOption.NOFOLLOW_LINKS)) {
                    listed.add(at);
                }
            }
        });
    }

    private static String missing(Path path) {
        return path
                + " does not exist, and lies in a tree that the command may write: bubblewrap could cover it only by"
                + " creating it. Create it, or leave it out";
    }

    /** The part of what is readable anyway that a path lies in. */
    private Optional<Path> baseZone(Path path) {
        if (profile.reads() == Reads.HOST) {
            return PRIVATE.stream().anyMatch(path::startsWith) ? Optional.empty() : Optional.of(files.getPath("/"));
        }
        return Stream.concat(SYSTEM.stream(), MERGED.stream())
                .map(files::getPath)
                .filter(path::startsWith)
                .findFirst();
    }

    private void showBase() {
        if (profile.reads() == Reads.HOST) {
            list(base, files.getPath("/"));
        } else {
            SYSTEM.stream()
                    .map(files::getPath)
                    .filter(path -> Files.isDirectory(path) && !decided.containsKey(path))
                    .forEach(path -> show(base, path));
            MERGED.stream().map(files::getPath).forEach(path -> showEntry(base, path));
        }
    }

    private void showGrants() {
        decided.forEach((path, access) -> {
            Optional<Path> writable = decision(path.getParent())
                    .filter(around -> around.access() == Access.WRITE)
                    .map(Grant::path);
            if (writable.isPresent() && access != Access.WRITE) {
                pin(writable.get(), path);
                restrict(path, access);
            } else if (access == Access.READ) {
                show(granted, path);
            } else if (access == Access.WRITE && writable.isEmpty()) {
                add(granted, "--bind", path.toString(), path.toString());
            }
        });
    }

    /** Binds the directories on the way down on themselves: a mount point cannot be renamed, so nor can what is in it. */
    private void pin(Path tree, Path path) {
        List<Path> way = new ArrayList<>();
        for (Path at = path.getParent(); at != null && !at.equals(tree); at = at.getParent()) {
            way.add(0, at);
        }
        // Once only: bound again, it would lie on top of what was mounted below it in between.
        way.stream().filter(pinned::add).forEach(at -> add(granted, "--bind", at.toString(), at.toString()));
    }

    private void restrict(Path path, Access access) {
        restrictions.add(path);
        if (access == Access.READ) {
            if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
                refused.add(new Refusal("readable", missing(path)));
            }
            show(granted, path);
        } else if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            add(granted, "--tmpfs", path.toString(), "--remount-ro", path.toString());
        } else {
            // A device on a bind mount cannot be opened, not even this one: reading fails, and says so.
            add(granted, "--ro-bind", "/dev/null", path.toString());
        }
    }

    private void show(List<String> to, Path path) {
        if (listed.contains(path)) {
            list(to, path);
        } else {
            add(to, "--ro-bind", path.toString(), path.toString());
        }
    }

    /** Makes a directory anew, with all its entries but those that are decided otherwise. */
    private void list(List<String> to, Path directory) {
        if (directory.getParent() != null) {
            add(to, "--tmpfs", directory.toString());
            sealed.add(directory);
        }
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            TreeSet<Path> sorted = new TreeSet<>();
            entries.forEach(sorted::add);
            sorted.stream()
                    .filter(entry -> !decided.containsKey(entry) && !isPrivate(entry))
                    .forEach(entry -> showEntry(to, entry));
        } catch (IOException e) {
            // What the caller may not list stays empty for the command.
        }
    }

    private void showEntry(List<String> to, Path entry) {
        if (Files.isSymbolicLink(entry)) {
            link(entry).ifPresent(target -> add(to, "--symlink", target, entry.toString()));
        } else if (listed.contains(entry)) {
            list(to, entry);
        } else if (Files.isDirectory(entry) || Files.isRegularFile(entry)) {
            add(to, "--ro-bind-try", entry.toString(), entry.toString());
        }
    }

    private static Optional<String> link(Path link) {
        try {
            return Optional.of(Files.readSymbolicLink(link).toString());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** With the network on, names are resolved by what {@code /etc/resolv.conf} points to, often below {@code /run}. */
    private void showResolver() {
        if (profile.network() != Network.ON) {
            return;
        }
        try {
            Path real = files.getPath("/etc/resolv.conf").toRealPath();
            if (!shows(real)) {
                add(granted, "--ro-bind-try", real.toString(), real.toString());
            }
        } catch (IOException e) {
            // A host without a resolver: nothing to show.
        }
    }

    /** Last, when every mount point is made: what was made anew becomes read-only, the root as well. */
    private void seal() {
        sealed.descendingSet().forEach(path -> add(granted, "--remount-ro", path.toString()));
        add(granted, "--remount-ro", "/");
        int count = base.size() + granted.size();
        if (count > MOST_ARGUMENTS) {
            refused.add(new Refusal(
                    "readable",
                    "the profile needs " + count + " of bubblewrap's arguments, of which it takes at most "
                            + MOST_ARGUMENTS + ": grant directories instead of single files, or hide fewer paths in"
                            + " directories that are this full"));
        }
    }

    private static void add(List<String> to, String... arguments) {
        to.addAll(List.of(arguments));
    }
}
