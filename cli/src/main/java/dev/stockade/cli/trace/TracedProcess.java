package dev.stockade.cli.trace;

import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A process, or a thread whose making has not been seen yet: a child's first lines may precede it. */
final class TracedProcess {

    private static final int MOST_LOOKED_FOR = 4096;

    /** The name of what it executes; empty until that is known. */
    String program;

    /** Where relative paths begin. */
    Path directory;

    boolean isMade;
    Optional<TracedProcess> threadOf = Optional.empty();

    /** The worst that any of its threads ended with. */
    int status;

    /** The name of what it looked for last and did not find. */
    Optional<Path> searchedName = Optional.empty();

    /** What it lately looked for and did not find. */
    final Set<Path> missed = recent();

    /** What it lately looked for and found. */
    final Set<Path> named = recent();

    TracedProcess(String program, Path directory) {
        this.program = program;
        this.directory = directory;
    }

    private static Set<Path> recent() {
        return Collections.newSetFromMap(new LinkedHashMap<>() {
            @Override
            protected boolean removeEldestEntry(Map.Entry<Path, Boolean> eldest) {
                return size() > MOST_LOOKED_FOR;
            }
        });
    }

    /** What it executes in the end. */
    String name() {
        return threadOf.map(TracedProcess::name).orElse(program);
    }

    boolean failed() {
        return threadOf.map(TracedProcess::failed).orElse(status != 0);
    }

    boolean looksForAgain(Path path) {
        return searchedName.filter(name -> name.equals(path.getFileName())).isPresent();
    }
}
