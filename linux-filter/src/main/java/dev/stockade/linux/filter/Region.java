package dev.stockade.linux.filter;

import dev.stockade.linux.filter.Decision.Case;
import dev.stockade.linux.filter.Decision.Test;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Calls whose arguments have certain bits, and their verdict.
 *
 * <p>libseccomp knows no order among its rules, and no comparison for "the low half is not this". So a decision is cut
 * into regions of which exactly one holds each call: around a value lie 32 of them, one for each bit that may be the
 * first to differ.
 *
 * @param bits the fixed bits, by the number of the argument
 */
record Region(SortedMap<Integer, Bits> bits, Verdict verdict) {

    /** Bits of the low half of an argument: those of {@code mask} are {@code value}. */
    record Bits(int mask, int value) {}

    private static final Bits ANY = new Bits(0, 0);

    Region {
        bits = Collections.unmodifiableSortedMap(new TreeMap<>(bits));
    }

    /** The regions of a decision: disjoint, and together everything. */
    static List<Region> of(Decision decision) {
        List<Region> regions = new ArrayList<>();
        new Region(new TreeMap<>(), decision.otherwise()).cut(decision.cases(), regions);
        return regions;
    }

    private void cut(List<Case> cases, List<Region> into) {
        if (cases.isEmpty()) {
            into.add(this);
        } else {
            cut(cases.get(0).tests(), cases.get(0).then(), cases.subList(1, cases.size()), into);
        }
    }

    private void cut(List<Test> tests, Verdict then, List<Case> otherwise, List<Region> into) {
        if (tests.isEmpty()) {
            into.add(new Region(bits, then));
            return;
        }
        Test test = tests.get(0);
        Bits inside = bits.getOrDefault(test.argument(), ANY);
        if (((inside.value ^ test.value()) & inside.mask & test.mask()) != 0) {
            cut(otherwise, into);
            return;
        }
        int open = test.mask() & ~inside.mask;
        while (open != 0) {
            int bit = Integer.highestOneBit(open);
            open &= ~bit;
            int agreeing = test.value() & bit;
            with(test.argument(), new Bits(inside.mask | bit, inside.value | (agreeing ^ bit)))
                    .cut(otherwise, into);
            inside = new Bits(inside.mask | bit, inside.value | agreeing);
        }
        with(test.argument(), inside).cut(tests.subList(1, tests.size()), then, otherwise, into);
    }

    private Region with(int argument, Bits fixed) {
        SortedMap<Integer, Bits> more = new TreeMap<>(bits);
        more.put(argument, fixed);
        return new Region(more, verdict);
    }
}
