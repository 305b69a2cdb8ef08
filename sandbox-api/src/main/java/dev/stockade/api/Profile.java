package dev.stockade.api;

import dev.stockade.api.internal.InstalledProfiles;
import dev.stockade.api.spi.Host;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What one command may touch. An immutable value; two profiles that allow the same in the same words are equal.
 *
 * <p>Everything starts closed: the workspace is writable, the operating system is readable, the network is off, no
 * variable of the caller's environment crosses, {@code /tmp} is private. Paths nest, and the longest path wins: a
 * readable path inside a writable one is a read-only carve-out, a hidden one inside either is not seen.
 *
 * <p>A link among the paths is followed once, when a sandbox is opened; one that lies where a confined command can
 * write is refused. A readable or writable path that does not exist then is skipped with a notice; a restriction (a
 * read-only or hidden path) is never skipped: it is held, or the profile is refused.
 */
public final class Profile {

    /** What may be done with a path and everything below it. */
    public enum Access {
        /** Neither its contents nor its names are seen. */
        HIDE,
        /** Read and executed. */
        READ,
        /** Read, executed, created, changed and removed. */
        WRITE
    }

    /** What is readable without being named. */
    public enum Reads {
        /** The operating system: {@code /usr}, {@code /etc} without its secrets, {@code /opt} and the like. */
        SYSTEM,
        /** All that the caller could read, less what is hidden. */
        HOST
    }

    /** Which {@code /tmp} a command sees. */
    public enum Tmp {
        /** One of its own, gone with the sandbox. */
        PRIVATE,
        /** The host's. */
        SHARED
    }

    /**
     * One path and what may be done with it.
     *
     * @param path absolute and normalised; need not exist
     * @param access what may be done with it
     */
    public record Grant(Path path, Access access) {}

    /**
     * One respect in which two profiles differ.
     *
     * @param what a path, or the name of a setting as in a configuration file, such as {@code network}
     * @param from what the first says
     * @param to what the second says
     * @param widens whether the second allows more here
     */
    public record Change(String what, String from, String to, boolean widens) {}

    private final Path workspace;
    private final Access workspaceAccess;
    private final Reads reads;
    private final List<Grant> grants;
    private final Network network;
    private final SortedSet<String> environment;
    private final Tmp tmp;
    private final Limits limits;
    private final SortedMap<String, String> settings;

    private Profile(Builder from) {
        workspace = from.workspace;
        workspaceAccess = from.workspaceAccess;
        reads = from.reads;
        grants = from.grants.entrySet().stream()
                .map(entry -> new Grant(entry.getKey(), entry.getValue()))
                .sorted((a, b) -> a.path().compareTo(b.path()))
                .toList();
        network = from.network;
        environment = Collections.unmodifiableSortedSet(new TreeSet<>(from.environment));
        tmp = from.tmp;
        limits = from.limits;
        settings = Collections.unmodifiableSortedMap(new TreeMap<>(from.settings));
    }

    /**
     * Starts from the strict defaults.
     *
     * @param workspace a directory that exists; a link to one is followed now
     * @return a builder
     * @throws IllegalArgumentException if there is no such directory, or it holds the operating system itself
     */
    public static Builder builder(Path workspace) {
        return new Builder(Workspaces.checked(workspace));
    }

    /**
     * A profile that is installed under a name, such as {@code strict}, {@code read-only}, {@code build} or
     * {@code write-guard}, which are built in.
     *
     * @param name the name
     * @param workspace a directory that exists
     * @return the profile
     * @throws IllegalArgumentException if there is none of that name (the message lists those that there are), or the
     *     workspace cannot be one
     */
    public static Profile named(String name, Path workspace) {
        return InstalledProfiles.named(name).profile(name, workspace, Host.local());
    }

    /**
     * Starts from this profile.
     *
     * @return a builder
     */
    public Builder toBuilder() {
        Builder builder = new Builder(workspace);
        builder.workspaceAccess = workspaceAccess;
        builder.reads = reads;
        grants.forEach(grant -> builder.grants.put(grant.path(), grant.access()));
        builder.network = network;
        builder.environment.addAll(environment);
        builder.tmp = tmp;
        builder.limits = limits;
        builder.settings.putAll(settings);
        return builder;
    }

    /**
     * The same, with the network decided differently.
     *
     * @param decided the network
     * @return the new profile
     */
    public Profile withNetwork(Network decided) {
        return toBuilder().network(decided).build();
    }

    /**
     * The directory the command works in.
     *
     * @return a real path: absolute, without links
     */
    public Path workspace() {
        return workspace;
    }

    /**
     * What may be done with the workspace.
     *
     * @return {@link Access#WRITE}, or {@link Access#READ} if it is read-only
     */
    public Access workspaceAccess() {
        return workspaceAccess;
    }

    /**
     * What is readable without being named.
     *
     * @return the operating system, or all of the host
     */
    public Reads reads() {
        return reads;
    }

    /**
     * The paths that were named, the workspace not among them.
     *
     * @return one grant a path, sorted by path
     */
    public List<Grant> grants() {
        return grants;
    }

    /**
     * What the command may reach.
     *
     * @return the network setting
     */
    public Network network() {
        return network;
    }

    /**
     * The variables that cross from the caller's environment.
     *
     * @return their names, sorted
     */
    public SortedSet<String> environment() {
        return environment;
    }

    /**
     * Which {@code /tmp} the command sees.
     *
     * @return private or shared
     */
    public Tmp tmp() {
        return tmp;
    }

    /**
     * The ceilings.
     *
     * @return the limits, {@link Limits#NONE} if there are none
     */
    public Limits limits() {
        return limits;
    }

    /**
     * What only one backend understands, such as {@code docker.image}.
     *
     * @return values by {@code backend.key}, sorted
     */
    public SortedMap<String, String> settings() {
        return settings;
    }

    /**
     * What may be done with a path: the longest path that is named and holds it decides.
     *
     * @param path relative ones are taken from the current directory; links are not followed
     * @return empty where only the backend knows: it may be part of the operating system, or of a private {@code /tmp}
     */
    public Optional<Access> accessTo(Path path) {
        return ProfileAlgebra.accessTo(this, path);
    }

    /**
     * Whether this allows nothing that the other does not. True is certain; false may mean that it cannot be known: two
     * readable trees are compared by their names, so resolve links first, and what a backend shows unasked (the
     * operating system, its own {@code /tmp}) is taken to be less than anything that is named.
     *
     * <p>This is a partial order, up to words that change nothing, such as a readable path inside a readable one.
     *
     * @param other the other profile
     * @return whether this is at most as wide
     */
    public boolean isAtMost(Profile other) {
        return ProfileAlgebra.isAtMost(this, other);
    }

    /**
     * What both allow, in this profile's workspace. Where that has no words of its own it is less.
     *
     * @param other the other profile
     * @return a profile that {@link #isAtMost} both
     * @throws IllegalArgumentException if the other does not let this workspace be read
     */
    public Profile narrow(Profile other) {
        return ProfileAlgebra.narrow(this, other);
    }

    /**
     * What changes from this to another profile. The other {@link #isAtMost} this exactly if no change widens.
     *
     * @param other the other profile
     * @return one change for each thing that differs, none exactly if the two are equal
     */
    public List<Change> diff(Profile other) {
        return ProfileAlgebra.diff(this, other);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Profile that
                && workspace.equals(that.workspace)
                && workspaceAccess == that.workspaceAccess
                && reads == that.reads
                && grants.equals(that.grants)
                && network == that.network
                && environment.equals(that.environment)
                && tmp == that.tmp
                && limits.equals(that.limits)
                && settings.equals(that.settings);
    }

    @Override
    public int hashCode() {
        return Objects.hash(workspace, workspaceAccess, reads, grants, network, environment, tmp, limits, settings);
    }

    @Override
    public String toString() {
        return "workspace " + workspace + " " + workspaceAccess + ", reads " + reads + ", " + grants + ", network "
                + network + ", environment " + environment + ", tmp " + tmp + ", " + limits + ", " + settings;
    }

    /** Collects what a profile allows. Of two calls that name one path the later one decides. Not thread-safe. */
    public static final class Builder {

        private final Path workspace;
        private Access workspaceAccess = Access.WRITE;
        private Reads reads = Reads.SYSTEM;
        private final Map<Path, Access> grants = new LinkedHashMap<>();
        private Network network = Network.OFF;
        private final List<String> environment = new ArrayList<>();
        private Tmp tmp = Tmp.PRIVATE;
        private Limits limits = Limits.NONE;
        private final Map<String, String> settings = new LinkedHashMap<>();

        Builder(Path workspace) {
            this.workspace = workspace;
        }

        /**
         * Makes the workspace itself read-only.
         *
         * @return this builder
         */
        public Builder workspaceReadOnly() {
            workspaceAccess = Access.READ;
            return this;
        }

        /**
         * Chooses what is readable without being named.
         *
         * @param what the operating system (the default), or all of the host
         * @return this builder
         */
        public Builder reads(Reads what) {
            reads = Objects.requireNonNull(what);
            return this;
        }

        /**
         * Lets paths be read. Inside a writable tree this makes them read-only.
         *
         * @param paths relative ones are taken from the current directory
         * @return this builder
         */
        public Builder readable(Path... paths) {
            return grant(Access.READ, paths);
        }

        /**
         * Lets paths be written.
         *
         * @param paths relative ones are taken from the current directory
         * @return this builder
         * @throws IllegalArgumentException for the root directory
         */
        public Builder writable(Path... paths) {
            return grant(Access.WRITE, paths);
        }

        /**
         * Hides paths.
         *
         * @param paths relative ones are taken from the current directory
         * @return this builder
         * @throws IllegalArgumentException for the workspace itself
         */
        public Builder hidden(Path... paths) {
            return grant(Access.HIDE, paths);
        }

        Builder grant(Access access, Path... paths) {
            for (Path path : paths) {
                Path absolute = Workspaces.absolute(path);
                if (absolute.equals(workspace)) {
                    if (access == Access.HIDE) {
                        throw new IllegalArgumentException("the workspace " + workspace + " cannot be hidden");
                    }
                    workspaceAccess = access;
                } else if (absolute.getParent() == null) {
                    throw new IllegalArgumentException(
                            "the root directory cannot be granted or hidden; to read all of the host, use reads(HOST)");
                } else {
                    grants.put(absolute, access);
                }
            }
            return this;
        }

        /**
         * Decides the network.
         *
         * @param decided the network, {@link Network#OFF} unless called
         * @return this builder
         */
        public Builder network(Network decided) {
            network = Objects.requireNonNull(decided);
            return this;
        }

        /**
         * Lets variables of the caller's environment cross, as far as they are set when a command starts.
         *
         * @param names their names
         * @return this builder
         * @throws IllegalArgumentException for a name that no variable can have
         */
        public Builder env(String... names) {
            for (String name : names) {
                environment.add(Command.checkedName(name));
            }
            return this;
        }

        /**
         * Chooses {@code /tmp}.
         *
         * @param which private (the default) or shared
         * @return this builder
         */
        public Builder tmp(Tmp which) {
            tmp = Objects.requireNonNull(which);
            return this;
        }

        /**
         * Sets ceilings.
         *
         * @param ceilings the limits
         * @return this builder
         */
        public Builder limits(Limits ceilings) {
            limits = Objects.requireNonNull(ceilings);
            return this;
        }

        /**
         * Says what only one backend understands.
         *
         * @param key the backend's name, a dot and one of the keys in its settings, such as {@code docker.image}
         * @param value its value
         * @return this builder
         * @throws IllegalArgumentException for a key without a backend's name
         */
        public Builder set(String key, String value) {
            if (key.indexOf('.') <= 0 || key.endsWith(".")) {
                throw new IllegalArgumentException("a setting is named backend.key, such as docker.image, not " + key);
            }
            settings.put(key, Objects.requireNonNull(value));
            return this;
        }

        /**
         * Ends the building.
         *
         * @return the profile
         */
        public Profile build() {
            return new Profile(this);
        }
    }

    /** What is asked of every path that comes in. */
    private static final class Workspaces {

        /** The operating system: a command that may write it is not confined. */
        private static final Set<String> SYSTEM =
                Set.of("/", "/usr", "/etc", "/bin", "/sbin", "/lib", "/dev", "/proc", "/sys", "/boot", "/run", "/var");

        /** On macOS {@code /etc} and {@code /var} are links. */
        private static final Set<String> MAC_SYSTEM =
                Set.of("/System", "/Library", "/private", "/private/etc", "/private/var");

        /** What {@code /bin} and the like point to where they are links. */
        private static final List<String> MERGED = List.of("/usr/bin", "/usr/sbin", "/usr/lib", "/usr/lib64");

        /** Where files are doors into the kernel; memory below {@code /dev/shm} is not. */
        private static final List<String> KERNEL = List.of("/proc", "/sys", "/dev");

        private static Path checked(Path workspace) {
            Path real;
            try {
                real = absolute(workspace).toRealPath();
            } catch (NoSuchFileException e) {
                throw new IllegalArgumentException("the workspace " + workspace + " does not exist", e);
            } catch (IOException e) {
                throw new IllegalArgumentException("the workspace " + workspace + " cannot be reached: " + e, e);
            }
            if (!Files.isDirectory(real)) {
                throw new IllegalArgumentException("the workspace " + workspace + " is not a directory");
            }
            if (SYSTEM.contains(real.toString()) || MAC_SYSTEM.contains(real.toString())) {
                throw new IllegalArgumentException("the workspace cannot be " + real
                        + ", which belongs to the operating system; name the directory of one project");
            }
            if (MERGED.contains(real.toString()) || isKernel(real)) {
                throw new IllegalArgumentException("the workspace cannot be " + real
                        + ", which is part of the operating system; name the directory of one project");
            }
            return real;
        }

        private static boolean isKernel(Path path) {
            return KERNEL.stream().anyMatch(path::startsWith)
                    && !(path.startsWith("/dev/shm") && path.getNameCount() > 2);
        }

        private static Path absolute(Path path) {
            return path.toAbsolutePath().normalize();
        }
    }
}
