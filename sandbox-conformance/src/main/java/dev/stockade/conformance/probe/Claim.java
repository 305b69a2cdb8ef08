package dev.stockade.conformance.probe;

import dev.stockade.api.Reach;

/** What a probe puts to the test. */
public sealed interface Claim {

    /**
     * A reach that a backend may claim to be closed.
     *
     * @param reach the reach
     */
    record Closed(Reach reach) implements Claim {
        @Override
        public String phrase() {
            return "the command cannot " + reach.phrase();
        }
    }

    /** What holds without being claimed. */
    enum Promise implements Claim {
        /** No variable of the caller's crosses unless it is named. Holds in any sandbox. */
        ENVIRONMENT("the command cannot see a variable that was not named"),
        /** No argument list on the host shows the value of a variable. Holds in any sandbox. */
        SECRECY("no argument list shows the value of a variable"),
        /** What a profile hides or makes read-only stays so. Holds where the backend closes anything at all. */
        RESTRICTIONS("the command cannot get around what the profile hides or makes read-only"),
        /** Nothing is left behind. Holds in any sandbox. */
        TRACES("a run leaves nothing behind"),
        /** Ordinary work goes on. Here an attempt must succeed. */
        WORK("the command can do ordinary work");

        private final String phrase;

        Promise(String phrase) {
            this.phrase = phrase;
        }

        @Override
        public String phrase() {
            return phrase;
        }
    }

    /**
     * The claim as a sentence.
     *
     * @return in English, without a full stop
     */
    String phrase();
}
