package dev.stockade.cli;

import dev.stockade.api.Backends;
import dev.stockade.api.Backends.Verdict;
import dev.stockade.api.Command;
import dev.stockade.api.LaunchException;
import dev.stockade.api.Network;
import dev.stockade.api.Profile;
import dev.stockade.api.Profile.Access;
import dev.stockade.api.Reach;
import dev.stockade.api.spi.Assessment.Refusal;
import dev.stockade.api.spi.Host;
import dev.stockade.cli.Trace.Traced;
import dev.stockade.cli.trace.Judge;
import dev.stockade.cli.trace.Judge.Judged;
import dev.stockade.cli.trace.Operation;
import dev.stockade.cli.trace.Verdict.OpenNetwork;
import dev.stockade.cli.trace.Verdict.OpenPath;
import dev.stockade.config.Amendment;
import dev.stockade.config.ConfigurationException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * The smallest change to a configuration file that allows what a command was likely refused. Each part has been tried on
 * the configuration as a whole: what another source keeps closed is left out, and said.
 *
 * @param change the change; it may be none
 * @param notes what could not be proposed, and why
 */
record Proposal(Amendment change, List<String> notes) {

    /** From how many files of one directory on it is proposed instead of them. */
    private static final int MANY = 8;

    static Proposal of(
            Traced traced, Arguments arguments, Backends backends, Host host, Request request, Command command) {
        return new Making(arguments, backends, host, request, command).make(traced);
    }

    boolean isEmpty() {
        return change.diff().isEmpty();
    }

    private static final class Making {
        private final Arguments arguments;
        private final Backends backends;
        private final Host host;
        private final Request request;
        private final Command command;
        private final List<String> notes = new ArrayList<>();
        private Amendment change;

        Making(Arguments arguments, Backends backends, Host host, Request request, Command command) {
            this.arguments = arguments;
            this.backends = backends;
            this.host = host;
            this.request = request;
            this.command = command;
            this.change = Amendment.of(Request.widening(arguments, host));
        }

        Proposal make(Traced traced) {
            Map<Path, Boolean> paths = new TreeMap<>();
            Set<Reach> reaches = EnumSet.noneOf(Reach.class);
            for (Judged judged : traced.likely()) {
                if (judged.verdict() instanceof OpenPath open) {
                    paths.merge(open.path(), open.writable(), Boolean::logicalOr);
                } else if (judged.verdict() instanceof OpenNetwork open) {
                    reaches.add(open.reach());
                }
            }
            outermost(gathered(paths)).forEach(this::open);
            if (traced.backend().isEmpty()) {
                findable();
            } else if (!reaches.isEmpty()) {
                network(reaches, traced.backend().get());
            }
            return new Proposal(change, List.copyOf(notes));
        }

        /** Many files of one directory become that directory, if it may be opened. */
        private Map<Path, Boolean> gathered(Map<Path, Boolean> paths) {
            Judge judge = new Judge(request.profile(), host);
            Map<Path, List<Path>> read = new LinkedHashMap<>();
            paths.forEach((path, writable) -> {
                if (!writable && path.getParent() != null) {
                    read.computeIfAbsent(path.getParent(), parent -> new ArrayList<>())
                            .add(path);
                }
            });
            Map<Path, Boolean> gathered = new TreeMap<>(paths);
            read.forEach((directory, files) -> {
                if (files.size() >= MANY && judge.mayOpen(directory, Operation.READ)) {
                    gathered.putIfAbsent(directory, false);
                }
            });
            return gathered;
        }

        /** Without what lies in another one that allows as much. */
        private static Map<Path, Boolean> outermost(Map<Path, Boolean> paths) {
            Map<Path, Boolean> outermost = new TreeMap<>(paths);
            outermost
                    .entrySet()
                    .removeIf(inner -> paths.entrySet().stream()
                            .anyMatch(outer -> !inner.getKey().equals(outer.getKey())
                                    && inner.getKey().startsWith(outer.getKey())
                                    && (outer.getValue() || !inner.getValue())));
            return outermost;
        }

        private void open(Path path, boolean writable) {
            String key = writable ? "writable" : "readable";
            Access wanted = writable ? Access.WRITE : Access.READ;
            propose(
                    key + " " + path,
                    amendment -> amendment.add(key, written(path)),
                    profile -> profile.accessTo(path)
                            .filter(access -> access.compareTo(wanted) >= 0)
                            .isPresent());
        }

        private String written(Path path) {
            Path home = host.home();
            return path.startsWith(home) && !path.equals(home) ? "~/" + home.relativize(path) : path.toString();
        }

        /** A program in a directory of the caller's search path is found only if that path crosses. */
        private void findable() {
            if (!isFound() && !command.argv().get(0).contains("/")) {
                propose(
                        "env PATH",
                        amendment -> amendment.add("env", "PATH"),
                        profile -> profile.environment().contains("PATH"));
            }
        }

        private boolean isFound() {
            try {
                Request changed = Request.amended(arguments, backends, host, change);
                changed.backends().plan(changed.loaded().profileFor(command, host), command);
                return true;
            } catch (LaunchException e) {
                return false;
            }
        }

        private void network(Set<Reach> reaches, String backend) {
            Optional<Network> level = smallest(reaches, backend);
            if (level.isEmpty()) {
                notes.add("no setting of network lets a command " + phrases(reaches) + " under " + backend
                        + "; another backend may: stockade explain --network on");
            } else if (level.get() == Network.ON) {
                List<String> argv = command.argv();
                Predicate<Profile> isOn = profile -> profile.network() == Network.ON;
                if (!tried(amendment -> amendment.networkFor(argv), isOn).isEmpty()) {
                    propose("network on", amendment -> amendment.word("network", "on"), isOn);
                }
            } else {
                propose(
                        "network loopback",
                        amendment -> amendment.word("network", "loopback"),
                        profile -> profile.network() != Network.OFF);
            }
        }

        private static String phrases(Set<Reach> reaches) {
            return String.join(" or ", reaches.stream().map(Reach::phrase).toList());
        }

        private Optional<Network> smallest(Set<Reach> reaches, String backend) {
            Profile now = request.loaded().profileFor(command, host);
            for (Network level : Network.values()) {
                if (level.compareTo(now.network()) > 0) {
                    Optional<Verdict> verdict = request.backends().verdicts(now.withNetwork(level)).stream()
                            .filter(each -> each.backend().equals(backend) && each.holds())
                            .findFirst();
                    if (verdict.filter(each -> reaches.stream().allMatch(each.capabilities()::can))
                            .isPresent()) {
                        return Optional.of(level);
                    }
                }
            }
            return Optional.empty();
        }

        private void propose(String what, UnaryOperator<Amendment> part, Predicate<Profile> inForce) {
            tried(part, inForce).ifPresent(why -> notes.add(what + " is not proposed: " + why));
        }

        /** Keeps a part if it comes into force; else says why not. */
        private Optional<String> tried(UnaryOperator<Amendment> part, Predicate<Profile> inForce) {
            try {
                Amendment with = part.apply(change);
                Request changed = Request.amended(arguments, backends, host, with);
                Profile profile = changed.loaded().profileFor(command, host);
                if (!inForce.test(profile)) {
                    return Optional.of("what another source says is stronger; stockade explain tells who said so");
                }
                Optional<String> refused = refused(changed.backends().verdicts(profile));
                if (refused.isEmpty()) {
                    change = with;
                }
                return refused;
            } catch (ConfigurationException | UsageException | IllegalStateException e) {
                return Optional.of(String.valueOf(e.getMessage()));
            }
        }

        /** Why none of the backends that may be chosen could hold it. */
        private Optional<String> refused(List<Verdict> verdicts) {
            List<String> automatic = backends.automatic();
            List<Verdict> asked = verdicts.stream()
                    .filter(verdict -> request.named()
                            .map(verdict.backend()::equals)
                            .orElse(automatic.contains(verdict.backend())))
                    .toList();
            return asked.stream().anyMatch(Verdict::holds)
                    ? Optional.empty()
                    : Optional.of(asked.stream()
                            .flatMap(verdict -> verdict.refused().stream())
                            .map(Refusal::why)
                            .findFirst()
                            .orElse("no backend could hold it"));
        }
    }
}
