package dev.stockade.linux.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RegionTest {

    private static List<Region> holding(List<Region> regions, long... arguments) {
        return regions.stream()
                .filter(region -> region.bits().entrySet().stream()
                        .allMatch(fixed -> ((int) arguments[fixed.getKey()]
                                        & fixed.getValue().mask())
                                == fixed.getValue().value()))
                .toList();
    }

    @Test
    void everythingButOneValueIsARegionForEachBit() {
        Decision decision = Decision.ALLOW.when(Verdict.EPERM, Decision.Test.is(1, 0x5412));
        List<Region> regions = Region.of(decision);
        assertEquals(33, regions.size());
        assertEquals(
                1,
                regions.stream()
                        .filter(region -> region.verdict() == Verdict.EPERM)
                        .count());
    }

    @Test
    void aCallIsInExactlyOneRegionAndHasTheVerdictOfTheProgram() {
        Random random = new Random(7);
        for (SeccompFilter filter : Calls.allFilters()) {
            Policy.of(filter).forEach((call, decision) -> {
                List<Region> regions = Region.of(decision);
                for (int i = 0; i < (decision.cases().isEmpty() ? 1 : 200); i++) {
                    long[] arguments = random.longs(6)
                            .map(l -> random.nextBoolean() ? l : l & 0x1F)
                            .toArray();
                    List<Region> holding = holding(regions, arguments);
                    assertEquals(1, holding.size(), call);
                    assertEquals(
                            Calls.answer(filter, call, arguments),
                            holding.get(0).verdict(),
                            call);
                }
            });
        }
    }

    @Test
    void casesThatCannotHoldTogetherLeaveNoEmptyRegion() {
        Decision decision = Decision.ALLOW
                .when(Verdict.EPERM, Decision.Test.is(0, 1))
                .when(Verdict.EACCES, Decision.Test.is(0, 1), Decision.Test.is(1, 2))
                .when(Verdict.ENOSYS, new Decision.Test(0, 0xF, 1));
        assertEquals(
                List.of(),
                Region.of(decision).stream()
                        .filter(r -> r.verdict() == Verdict.EACCES)
                        .toList());
        assertEquals(
                Verdict.ENOSYS, holding(Region.of(decision), 0x11, 2).get(0).verdict());
    }
}
