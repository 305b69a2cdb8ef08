package dev.stockade.linux.filter;

import java.util.ArrayList;
import java.util.List;

/** How one call is answered: by the first case whose tests all hold, else by {@code otherwise}. */
record Decision(List<Case> cases, Verdict otherwise) {

    static final Decision ALLOW = new Decision(List.of(), Verdict.ALLOW);

    Decision {
        cases = List.copyOf(cases);
    }

    static Decision always(Verdict verdict) {
        return new Decision(List.of(), verdict);
    }

    /** This decision with one case more, looked at after those it has. */
    Decision when(Verdict then, Test... tests) {
        List<Case> more = new ArrayList<>(cases);
        more.add(new Case(List.of(tests), then));
        return new Decision(more, otherwise);
    }

    record Case(List<Test> tests, Verdict then) {}

    /**
     * Holds where the bits of {@code mask} in the low half of an argument are {@code value}. The high half is never
     * looked at: the kernel cuts {@code int} arguments down to it, so a comparison of all 64 bits is passed by setting
     * one of the others.
     */
    record Test(int argument, int mask, int value) {

        static Test is(int argument, int value) {
            return new Test(argument, -1, value);
        }
    }
}
