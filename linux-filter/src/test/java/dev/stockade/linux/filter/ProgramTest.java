package dev.stockade.linux.filter;

import static dev.stockade.linux.filter.Calls.allFilters;
import static dev.stockade.linux.filter.Calls.interpreter;
import static dev.stockade.linux.filter.Calls.verdict;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("S13")
class ProgramTest {

    private static final int AUDIT_ARCH_I386 = 0x40000003;
    private static final int AUDIT_ARCH_ARM = 0x40000028;
    private static final int X32 = 0x40000000;

    private static Verdict decide(Decision decision, long[] arguments) {
        for (Decision.Case aCase : decision.cases()) {
            if (aCase.tests().stream()
                    .allMatch(test -> ((int) arguments[test.argument()] & test.mask()) == test.value())) {
                return aCase.then();
            }
        }
        return decision.otherwise();
    }

    @ParameterizedTest
    @EnumSource
    void doesWhatThePolicySaysForEveryNumberAndAnyArguments(Architecture architecture) {
        Random random = new Random(4);
        for (SeccompFilter filter : allFilters()) {
            BpfInterpreter program = interpreter(filter, architecture);
            Map<Integer, Decision> expected = new HashMap<>();
            Policy.of(filter)
                    .forEach((call, decision) ->
                            SyscallNumbers.of(architecture, call).ifPresent(number -> expected.put(number, decision)));
            for (SyscallNumbers.Range range : SyscallNumbers.unassigned(architecture)) {
                for (int number = range.first(); number <= range.last(); number++) {
                    expected.put(number, Decision.always(Verdict.ENOSYS));
                }
            }
            for (int number = 0; number <= SyscallNumbers.NEWEST; number++) {
                Decision decision = expected.getOrDefault(number, Decision.ALLOW);
                for (int i = 0; i < (decision.cases().isEmpty() ? 1 : 500); i++) {
                    long[] arguments = random.longs(6).toArray();
                    for (int a = 0; a < 3; a++) {
                        if (random.nextBoolean()) { // near what is tested for
                            arguments[a] = (arguments[a] & ~0xFFFFFFFFL) | random.nextInt(20);
                        }
                    }
                    Verdict verdict = verdict(program.run(architecture.auditCode(), number, arguments));
                    assertEquals(decide(decision, arguments), verdict, filter + " " + number);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {AUDIT_ARCH_I386, AUDIT_ARCH_ARM, 0, -1})
    void refusesEveryCallThroughAForeignArchitecture(int foreign) {
        for (Architecture architecture : Architecture.values()) {
            BpfInterpreter program = interpreter(SeccompFilter.of(Sockets.ON, Isolation.values()), architecture);
            for (int number = 0; number < 600; number++) {
                assertEquals(Verdict.ENOSYS, verdict(program.run(foreign, number)));
            }
            assertEquals(Verdict.ALLOW, verdict(program.run(architecture.auditCode(), 0)));
        }
    }

    @Test
    void refusesX32() {
        int x86 = Architecture.X86_64.auditCode();
        for (SeccompFilter filter : allFilters()) {
            BpfInterpreter program = interpreter(filter, Architecture.X86_64);
            for (int number = 0; number < 600; number++) {
                assertEquals(Verdict.ENOSYS, verdict(program.run(x86, X32 | number)));
                assertEquals(Verdict.ENOSYS, verdict(program.run(x86, Integer.MIN_VALUE | number)));
            }
            for (int number = 512; number <= 547; number++) { // x32's own numbers, without its bit
                assertEquals(Verdict.ENOSYS, verdict(program.run(x86, number)));
            }
            assertEquals(Verdict.ENOSYS, verdict(program.run(x86, -1)));
            assertEquals(Verdict.ALLOW, verdict(program.run(x86, 0)));
        }
    }

    @ParameterizedTest
    @EnumSource
    void callsNobodyHasLookedAtDoNotExist(Architecture architecture) {
        BpfInterpreter program = interpreter(SeccompFilter.of(Sockets.ON, Isolation.values()), architecture);
        int arch = architecture.auditCode();
        assertEquals(Verdict.ALLOW, verdict(program.run(arch, SyscallNumbers.NEWEST)));
        assertEquals(Verdict.ENOSYS, verdict(program.run(arch, SyscallNumbers.NEWEST + 1)));
        assertEquals(Verdict.ENOSYS, verdict(program.run(arch, 400)));
    }

    @ParameterizedTest
    @EnumSource
    void isShortAndFast(Architecture architecture) {
        for (SeccompFilter filter : allFilters()) {
            BpfInterpreter program = interpreter(filter, architecture);
            assertTrue(program.length() <= 200, filter + " takes " + program.length());
            Set<Integer> argumentsLookedAt = Policy.of(filter).entrySet().stream()
                    .filter(rule -> !rule.getValue().cases().isEmpty())
                    .flatMap(rule -> SyscallNumbers.of(architecture, rule.getKey()).stream()
                            .boxed())
                    .collect(Collectors.toSet());
            for (int number = 0; number < 480; number++) {
                program.run(architecture.auditCode(), number);
                int most = argumentsLookedAt.contains(number) ? 60 : 12;
                assertTrue(program.steps() <= most, number + " takes " + program.steps());
            }
        }
    }

    @Test
    @Tag("A09")
    void anotherArchitectureHasNoFilter() {
        for (String osArch : new String[] {"riscv64", "ppc64le", "s390x", "arm", "i386", "x86", "loongarch64", ""}) {
            assertEquals(Optional.empty(), Architecture.named(osArch));
        }
        assertEquals(Optional.of(Architecture.X86_64), Architecture.named("amd64"));
        assertEquals(Optional.of(Architecture.AARCH64), Architecture.named("aarch64"));
    }

    @Test
    void aJumpThatDoesNotFitIsNotWritten() {
        BpfAssembler assembler = new BpfAssembler();
        BpfAssembler.Label far = new BpfAssembler.Label();
        BpfAssembler.Label next = new BpfAssembler.Label();
        assembler.jumpIfEqual(1, far, next);
        assembler.place(next);
        for (int i = 0; i < 255; i++) {
            assembler.load(0);
        }
        assembler.place(far);
        assembler.ret(Verdict.ALLOW);
        assertEquals(257 * 8, assembler.assemble().length);
        assembler.place(far);
        assertThrows(IllegalStateException.class, assembler::assemble);
    }
}
