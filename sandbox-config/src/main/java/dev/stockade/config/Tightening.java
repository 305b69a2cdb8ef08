package dev.stockade.config;

import dev.stockade.api.Limits;
import dev.stockade.api.Network;
import dev.stockade.api.Profile;
import dev.stockade.api.Profile.Access;
import dev.stockade.api.Profile.Change;
import dev.stockade.api.Profile.Grant;
import dev.stockade.api.Profile.Reads;
import dev.stockade.api.Profile.Tmp;
import dev.stockade.config.ConfigurationException.Problem;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Applies a source that may only tighten: a file that came with the repository, say. What would widen is refused, by
 * name. Paths are compared by where they lead, since a link may have been planted, too.
 */
final class Tightening {

    private final RealPaths real = new RealPaths();
    private final Draft draft;
    private final Profile ceiling;
    private final Set<CommandRule> allowed;
    private final String reason;
    private final List<Problem> problems;

    /**
     * Looks at a draft that holds all that is allowed.
     *
     * @param reason why the source may only tighten
     */
    Tightening(Draft draft, String reason, List<Problem> problems) {
        this.draft = draft;
        this.ceiling = real.of(draft.profile());
        this.allowed = Set.copyOf(draft.rules());
        this.reason = reason;
        this.problems = problems;
    }

    void apply(List<Entry> entries) {
        int before = problems.size();
        Map<Boolean, List<Entry>> paths = entries.stream()
                .collect(Collectors.partitioningBy(entry -> entry.key().kind() == Key.Kind.PATHS));
        paths.getOrDefault(false, List.of()).forEach(this::one);
        grants(paths.getOrDefault(true, List.of()));
        if (problems.size() == before && !entries.isEmpty()) {
            verify(entries.get(0).origin());
        }
    }

    /** The check of each entry has been made; this one asks whether their sum keeps the promise. */
    private void verify(Origin origin) {
        Profile result = real.of(draft.profile());
        if (!result.isAtMost(ceiling)) {
            List<String> wider = ceiling.diff(result).stream()
                    .filter(Change::widens)
                    .map(change -> change.what() + " from " + change.from() + " to " + change.to())
                    .toList();
            problems.add(origin.problem("taken together this widens " + String.join(", ", wider) + "; " + reason));
        }
    }

    /**
     * Narrows to a whole profile that somebody else has written. What it leaves readable is narrowed in silence; what
     * it names is asked for.
     */
    void narrow(String name, Origin origin, Profile named) {
        List<String> asked = new ArrayList<>();
        Profile wanted = real.of(named);
        ceiling.diff(wanted).stream()
                .filter(change -> change.widens() && !change.what().startsWith("/"))
                .forEach(change -> asked.add(change.what() + " " + change.to()));
        for (Grant grant : wanted.grants()) {
            if (grant.access() != Access.HIDE && isMore(grant.access(), grant.path())) {
                asked.add(Grants.word(grant.access()) + " " + grant.path());
            }
        }
        if (asked.isEmpty()) {
            draft.profile(draft.profile().narrow(named));
        } else {
            problems.add(origin.problem("profile \"" + name + "\" is not allowed, for it opens "
                    + String.join(", ", asked) + ": " + reason));
        }
    }

    private boolean isMore(Access asked, Path real) {
        return ceiling.accessTo(real)
                .filter(access -> access.compareTo(asked) >= 0)
                .isEmpty();
    }

    private void grants(List<Entry> grants) {
        Profile.Builder words = draft.profile().toBuilder();
        List<Entry> applied = new ArrayList<>();
        for (Entry entry : grants) {
            Path path = real.of(entry.path());
            Optional<Access> now = draft.profile().accessTo(path);
            boolean restricts =
                    entry.key().name().equals("read_only") || entry.key().name().equals("hidden");
            Access asked = Draft.access(entry.key());
            if (!restricts && isMore(asked, path)) {
                String where = path.equals(entry.path()) ? "" : ", which leads to " + path;
                refuse(entry, entry.key().name() + " " + entry.path() + where);
                continue;
            }
            boolean changes = entry.key().name().equals("read_only")
                    ? now.equals(Optional.of(Access.WRITE))
                    : !now.equals(Optional.of(asked));
            if (changes) {
                try {
                    Grants.add(words, asked, path);
                    applied.add(new Entry(entry.key(), path, entry.origin()));
                } catch (IllegalArgumentException e) {
                    problems.add(entry.origin().problem(String.valueOf(e.getMessage())));
                }
            }
        }
        Profile tighter = words.build();
        applied.forEach(entry -> draft.tighten(entry, tighter));
    }

    private void one(Entry entry) {
        Profile now = draft.profile();
        switch (entry.key().name()) {
            case "profile", "extends" -> {} // Looked at on its own.
            case "mode" -> mode(entry);
            case "backend" -> {
                if (!draft.backend().equals(Optional.of(entry.text()))) {
                    refuse(entry, "backend \"" + entry.text() + "\"");
                }
            }
            case "timeout" -> {
                if (draft.timeout()
                        .filter(limit -> limit.compareTo(entry.time()) < 0)
                        .isPresent()) {
                    refuse(entry, "timeout " + entry.time());
                } else {
                    draft.tightenTimeout(entry);
                }
            }
            case "network" -> {
                Network asked = entry.word(Network.class);
                ordered(entry, asked, ceiling.network(), now.withNetwork(asked));
            }
            case "reads" -> {
                Reads asked = entry.word(Reads.class);
                ordered(
                        entry,
                        asked,
                        ceiling.reads(),
                        now.toBuilder().reads(asked).build());
            }
            case "tmp" -> {
                Tmp asked = entry.word(Tmp.class);
                ordered(entry, asked, ceiling.tmp(), now.toBuilder().tmp(asked).build());
            }
            case "env" -> {
                if (ceiling.environment().contains(entry.text())) {
                    draft.tighten(entry, now.toBuilder().env(entry.text()).build());
                } else {
                    refuse(entry, "env \"" + entry.text() + "\"");
                }
            }
            case "network_allow", "network_allow_prefix" -> command(entry);
            case "limits.memory", "limits.cpus", "limits.processes" -> limit(entry);
            default -> {
                String name = entry.key().name();
                if (entry.text().equals(ceiling.settings().get(name))) {
                    draft.tighten(entry, now.toBuilder().set(name, entry.text()).build());
                } else {
                    refuse(entry, entry.key().name() + " \"" + entry.text() + "\"");
                }
            }
        }
    }

    private <E extends Enum<E>> void ordered(Entry entry, E asked, E allowed, Profile tighter) {
        if (asked.compareTo(allowed) > 0) {
            refuse(entry, entry.key().name() + " \"" + entry.text() + "\"");
        } else {
            draft.tighten(entry, tighter);
        }
    }

    private void mode(Entry entry) {
        Mode asked = entry.word(Mode.class);
        if (asked.compareTo(draft.mode()) > 0) {
            refuse(entry, "mode \"" + entry.text() + "\"");
        } else if (asked != draft.mode()) {
            draft.tightenMode(entry);
        }
    }

    private void command(Entry entry) {
        CommandRule rule = new CommandRule(entry.words(), entry.key().kind() == Key.Kind.PREFIXES);
        if (!allowed.contains(rule)) {
            refuse(entry, "the network for \"" + rule + "\"");
        }
    }

    private void limit(Entry entry) {
        Profile now = draft.profile();
        Limits asked = Draft.limit(entry, ceiling.limits());
        if (ceiling.toBuilder().limits(asked).build().isAtMost(ceiling)) {
            Limits limits = Draft.limit(entry, now.limits());
            draft.tighten(entry, now.toBuilder().limits(limits).build());
        } else {
            refuse(entry, entry.key().name() + " " + entry.value());
        }
    }

    private void refuse(Entry entry, String what) {
        problems.add(entry.origin().problem(what + " is not allowed: " + reason));
    }
}
