package dev.stockade.api;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** How a run ended, what it printed, and what confined it. */
public final class Result {

    /** What was captured of one stream. */
    public static final class Output {

        private final byte[] bytes;
        private final boolean truncated;

        /**
         * Takes over what was captured.
         *
         * @param bytes the beginning of the stream
         * @param truncated whether there was more
         */
        public Output(byte[] bytes, boolean truncated) {
            this.bytes = bytes.clone();
            this.truncated = truncated;
        }

        /**
         * The captured bytes.
         *
         * @return a copy
         */
        public byte[] bytes() {
            return bytes.clone();
        }

        /**
         * Whether the stream went on after what was kept.
         *
         * @return true if something is missing
         */
        public boolean truncated() {
            return truncated;
        }

        /**
         * The bytes as UTF-8.
         *
         * @return text; what is not UTF-8 is replaced
         */
        public String text() {
            return new String(bytes, StandardCharsets.UTF_8);
        }

        @Override
        public String toString() {
            return text();
        }
    }

    private final Outcome outcome;
    private final Output stdout;
    private final Output stderr;
    private final Instant started;
    private final Duration took;
    private final Sandbox sandbox;

    Result(Outcome outcome, Output stdout, Output stderr, Instant started, Duration took, Sandbox sandbox) {
        this.outcome = outcome;
        this.stdout = stdout;
        this.stderr = stderr;
        this.started = started;
        this.took = took;
        this.sandbox = sandbox;
    }

    /**
     * How the command ended.
     *
     * @return exited, signalled or timed out
     */
    public Outcome outcome() {
        return outcome;
    }

    /**
     * The status a shell would show.
     *
     * @return as {@link Outcome#exitStatus()}
     */
    public int exitStatus() {
        return outcome.exitStatus();
    }

    /**
     * What the command wrote to standard output.
     *
     * @return empty where it was not captured
     */
    public Output stdout() {
        return stdout;
    }

    /**
     * What the command wrote to standard error.
     *
     * @return empty where it was not captured
     */
    public Output stderr() {
        return stderr;
    }

    /**
     * When it was started.
     *
     * @return by the wall clock
     */
    public Instant started() {
        return started;
    }

    /**
     * How long it took, from the request to its end.
     *
     * @return by a monotonic clock
     */
    public Duration took() {
        return took;
    }

    /**
     * What confined it.
     *
     * @return the backend's name
     */
    public String backend() {
        return sandbox.backend();
    }

    /**
     * What it could do.
     *
     * @return the sandbox's capabilities
     */
    public Capabilities capabilities() {
        return sandbox.capabilities();
    }

    /**
     * What was skipped or is weaker than asked for.
     *
     * @return sentences for people, empty if all is as asked
     */
    public List<String> notices() {
        return sandbox.notices();
    }

    @Override
    public String toString() {
        return outcome + " after " + took.toMillis() + " ms in " + sandbox.backend();
    }
}
