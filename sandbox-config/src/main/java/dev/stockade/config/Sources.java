package dev.stockade.config;

import dev.stockade.api.Backends;
import dev.stockade.api.spi.Host;
import dev.stockade.config.ConfigurationException.Problem;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The files that count here, read.
 *
 * @param all the user's own first, then the one that was named, then the one that was found
 */
record Sources(List<Source> all) {

    /**
     * One file.
     *
     * @param file its path
     * @param layer what it says
     * @param tightens why it may only tighten; empty if it may widen, too
     */
    record Source(Path file, Layer layer, Optional<String> tightens) {

        boolean trusted() {
            return tightens.isEmpty();
        }
    }

    static Sources find(
            Path workspace,
            Host host,
            Optional<Path> named,
            Optional<Amendment> amended,
            Supplier<Backends> backends,
            List<Problem> problems) {
        Path own = Search.ofUser(host);
        List<Path> files = new ArrayList<>();
        boolean invented = amended.isPresent() && amended.get().file().equals(own);
        if (invented || Search.isThere(own)) {
            files.add(own);
        }
        named.filter(file -> !files.contains(file)).ifPresent(files::add);
        Optional<Path> found = Search.upwards(workspace).filter(file -> !files.contains(file));
        found.ifPresent(files::add);
        List<Source> sources = new ArrayList<>();
        if (files.isEmpty()) {
            return new Sources(sources);
        }
        Vocabulary vocabulary = new Vocabulary(backends.get());
        for (Path file : files) {
            read(file, amended.filter(change -> change.file().equals(file)), host, vocabulary, problems)
                    .ifPresent(layer -> sources.add(new Source(
                            file,
                            layer,
                            tightens(file, found.filter(file::equals).isPresent(), workspace, own, host))));
        }
        return new Sources(List.copyOf(sources));
    }

    private static Optional<Layer> read(
            Path file, Optional<Amendment> amended, Host host, Vocabulary vocabulary, List<Problem> problems) {
        try {
            Document document =
                    amended.isPresent() ? Document.of(file, amended.get().text()) : Document.read(file);
            Path base = Optional.ofNullable(file.getParent()).orElse(file);
            Values values = new Values(new PathWords(base, host.home()));
            return Optional.of(new Reader(document, values, vocabulary, problems).read());
        } catch (ConfigurationException e) {
            problems.addAll(e.problems());
            return Optional.empty();
        }
    }

    /**
     * A file above the workspace is not trusted either: it may belong to the same repository, or lie in a directory
     * that others write, and nobody has named it.
     */
    private static Optional<String> tightens(Path file, boolean found, Path workspace, Path own, Host host) {
        Optional<String> why = Search.liesIn(file, workspace)
                ? Optional.of("lies in the workspace")
                : found ? Optional.of("was found and not named") : Search.writtenByOthers(file, host);
        return why.map(reason ->
                "this file may only tighten, since it " + reason + "; to allow it, say so in " + own + " or by a flag");
    }
}
