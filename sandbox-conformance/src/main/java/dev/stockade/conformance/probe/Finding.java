package dev.stockade.conformance.probe;

/** What an attempt says about the claim it was made against. */
public enum Finding {
    /** The claim stands: the attempt ended as it must, and its twin shows that the attempt is a real one. */
    HELD("held"),
    /** The claim is false: the attempt got through. */
    FELL("FELL"),
    /** Nothing was claimed: the door counts as open, whether or not this attempt got through. */
    OPEN("open"),
    /** The attempt could not be made here. It says nothing, and never counts as held. */
    NOT_PROBED("not probed"),
    /** The attempt gave no usable answer, or does not get through even where nothing stands in its way. */
    BROKEN("BROKEN");

    private final String word;

    Finding(String word) {
        this.word = word;
    }

    /**
     * For people.
     *
     * @return a word or two
     */
    public String word() {
        return word;
    }

    /**
     * Whether this ends the trust in a backend.
     *
     * @return true for {@link #FELL} and {@link #BROKEN}
     */
    public boolean isFailure() {
        return this == FELL || this == BROKEN;
    }
}
