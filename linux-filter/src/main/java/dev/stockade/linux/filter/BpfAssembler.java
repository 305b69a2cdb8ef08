package dev.stockade.linux.filter;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes classic BPF ({@code struct sock_filter[]}, linux/filter.h): only the instructions a filter on call numbers and
 * arguments needs, with labels for the targets of jumps. A jump goes forward, by at most 255 instructions if it is
 * conditional; {@link #assemble} fails rather than write another.
 */
final class BpfAssembler {

    static final int INSTRUCTION_BYTES = 8;

    // linux/bpf_common.h
    private static final int LD_W_ABS = 0x20;
    private static final int ALU_AND_K = 0x54;
    private static final int JMP_JEQ_K = 0x15;
    private static final int JMP_JGE_K = 0x35;
    private static final int RET_K = 0x06;

    /** A place in the program, to be {@linkplain #place placed} after the jumps to it. */
    static final class Label {
        private int position = -1;
    }

    private record Instruction(int code, int constant, Label ifTrue, Label ifFalse) {}

    private final List<Instruction> instructions = new ArrayList<>();

    /** Loads the 32-bit word at an offset of {@code struct seccomp_data}. */
    void load(int offset) {
        add(LD_W_ABS, offset);
    }

    void and(int mask) {
        add(ALU_AND_K, mask);
    }

    void ret(Verdict verdict) {
        add(RET_K, verdict.returnValue());
    }

    void jumpIfEqual(int constant, Label target, Label otherwise) {
        instructions.add(new Instruction(JMP_JEQ_K, constant, target, otherwise));
    }

    /** Compares without sign. */
    void jumpIfAtLeast(int constant, Label target, Label otherwise) {
        instructions.add(new Instruction(JMP_JGE_K, constant, target, otherwise));
    }

    void place(Label label) {
        label.position = instructions.size();
    }

    private void add(int code, int constant) {
        Label next = new Label();
        instructions.add(new Instruction(code, constant, next, next));
        place(next);
    }

    /**
     * The program, little-endian.
     *
     * @throws IllegalStateException if a label is not placed, or too far away
     */
    byte[] assemble() {
        ByteBuffer program =
                ByteBuffer.allocate(instructions.size() * INSTRUCTION_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (int at = 0; at < instructions.size(); at++) {
            Instruction instruction = instructions.get(at);
            int ifTrue = distance(at, instruction.ifTrue);
            int ifFalse = distance(at, instruction.ifFalse);
            if (ifTrue > 255 || ifFalse > 255) {
                throw new IllegalStateException("conditional jump over more than 255 instructions at " + at);
            }
            program.putShort((short) instruction.code);
            program.put((byte) ifTrue);
            program.put((byte) ifFalse);
            program.putInt(instruction.constant);
        }
        return program.array();
    }

    private static int distance(int from, Label to) {
        int distance = to.position - from - 1;
        if (distance < 0) {
            throw new IllegalStateException("jump backwards or nowhere at " + from);
        }
        return distance;
    }
}
