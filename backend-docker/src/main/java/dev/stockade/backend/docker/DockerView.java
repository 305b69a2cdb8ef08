package dev.stockade.backend.docker;

import dev.stockade.api.Profile;
import dev.stockade.api.Profile.Access;
import dev.stockade.api.Profile.Reads;
import dev.stockade.api.spi.Assessment.Refusal;
import dev.stockade.api.spi.Host;
import dev.stockade.linux.host.EtcSecrets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which of the host's files a command sees, beside the image: one mount a path, at the path it has on the host.
 *
 * <p>A mount's target is created where it does not exist, and inside a mounted tree that would be on the host. So what is
 * covered there must exist.
 */
final class DockerView {

    /** What is mounted on a path. */
    private enum Kind {
        WRITE,
        READ,
        EMPTY_DIRECTORY,
        EMPTY_FILE
    }

    private final Profile profile;
    private final Host host;
    private final TreeMap<Path, Access> decided = new TreeMap<>();
    private final TreeMap<Path, Kind> mounts = new TreeMap<>();
    private final List<Path> restrictions = new ArrayList<>();
    private final List<Refusal> refused = new ArrayList<>();

    private DockerView(Profile profile, Host host) {
        this.profile = profile;
        this.host = host;
    }

    static DockerView of(Profile profile, Host host) {
        DockerView view = new DockerView(profile, host);
        view.decide();
        view.decided.forEach(view::mount);
        return view;
    }

    /** What cannot be held. */
    List<Refusal> refused() {
        return refused;
    }

    /** The path that decides about this one; empty where the image does. */
    Optional<Path> decision(@Nullable Path path) {
        for (Path at = path; at != null; at = at.getParent()) {
            if (decided.containsKey(at)) {
                return Optional.of(at);
            }
        }
        return Optional.empty();
    }

    /** Whether a command could do so much with a path of the host's. */
    boolean allows(Path path, Access access) {
        return decision(path)
                .filter(at -> decided.getOrDefault(at, Access.HIDE).compareTo(access) >= 0)
                .isPresent();
    }

    /** Read-only and hidden paths inside writable trees, which a command may have moved between two containers. */
    List<Path> restrictions() {
        return restrictions;
    }

    /** Whether {@code /tmp} is left for the container's own. */
    boolean ownsTmp() {
        return !mounts.containsKey(tmp());
    }

    Path tmp() {
        return host.files().getPath("/tmp");
    }

    /** Where mounts lie in the container's own {@code /tmp}, but not in each other. */
    List<Path> mountedInTmp() {
        return ownsTmp()
                ? mounts.keySet().stream()
                        .filter(path -> path.startsWith(tmp())
                                && mounts.keySet().stream()
                                        .noneMatch(other -> !other.equals(path) && path.startsWith(other)))
                        .toList()
                : List.of();
    }

    /** The mount arguments, with an empty file of the host's that covers hidden ones. */
    List<String> arguments(Path emptyFile) {
        List<String> all = new ArrayList<>();
        mounts.forEach((path, kind) -> {
            all.add("--mount");
            all.add(
                    switch (kind) {
                        case WRITE -> bind(path, path);
                        case READ -> readOnly(path, path);
                        case EMPTY_FILE -> readOnly(emptyFile, path);
                        case EMPTY_DIRECTORY -> csv("type=tmpfs", "target=" + path, "readonly", "tmpfs-mode=0555");
                    });
        });
        return all;
    }

    static String bind(Path source, Path target) {
        return csv("type=bind", "source=" + source, "target=" + target);
    }

    /** Without the mounts below it: engines before 25 would leave them writable. */
    static String readOnly(Path source, Path target) {
        return csv("type=bind", "source=" + source, "target=" + target, "readonly", "bind-nonrecursive");
    }

    /** One line of CSV, as the client reads it: RFC 4180. */
    private static String csv(String... fields) {
        List<String> quoted = new ArrayList<>();
        for (String field : fields) {
            boolean plain = field.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
            quoted.add(plain ? field : '"' + field.replace("\"", "\"\"") + '"');
        }
        return String.join(",", quoted);
    }

    private void decide() {
        if (profile.reads() == Reads.HOST) {
            refused.add(new Refusal(
                    "reads",
                    "in a container the operating system is the image's, so the host cannot be read as a whole: grant"
                            + " what is needed with readable, or use another backend"));
        }
        profile.grants().forEach(grant -> decided.put(grant.path(), grant.access()));
        decided.put(profile.workspace(), profile.workspaceAccess());
        if (profile.tmp() == Profile.Tmp.SHARED) {
            decided.putIfAbsent(tmp(), Access.WRITE);
        }
        for (Path secret : EtcSecrets.under(host.files().getPath("/etc"))) {
            if (allows(secret, Access.READ)) {
                decided.putIfAbsent(secret, Access.HIDE);
            }
        }
    }

    private void mount(Path path, Access access) {
        Optional<Path> around = decision(path.getParent());
        Optional<Access> outer = around.map(at -> decided.getOrDefault(at, Access.HIDE));
        if (path.getParent() == null) {
            refused.add(new Refusal(
                    access == Access.WRITE ? "writable" : "readable",
                    "the root of the file system is the image's: grant what lies below it"));
        } else if (outer.isEmpty() && access != Access.HIDE) {
            mounts.put(path, access == Access.WRITE ? Kind.WRITE : Kind.READ);
        } else if (outer.isPresent() && outer.get() != access) {
            cover(path, access, around.orElseThrow(), outer.get());
        }
    }

    /** Mounts on a path that another mount shows already. */
    private void cover(Path path, Access access, Path around, Access outer) {
        String key = switch (access) {
            case HIDE -> "hidden";
            case READ -> "readable";
            case WRITE -> "writable";
        };
        if (outer == Access.HIDE) {
            refused.add(new Refusal(
                    key,
                    path + " lies in " + around + ", which is hidden, and nothing can be mounted into what is hidden in"
                            + " a container: hide less"));
            return;
        }
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            refused.add(new Refusal(
                    key,
                    path + " does not exist, and lies in " + around + ": it could be covered in a container only by"
                            + " creating it there. Create it, or leave it out"));
            return;
        }
        if (outer == Access.WRITE) {
            pin(around, path);
            restrictions.add(path);
        }
        mounts.put(
                path,
                switch (access) {
                    case WRITE -> Kind.WRITE;
                    case READ -> Kind.READ;
                    case HIDE ->
                        Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS) ? Kind.EMPTY_DIRECTORY : Kind.EMPTY_FILE;
                });
    }

    /** Mounts the directories on the way down on themselves: a mount point cannot be renamed, nor can what is in it. */
    private void pin(Path tree, Path path) {
        for (Path at = path.getParent(); at != null && !at.equals(tree); at = at.getParent()) {
            mounts.putIfAbsent(at, Kind.WRITE);
        }
    }
}
