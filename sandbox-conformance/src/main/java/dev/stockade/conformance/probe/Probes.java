package dev.stockade.conformance.probe;

import java.util.List;
import java.util.stream.Stream;

/** All probes there are. */
public final class Probes {

    private static final List<Probe> ALL = Stream.of(
                    NetworkProbes.all(),
                    FileProbes.all(),
                    ProcessProbes.all(),
                    TerminalProbe.all(),
                    EnvironmentProbes.all(),
                    WorkProbes.all())
            .flatMap(List::stream)
            .toList();

    private Probes() {}

    /**
     * The probes, in the order they are made in.
     *
     * @return an unmodifiable list
     */
    public static List<Probe> all() {
        return ALL;
    }
}
