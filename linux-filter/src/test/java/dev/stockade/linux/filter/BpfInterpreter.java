package dev.stockade.linux.filter;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Runs a filter as the kernel would, after the checks with which the kernel refuses one (kernel/seccomp.c, net/core/filter.c). */
final class BpfInterpreter {

    static final int MOST_INSTRUCTIONS = 4096; // BPF_MAXINSNS
    private static final int DATA_BYTES = 64;

    private record Instruction(int code, int ifTrue, int ifFalse, int constant) {}

    private final Instruction[] program;
    private int steps;

    BpfInterpreter(byte[] bytes) {
        if (bytes.length == 0 || bytes.length % 8 != 0 || bytes.length / 8 > MOST_INSTRUCTIONS) {
            throw new IllegalArgumentException(bytes.length + " bytes are no program");
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        program = new Instruction[bytes.length / 8];
        for (int i = 0; i < program.length; i++) {
            program[i] = new Instruction(
                    buffer.getShort() & 0xFFFF, buffer.get() & 0xFF, buffer.get() & 0xFF, buffer.getInt());
            check(i, program[i]);
        }
        if (program[program.length - 1].code != 0x06) {
            throw new IllegalArgumentException("does not end with a return");
        }
    }

    private void check(int at, Instruction instruction) {
        long behind = program.length - at - 1L;
        boolean valid = switch (instruction.code) {
            case 0x20 ->
                instruction.constant >= 0 && instruction.constant < DATA_BYTES && instruction.constant % 4 == 0;
            case 0x54, 0x06 -> true;
            case 0x05 -> Integer.toUnsignedLong(instruction.constant) < behind;
            case 0x15, 0x25, 0x35, 0x45 -> instruction.ifTrue < behind && instruction.ifFalse < behind;
            default -> false;
        };
        if (!valid) {
            throw new IllegalArgumentException("refused at " + at + ": " + instruction);
        }
    }

    int length() {
        return program.length;
    }

    /** Instructions the last run took. */
    int steps() {
        return steps;
    }

    int run(int auditArch, int number, long... arguments) {
        ByteBuffer data = ByteBuffer.allocate(DATA_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        data.putInt(0, number).putInt(4, auditArch);
        for (int i = 0; i < arguments.length; i++) {
            data.putLong(16 + 8 * i, arguments[i]);
        }
        int accumulator = 0;
        int at = 0;
        for (steps = 1; ; steps++) {
            Instruction now = program[at++];
            int order = Integer.compareUnsigned(accumulator, now.constant);
            switch (now.code) {
                case 0x20 -> accumulator = data.getInt(now.constant);
                case 0x54 -> accumulator &= now.constant;
                case 0x05 -> at += now.constant;
                case 0x15 -> at += order == 0 ? now.ifTrue : now.ifFalse;
                case 0x25 -> at += order > 0 ? now.ifTrue : now.ifFalse;
                case 0x35 -> at += order >= 0 ? now.ifTrue : now.ifFalse;
                case 0x45 -> at += (accumulator & now.constant) != 0 ? now.ifTrue : now.ifFalse;
                case 0x06 -> {
                    return now.constant;
                }
                default -> throw new AssertionError(now);
            }
        }
    }
}
