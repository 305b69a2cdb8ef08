package dev.stockade.linux.filter;

import dev.stockade.linux.filter.BpfAssembler.Label;
import dev.stockade.linux.filter.Decision.Case;
import dev.stockade.linux.filter.Decision.Test;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Turns decisions into a BPF program: first the architecture, then a binary search over the call's number, then, for
 * the few calls that need it, the arguments, and last what is returned. Since Linux 5.11 the kernel remembers the calls
 * such a program allows without looking at an argument, and no longer runs it for them; what a program costs is to be
 * installed, which grows with its length and is paid for each start. So nothing is written twice.
 */
final class ProgramWriter {

    // Offsets in struct seccomp_data: linux/seccomp.h. The low half of an argument comes first, little-endian.
    private static final int NR = 0;
    private static final int ARCH = 4;
    private static final int ARGS = 16;

    private final BpfAssembler assembler = new BpfAssembler();
    private final List<ArgumentCheck> argumentChecks = new ArrayList<>();
    private final Map<Verdict, Label> answers = new EnumMap<>(Verdict.class);

    /** What looks at the arguments of a call, and where it begins. */
    private record ArgumentCheck(Decision decision, Label entry) {}

    private ProgramWriter() {}

    static byte[] write(Architecture architecture, Map<String, Decision> decisions) {
        return new ProgramWriter().program(architecture, decisions);
    }

    private byte[] program(Architecture architecture, Map<String, Decision> decisions) {
        // A foreign architecture (i386 through int 0x80, say) has numbers of its own, and socketcall(2) whose
        // arguments are behind a pointer. ENOSYS is what a kernel built without it answers.
        Label known = new Label();
        assembler.load(ARCH);
        assembler.jumpIfEqual(architecture.auditCode(), known, answer(Verdict.ENOSYS));
        assembler.place(known);
        assembler.load(NR);
        search(segments(architecture, decisions));
        argumentChecks.forEach(check -> checkArguments(check.decision(), check.entry()));
        answers.forEach((verdict, label) -> {
            assembler.place(label);
            assembler.ret(verdict);
        });
        return assembler.assemble();
    }

    /** Calls numbered {@code first} and up, until the next segment begins. */
    private record Segment(int first, Decision decision) {}

    private static List<Segment> segments(Architecture architecture, Map<String, Decision> decisions) {
        Map<Integer, Decision> starts = new TreeMap<>();
        starts.put(0, Decision.ALLOW);
        decisions.forEach((call, decision) ->
                SyscallNumbers.of(architecture, call).ifPresent(number -> decide(starts, number, number, decision)));
        // Calls that did not exist when this policy was written: nobody has judged them, and programs are prepared
        // for an older kernel that lacks them. The upper range includes x32, which sets bit 30 of the number under
        // the architecture code of x86-64, and 512 to 547, which some kernels took for x32 without that bit
        // (syscall(2)).
        Decision unknown = Decision.always(Verdict.ENOSYS);
        for (SyscallNumbers.Range range : SyscallNumbers.unassigned(architecture)) {
            decide(starts, range.first(), range.last(), unknown);
        }
        starts.put(SyscallNumbers.NEWEST + 1, unknown);

        List<Segment> segments = new ArrayList<>();
        starts.forEach((first, decision) -> {
            if (segments.isEmpty() || !answersAlike(segments.get(segments.size() - 1).decision, decision)) {
                segments.add(new Segment(first, decision));
            }
        });
        return segments;
    }

    /** Not {@code equals}: a record's is linked at run time, which every start of the command line would wait for. */
    @SuppressWarnings("ReferenceEquality") // a policy gives one decision to calls that are answered alike
    private static boolean answersAlike(Decision one, Decision other) {
        return one == other
                || (one.cases().isEmpty() && other.cases().isEmpty() && one.otherwise() == other.otherwise());
    }

    private static void decide(Map<Integer, Decision> starts, int first, int last, Decision decision) {
        starts.put(first, decision);
        starts.putIfAbsent(last + 1, Decision.ALLOW);
    }

    private Label answer(Verdict verdict) {
        return answers.computeIfAbsent(verdict, unused -> new Label());
    }

    /** Of at least two. */
    private void search(List<Segment> segments) {
        int middle = segments.size() / 2;
        List<Segment> lower = segments.subList(0, middle);
        List<Segment> upper = segments.subList(middle, segments.size());
        Label below = found(lower);
        Label above = found(upper);
        assembler.jumpIfAtLeast(upper.get(0).first, above, below);
        if (lower.size() > 1) {
            assembler.place(below);
            search(lower);
        }
        if (upper.size() > 1) {
            assembler.place(above);
            search(upper);
        }
    }

    private Label found(List<Segment> segments) {
        if (segments.size() > 1) {
            return new Label();
        }
        Decision decision = segments.get(0).decision;
        return decision.cases().isEmpty()
                ? answer(decision.otherwise())
                : argumentCheck(decision).entry();
    }

    private ArgumentCheck argumentCheck(Decision decision) {
        for (ArgumentCheck known : argumentChecks) {
            if (answersAlike(known.decision(), decision)) {
                return known;
            }
        }
        ArgumentCheck check = new ArgumentCheck(decision, new Label());
        argumentChecks.add(check);
        return check;
    }

    private void checkArguments(Decision decision, Label entry) {
        Label at = entry;
        for (int i = 0; i < decision.cases().size(); i++) {
            Case aCase = decision.cases().get(i);
            boolean last = i == decision.cases().size() - 1;
            Label next = last ? answer(decision.otherwise()) : new Label();
            for (int t = 0; t < aCase.tests().size(); t++) {
                Test test = aCase.tests().get(t);
                boolean all = t == aCase.tests().size() - 1;
                Label holds = all ? answer(aCase.then()) : new Label();
                assembler.place(at);
                assembler.load(ARGS + 8 * test.argument());
                if (test.mask() != -1) {
                    assembler.and(test.mask());
                }
                assembler.jumpIfEqual(test.value(), holds, next);
                at = holds;
            }
            at = next;
        }
    }
}
