package dev.stockade.api.internal;

import dev.stockade.api.Profile;
import dev.stockade.api.Profile.Access;
import dev.stockade.api.Profile.Grant;
import dev.stockade.api.Profile.Tmp;
import dev.stockade.api.spi.Assessment.Refusal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A profile whose paths have been looked up: links followed, duplicates collapsed, missing extras left out.
 *
 * @param profile what a backend is asked to hold
 * @param notices what was left out or added, for people
 * @param refused what no backend may hold: paths that a confined command may have bent
 */
public record Resolution(Profile profile, List<String> notices, List<Refusal> refused) {

    /** As many links in a row as Linux follows: path_resolution(7). */
    private static final int MOST_LINKS = 40;

    /** Where paths are doors into the kernel, not data. */
    private static final List<String> KERNEL = List.of("/proc", "/dev", "/sys");

    /** Looks the paths up. */
    public static Resolution of(Profile asked) {
        return new Work(asked).resolution();
    }

    private static final class Work {

        private final Profile asked;
        private final Set<Path> writable = new TreeSet<>();
        private final Map<Path, Access> granted = new TreeMap<>();
        private final List<String> notices = new ArrayList<>();
        private final List<Refusal> refused = new ArrayList<>();

        Work(Profile asked) {
            this.asked = asked;
            // Read-only now, the workspace may have been writable for the command that planted something in it.
            writable.add(asked.workspace());
            if (asked.tmp() == Tmp.SHARED) {
                real(asked.workspace().getFileSystem().getPath("/tmp")).ifPresent(writable::add);
            }
            for (Grant grant : asked.grants()) {
                if (grant.access() == Access.WRITE) {
                    real(grant.path()).ifPresent(writable::add);
                }
            }
        }

        Resolution resolution() {
            if (!real(asked.workspace()).equals(Optional.of(asked.workspace()))
                    || !Files.isDirectory(asked.workspace())) {
                refused.add(new Refusal(
                        "workspace",
                        asked.workspace() + " was removed, or replaced by a link, since this profile was made: restore"
                                + " it, or make the profile anew"));
                return new Resolution(asked, List.of(), List.copyOf(refused));
            }
            asked.grants().forEach(this::resolve);
            GitWorktree.commonDirectory(asked.workspace(), writable).ifPresent(this::grantGit);
            Profile.Builder resolved = Profile.builder(asked.workspace())
                    .reads(asked.reads())
                    .network(asked.network())
                    .env(asked.environment().toArray(String[]::new))
                    .tmp(asked.tmp())
                    .limits(asked.limits());
            asked.settings().forEach(resolved::set);
            if (asked.workspaceAccess() == Access.READ) {
                resolved.workspaceReadOnly();
            }
            granted.forEach((path, access) -> grant(resolved, path, access));
            return new Resolution(resolved.build(), List.copyOf(notices), List.copyOf(refused));
        }

        private void grant(Profile.Builder to, Path path, Access access) {
            if (path.equals(asked.workspace())) {
                // Another name for the workspace: it can be tightened that way, but not hidden from its own command.
                if (access == Access.HIDE) {
                    refused.add(new Refusal("hidden", path + " is the workspace itself, which cannot be hidden"));
                } else if (access == Access.READ) {
                    to.workspaceReadOnly();
                }
                return;
            }
            switch (access) {
                case HIDE -> to.hidden(path);
                case READ -> to.readable(path);
                case WRITE -> to.writable(path);
            }
        }

        private void resolve(Grant grant) {
            Walk walk = walk(grant.path());
            String key = key(grant.access());
            if (walk.bent().isPresent()) {
                refused.add(new Refusal(
                        key,
                        grant.path() + " leads through the link " + walk.bent().get()
                                + ", which lies where a confined command can write and so may have been planted; name"
                                + " the link's target instead, or remove the link"));
                return;
            }
            // What exists has one real name, also where names differ in case only and are the same.
            Optional<Path> real = real(grant.path());
            Path path = real.orElse(walk.end());
            boolean restricts = grant.access() == Access.HIDE || isCarveOut(path, grant.access());
            if (path.getParent() == null) {
                refused.add(new Refusal(
                        key, grant.path() + " leads to the root directory, which can be neither granted nor hidden"));
            } else if (grant.access() != Access.HIDE
                    && (isKernel(grant.path(), grant.access()) || isKernel(path, grant.access()))) {
                refused.add(new Refusal(key, grant.path() + " is a door into the kernel and cannot be granted"));
            } else if (restricts && real.isEmpty() && Files.isSymbolicLink(path)) {
                refused.add(new Refusal(key, grant.path() + " leads into a loop of links: mend the links"));
            } else if (restricts || real.isPresent()) {
                // Of two names for one path the stricter decides: HIDE before READ before WRITE.
                granted.merge(path, grant.access(), (a, b) -> a.compareTo(b) <= 0 ? a : b);
            } else {
                notices.add(key + ": " + grant.path() + " does not exist and was skipped");
            }
        }

        private void grantGit(Path directory) {
            boolean covered = directory.startsWith(asked.workspace())
                    || granted.keySet().stream().anyMatch(directory::startsWith);
            if (!covered) {
                granted.put(directory, Access.READ);
                notices.add("readable: " + directory + ", since the workspace is a git worktree of it");
            }
        }

        private boolean isCarveOut(Path path, Access access) {
            return access == Access.READ && writable.stream().anyMatch(path::startsWith);
        }

        private static boolean isKernel(Path path, Access access) {
            return KERNEL.stream().anyMatch(path::startsWith) && !(access == Access.READ && path.startsWith("/sys"));
        }

        private static String key(Access access) {
            return switch (access) {
                case HIDE -> "hidden";
                case READ -> "readable";
                case WRITE -> "writable";
            };
        }

        private static Optional<Path> real(Path path) {
            try {
                return Optional.of(path.toRealPath());
            } catch (IOException e) {
                return Optional.empty();
            }
        }

        /** Where a path leads, and the first link on the way that a confined command could have made. */
        private record Walk(Path end, Optional<Path> bent) {}

        private Walk walk(Path path) {
            Optional<Path> bent = Optional.empty();
            int links = 0;
            Path at = path.getRoot();
            List<Path> ahead = names(path);
            while (!ahead.isEmpty()) {
                Path next = at.resolve(ahead.remove(0)).normalize();
                if (!Files.isSymbolicLink(next)) {
                    at = next;
                    continue;
                }
                Path parent = at;
                if (bent.isEmpty() && writable.stream().anyMatch(parent::startsWith)) {
                    bent = Optional.of(next);
                }
                try {
                    if (++links > MOST_LINKS) {
                        return new Walk(next, bent);
                    }
                    Path target = Files.readSymbolicLink(next);
                    ahead.addAll(0, names(target));
                    at = target.isAbsolute() ? target.getRoot() : at;
                } catch (IOException e) {
                    return new Walk(next, bent);
                }
            }
            return new Walk(at, bent);
        }

        private static List<Path> names(Path path) {
            List<Path> names = new ArrayList<>();
            path.forEach(names::add);
            return names;
        }
    }
}
