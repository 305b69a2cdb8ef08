package dev.stockade.config;

import dev.stockade.api.Profile;
import dev.stockade.api.spi.Host;
import dev.stockade.api.spi.ProfileProvider;
import dev.stockade.config.ConfigurationException.Problem;
import dev.stockade.config.Sources.Source;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Puts the sources together, weakest first: the profile, the user's files, variables, flags; then what tightens. */
final class Assembly {

    private static final String DEFAULT = "strict";

    private final Path workspace;
    private final Host host;
    private final Sources sources;
    private final Optional<String> flagged;
    private final List<Entry> flags;
    private final Values values;
    private final List<Problem> problems;

    Assembly(
            Path workspace,
            Host host,
            Sources sources,
            Optional<String> flagged,
            List<Entry> flags,
            Values values,
            List<Problem> problems) {
        this.workspace = workspace;
        this.host = host;
        this.sources = sources;
        this.flagged = flagged;
        this.flags = flags;
        this.values = values;
        this.problems = problems;
    }

    Loaded load() {
        refuse();
        List<Source> trusted = sources.all().stream().filter(Source::trusted).toList();
        List<Source> others = sources.all().stream().filter(s -> !s.trusted()).toList();
        checkNames();
        checkChains();
        Optional<Choice> chosen = flagged.map(name -> new Choice(name, new Origin.Named("--profile")))
                .or(() -> lastChoice(trusted));
        Optional<Choice> foreign = chosen.filter(this::isForeign);
        Optional<Choice> own = lastChoice(trusted).filter(choice -> !isForeign(choice));
        Chain chain = chain(chosen.filter(choice -> !isForeign(choice))
                .or(() -> own)
                .orElse(new Choice(DEFAULT, new Origin.Named("the default"))));
        refuse();
        Draft draft = new Draft(installed(chain.base(), chain.origin()), problems);
        chain.links().forEach(link -> draft.apply(link.entries()));
        trusted.forEach(source -> draft.apply(source.layer().sandbox()));
        List<Entry> operator = new ArrayList<>();
        if (Switches.areSet(host.environment())) {
            operator.addAll(Switches.entries(host.environment(), draft.mode(), values, problems));
        }
        operator.addAll(flags);
        draft.apply(operator);
        refuse();
        foreign.ifPresent(choice ->
                narrow(draft, choice, link(choice.name()).orElseThrow().source()));
        others.forEach(source -> tighten(draft, source));
        if (!others.isEmpty()) {
            draft.again(operator);
        }
        refuse();
        warnOfWritableFiles(draft, trusted);
        return new Loaded(
                draft,
                "profile " + chain.base(),
                sources.all().stream().map(Source::file).toList());
    }

    private void refuse() {
        if (!problems.isEmpty()) {
            throw new ConfigurationException(problems);
        }
    }

    /** A name that two files define could be either. */
    private void checkNames() {
        Set<String> seen = new TreeSet<>();
        for (Source source : sources.all()) {
            source.layer().profiles().forEach((name, entries) -> {
                if (!seen.add(name)) {
                    Origin origin = entries.isEmpty()
                            ? new Origin.Named(source.file().toString())
                            : entries.get(0).origin();
                    problems.add(origin.problem("the profile \"" + name + "\" is defined by another file already"));
                }
            });
        }
    }

    /** Also of profiles that nobody has chosen yet. */
    private void checkChains() {
        for (Source source : sources.all()) {
            source.layer()
                    .profiles()
                    .forEach((name, entries) -> entries.stream()
                            .filter(entry -> entry.key().equals(Key.EXTENDS))
                            .forEach(entry -> checkBase(chain(new Choice(name, entry.origin())))));
        }
    }

    private void checkBase(Chain chain) {
        if (!ProfileProvider.installed().containsKey(chain.base())) {
            report(chain.origin().problem(unknown(chain.base())));
        }
    }

    private String unknown(String name) {
        Set<String> known = new TreeSet<>(Vocabulary.installedProfiles());
        sources.all().forEach(source -> known.addAll(source.layer().profiles().keySet()));
        return "there is no profile \"" + name + "\"" + Nearest.among(name, known);
    }

    /** Several ways may lead to one mistake. */
    private void report(Problem problem) {
        if (!problems.contains(problem)) {
            problems.add(problem);
        }
    }

    private record Choice(String name, Origin origin) {}

    /** Whether a source defines it that may only tighten. */
    private boolean isForeign(Choice choice) {
        return link(choice.name()).filter(link -> !link.source().trusted()).isPresent();
    }

    private static Optional<Choice> lastChoice(List<Source> from) {
        return from.stream()
                .flatMap(source -> source.layer().sandbox().stream())
                .filter(entry -> entry.key().name().equals("profile"))
                .map(entry -> new Choice(entry.text(), entry.origin()))
                .reduce((first, last) -> last);
    }

    /** A profile of a file. */
    private record Link(Source source, List<Entry> entries) {}

    /**
     * What a profile is made of.
     *
     * @param base the installed profile it starts from
     * @param links what files add, in the order in which it is to be applied
     */
    private record Chain(String base, Origin origin, List<Link> links) {}

    private Chain chain(Choice choice) {
        List<Link> links = new ArrayList<>();
        Set<String> names = new LinkedHashSet<>();
        Choice next = choice;
        while (true) {
            Optional<Link> link = link(next.name());
            if (link.isEmpty()) {
                return new Chain(next.name(), next.origin(), links);
            }
            if (!names.add(next.name())) {
                List<String> circle =
                        List.copyOf(names).subList(List.copyOf(names).indexOf(next.name()), names.size());
                String first = circle.stream().min(String::compareTo).orElseThrow();
                if (first.equals(next.name())) {
                    report(next.origin()
                            .problem("profiles extend one another in a circle: " + String.join(" extends ", circle)
                                    + " extends " + first));
                }
                return new Chain(DEFAULT, next.origin(), List.of());
            }
            boolean trusted = link.get().source().trusted();
            if (!trusted && !links.isEmpty() && links.get(0).source().trusted()) {
                report(next.origin()
                        .problem("the profile \"" + next.name() + "\" is defined only in "
                                + link.get().source().file()
                                + ", which may only tighten, so this one cannot extend it"));
            }
            links.add(0, link.get());
            next = link.get().entries().stream()
                    .filter(entry -> entry.key().equals(Key.EXTENDS))
                    .map(entry -> new Choice(entry.text(), entry.origin()))
                    .findFirst()
                    .orElse(new Choice(DEFAULT, next.origin()));
        }
    }

    private Optional<Link> link(String name) {
        for (Source source : sources.all()) {
            List<Entry> entries = source.layer().profiles().get(name);
            if (entries != null) {
                return Optional.of(new Link(source, entries));
            }
        }
        return Optional.empty();
    }

    private Profile installed(String name, Origin origin) {
        ProfileProvider provider = ProfileProvider.installed().get(name);
        if (provider == null) {
            report(origin.problem(unknown(name)));
        } else {
            try {
                return provider.profile(name, workspace, host);
            } catch (IllegalArgumentException e) {
                problems.add(origin.problem(String.valueOf(e.getMessage())));
            }
        }
        throw new ConfigurationException(problems);
    }

    private void tighten(Draft draft, Source source) {
        if (flagged.isEmpty()) {
            lastChoice(List.of(source)).ifPresent(choice -> narrow(draft, choice, source));
        }
        new Tightening(draft, source.tightens().orElseThrow(), problems)
                .apply(source.layer().sandbox());
    }

    /** A profile that is chosen, or defined, by a source that may only tighten. */
    private void narrow(Draft draft, Choice choice, Source by) {
        int before = problems.size();
        Chain chain = chain(choice);
        if (problems.size() > before) {
            return;
        }
        Draft named = new Draft(installed(chain.base(), chain.origin()), problems);
        chain.links().stream().filter(link -> link.source().trusted()).forEach(link -> named.apply(link.entries()));
        Tightening tightening = new Tightening(draft, by.tightens().orElseThrow(), problems);
        tightening.narrow(chain.base(), chain.origin(), named.profile());
        chain.links().stream()
                .filter(link -> !link.source().trusted())
                .forEach(link -> tightening.apply(link.entries()));
    }

    /** What a command can write it can make say something else the next time. */
    private static void warnOfWritableFiles(Draft draft, List<Source> trusted) {
        RealPaths real = new RealPaths();
        for (Source source : trusted) {
            if (draft.profile().accessTo(real.of(source.file())).equals(Optional.of(Profile.Access.WRITE))) {
                draft.notices()
                        .add(source.file() + " decides what is allowed, and the command may write it: make it"
                                + " read_only, or grant less");
            }
        }
    }
}
