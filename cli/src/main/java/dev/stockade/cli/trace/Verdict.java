package dev.stockade.cli.trace;

import dev.stockade.api.Reach;
import java.nio.file.Path;

/** What follows from a refusal. */
public sealed interface Verdict {

    /** Said of Unix sockets. */
    String HOST_PROGRAM = "a program of the host's listens there, and does outside what it is asked";

    /**
     * A sentence.
     *
     * @return without a full stop; empty if there is nothing to say
     */
    String why();

    /**
     * Likely a cause, which a path would cure.
     *
     * @param path what to grant
     * @param writable whether to write
     */
    record OpenPath(Path path, boolean writable) implements Verdict {
        @Override
        public String why() {
            return "";
        }
    }

    /**
     * Likely a cause, which the network would cure.
     *
     * @param reach what has to be possible
     */
    record OpenNetwork(Reach reach) implements Verdict {
        @Override
        public String why() {
            return "";
        }
    }

    /**
     * The program can be taken to have done without.
     *
     * @param why what speaks for that
     */
    record Aside(String why) implements Verdict {}

    /**
     * Perhaps a cause, but not to be opened by a proposal.
     *
     * @param why what speaks against it
     */
    record Never(String why) implements Verdict {}
}
