package dev.stockade.config;

import dev.stockade.api.Backends;
import dev.stockade.api.Command;
import dev.stockade.api.Limits;
import dev.stockade.api.Network;
import dev.stockade.api.NoBackendException;
import dev.stockade.api.Profile;
import dev.stockade.api.Profile.Access;
import dev.stockade.api.Profile.Grant;
import dev.stockade.api.ProfileNotSupportedException;
import dev.stockade.api.Sandbox;
import dev.stockade.api.spi.Host;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What the sources come to. Immutable and thread-safe. */
public final class Loaded {

    /**
     * One thing that holds, and who said so.
     *
     * @param rule such as {@code readable /home/me/.m2}
     * @param origin such as {@code profile build}, {@code --rw} or {@code /home/me/.config/stockade/stockade.toml:7}
     */
    public record Rule(String rule, String origin) {

        @Override
        public String toString() {
            return rule + ": from " + origin;
        }
    }

    private final Draft draft;
    private final String base;
    private final List<Path> files;

    Loaded(Draft draft, String base, List<Path> files) {
        this.draft = draft;
        this.base = base;
        this.files = List.copyOf(files);
    }

    /**
     * What a command may touch, unless it is one that gets the network.
     *
     * @return the profile
     */
    public Profile profile() {
        return draft.profile();
    }

    /**
     * What this command may touch: {@link #profile()}, with the network on if a rule gives it to this command. The
     * command's words have to match and so has the file that would be executed: one that lies where a confined command
     * may write never gets the network. What the command itself starts has the network, too. Where a backend shows
     * other files than the host's (an image) the host's are what is looked at.
     *
     * @param command the command
     * @param host the facts
     * @return the profile to run it under
     */
    public Profile profileFor(Command command, Host host) {
        Profile profile = profile();
        boolean matched = profile.network() != Network.ON
                && draft.rules().stream().anyMatch(rule -> rule.matches(command, profile, host));
        return matched ? profile.withNetwork(Network.ON) : profile;
    }

    /**
     * Whether a command may run without a sandbox.
     *
     * @return the mode
     */
    public Mode mode() {
        return draft.mode();
    }

    /**
     * What is to confine.
     *
     * @return a backend's name, or empty for the strongest that works
     */
    public Optional<String> backend() {
        return draft.backend();
    }

    /**
     * The time a command is given.
     *
     * @return empty for any
     */
    public Optional<Duration> timeout() {
        return draft.timeout();
    }

    /**
     * The files that were read.
     *
     * @return the user's own first
     */
    public List<Path> files() {
        return files;
    }

    /**
     * What was named and does not exist, or has no effect.
     *
     * @return sentences for people
     */
    public List<String> notices() {
        return List.copyOf(draft.notices());
    }

    /**
     * Everything that holds, with who said so.
     *
     * @return in a stable order
     */
    public List<Rule> rules() {
        List<Rule> rules = new ArrayList<>();
        Profile profile = profile();
        add(rules, "mode " + lower(mode()), "mode", "the default");
        backend().ifPresent(name -> add(rules, "backend " + name, "backend", base));
        timeout().ifPresent(limit -> add(rules, "timeout " + limit.toMillis() + " ms", "timeout", base));
        String workspace = profile.workspace().toString();
        boolean writable = profile.workspaceAccess() == Access.WRITE;
        add(rules, "workspace " + workspace + (writable ? "" : ", read-only"), workspace, base);
        add(rules, "reads " + lower(profile.reads()), "reads", base);
        add(rules, "network " + lower(profile.network()), "network", base);
        add(rules, "tmp " + lower(profile.tmp()), "tmp", base);
        for (Grant grant : profile.grants()) {
            String path = grant.path().toString();
            add(rules, Grants.word(grant.access()) + " " + path, path, base);
        }
        profile.environment().forEach(name -> add(rules, "env " + name, "env " + name, base));
        limits(profile.limits()).forEach(limit -> add(rules, limit, limit.substring(0, limit.indexOf(' ')), base));
        profile.settings().forEach((key, value) -> add(rules, key + " " + value, key, base));
        draft.ruleOrigins().forEach((rule, origin) -> rules.add(new Rule("network on for " + rule, origin.text())));
        return rules;
    }

    private void add(List<Rule> rules, String rule, String subject, String otherwise) {
        rules.add(new Rule(rule, draft.origin(subject).map(Origin::text).orElse(otherwise)));
    }

    private static List<String> limits(Limits limits) {
        List<String> all = new ArrayList<>();
        limits.memoryBytes().ifPresent(bytes -> all.add("limits.memory " + bytes));
        limits.cpus().ifPresent(share -> all.add("limits.cpus " + share));
        limits.processes().ifPresent(count -> all.add("limits.processes " + count));
        return all;
    }

    private static String lower(Enum<?> word) {
        return word.name().toLowerCase(Locale.ROOT);
    }

    /**
     * The backends that may be chosen from: the one that is named; the one that confines nothing where the mode is off,
     * with a notice.
     *
     * @param installed all there are
     * @return those
     * @throws NoBackendException if there is none of that name
     */
    public Backends backends(Backends installed) {
        if (mode() == Mode.OFF) {
            return unconfined(
                    installed,
                    "mode is off (" + draft.origin("mode").map(Origin::text).orElse("the default") + ")");
        }
        return backend().map(installed::only).orElse(installed);
    }

    private static Backends unconfined(Backends installed, String why) {
        return installed.only("none").noting("nothing is confined: " + why);
    }

    /**
     * Opens a sandbox as the mode asks. Where that is {@link Mode#AUTO} and no sandbox works here the command runs
     * unconfined, with a notice; where one works that cannot keep trees inside a writable one read-only or hidden,
     * these are left writable, with a notice. A sandbox that does not hold what it claims always ends it.
     *
     * @param installed all backends there are
     * @return the sandbox
     * @throws dev.stockade.api.SandboxException as {@link Backends#open}
     */
    public Sandbox open(Backends installed) {
        Backends chosen = backends(installed);
        if (mode() == Mode.OFF) {
            return chosen.open(withoutLimits(profile()));
        }
        try {
            return chosen.open(profile());
        } catch (NoBackendException e) {
            if (mode() != Mode.AUTO) {
                throw e;
            }
            return unconfined(installed, "no sandbox works here, and mode is auto")
                    .open(withoutLimits(profile()));
        } catch (ProfileNotSupportedException e) {
            Profile carved = withoutCarveOuts(profile());
            if (mode() != Mode.AUTO || carved.equals(profile())) {
                throw e;
            }
            Backends noting = chosen;
            for (Profile.Change left : profile().diff(carved)) {
                noting = noting.noting(
                        left.what() + " is not kept " + left.from() + ", since no backend here can, and mode is auto");
            }
            return noting.open(carved);
        }
    }

    /** Nothing holds limits where nothing confines. */
    private static Profile withoutLimits(Profile profile) {
        return profile.toBuilder().limits(Limits.NONE).build();
    }

    private static Profile withoutCarveOuts(Profile profile) {
        Profile.Builder rest = profile.toBuilder();
        Profile now = profile;
        for (Grant grant : profile.grants()) {
            Path parent = grant.path().getParent();
            boolean inside = parent != null && now.accessTo(parent).equals(Optional.of(Access.WRITE));
            if (inside && grant.access() != Access.WRITE) {
                rest.writable(grant.path());
                now = rest.build();
            }
        }
        return now;
    }
}
