package dev.stockade.backend.landlock;

import dev.stockade.posix.Struct;
import dev.stockade.posix.Syscall;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * A seccomp program in front of another, that keeps a command from signalling the thread which has just started it.
 *
 * <p>That thread is in the command's own Landlock domain, so Landlock lets the signal pass, and SIGKILL to one thread
 * ends its process. Its number is known only on that thread: it is filled in there. Tracing is closed otherwise: the
 * process is not dumpable meanwhile.
 */
final class ThreadGuard {

    // linux/bpf_common.h, linux/filter.h
    private static final int LOAD_WORD = 0x20;
    private static final int JUMP_IF_EQUAL = 0x15;
    private static final int RETURN = 0x06;

    // linux/seccomp.h
    private static final int RET_ERRNO = 0x00050000;
    private static final int NUMBER = 0;
    private static final int ARCH = 4;
    private static final int FIRST_ARGUMENT = 16;

    private static final int EPERM = 1;
    private static final int ENOSYS = 38;
    private static final int F_SETOWN = 8;
    private static final int F_SETOWN_EX = 15;
    private static final int FIOSETOWN = 0x8901;
    private static final int SIOCSPGRP = 0x8902;

    private static final int INSTRUCTION = 8;

    private record Instruction(int code, int whenTrue, int whenFalse, int k) {}

    private final List<Instruction> program = new ArrayList<>();
    private final List<Integer> threadAt = new ArrayList<>();
    private final String osArch;
    private byte[] bytes = {};

    private ThreadGuard(String osArch) {
        this.osArch = osArch;
    }

    private void guard(int auditArch) {
        // Under another architecture the program behind refuses everything.
        add(LOAD_WORD, 0, 0, ARCH);
        add(JUMP_IF_EQUAL, 1, 0, auditArch);
        int skip = program.size();
        add(0x05, 0, 0, 0);
        add(LOAD_WORD, 0, 0, NUMBER);
        refuseThread(0, Syscall.KILL, Syscall.TKILL, Syscall.RT_SIGQUEUEINFO, Syscall.PIDFD_OPEN);
        refuseThread(1, Syscall.TGKILL, Syscall.RT_TGSIGQUEUEINFO);
        // pidfd_send_signal(2) takes the /proc directory of a thread, too. Those who use it fall back to kill(2).
        add(JUMP_IF_EQUAL, 0, 1, number(Syscall.PIDFD_SEND_SIGNAL));
        add(RETURN, 0, 0, RET_ERRNO | ENOSYS);
        // fcntl(2): any signal can be sent to the owner of a file.
        refuseOwners();
        program.set(skip, new Instruction(0x05, 0, 0, program.size() - skip - 1));
    }

    /** A program with the guard in front, ready to be copied for each start. */
    static ThreadGuard inFrontOf(byte[] filter, String osArch) {
        // AUDIT_ARCH_AARCH64, AUDIT_ARCH_X86_64: linux/audit.h
        int auditArch = osArch.equals("aarch64") || osArch.equals("arm64") ? 0xC00000B7 : 0xC000003E;
        ThreadGuard guard = new ThreadGuard(osArch);
        guard.guard(auditArch);
        ByteBuffer all = ByteBuffer.allocate(guard.program.size() * INSTRUCTION + filter.length)
                .order(ByteOrder.LITTLE_ENDIAN);
        for (Instruction instruction : guard.program) {
            all.putShort((short) instruction.code())
                    .put((byte) instruction.whenTrue())
                    .put((byte) instruction.whenFalse())
                    .putInt(instruction.k());
        }
        guard.bytes = all.put(filter).array();
        return guard;
    }

    /** The program alone: where the thread is the process, there is nobody to keep it from. */
    static ThreadGuard none(byte[] filter, String osArch) {
        ThreadGuard guard = new ThreadGuard(osArch);
        guard.bytes = filter.clone();
        return guard;
    }

    /** A copy in memory, whose numbers of the thread are still to be filled in. */
    Guarded in(Arena arena) {
        return new Guarded(
                new Struct(arena, bytes.length).put(bytes),
                threadAt.stream()
                        .mapToInt(at -> at * INSTRUCTION + Integer.BYTES)
                        .toArray());
    }

    /** One start's copy. */
    static final class Guarded {
        private final Struct code;
        private final int[] threadAt;

        private Guarded(Struct code, int[] threadAt) {
            this.code = code;
            this.threadAt = threadAt;
        }

        long address() {
            return code.address();
        }

        int instructions() {
            return code.size() / INSTRUCTION;
        }

        /** Fills the number of the thread in: no allocation, no class. */
        void forThread(int tid) {
            for (int i = 0; i < threadAt.length; i++) {
                code.putInt(threadAt[i], tid);
            }
        }
    }

    private int number(Syscall call) {
        return call.on(osArch).orElseThrow();
    }

    private void add(int code, int whenTrue, int whenFalse, int k) {
        program.add(new Instruction(code, whenTrue, whenFalse, k));
    }

    /** The accumulator holds the call's number, before and after. */
    private void refuseThread(int argument, Syscall... calls) {
        for (int i = 0; i < calls.length; i++) {
            boolean last = i == calls.length - 1;
            add(JUMP_IF_EQUAL, calls.length - 1 - i, last ? 4 : 0, number(calls[i]));
        }
        add(LOAD_WORD, 0, 0, FIRST_ARGUMENT + 8 * argument);
        threadAt.add(program.size());
        add(JUMP_IF_EQUAL, 0, 1, 0);
        add(RETURN, 0, 0, RET_ERRNO | EPERM);
        add(LOAD_WORD, 0, 0, NUMBER);
    }

    private void refuseOwners() {
        add(JUMP_IF_EQUAL, 0, 6, number(Syscall.FCNTL));
        add(LOAD_WORD, 0, 0, FIRST_ARGUMENT + 8);
        add(JUMP_IF_EQUAL, 3, 0, F_SETOWN_EX);
        add(JUMP_IF_EQUAL, 0, 3, F_SETOWN);
        add(LOAD_WORD, 0, 0, FIRST_ARGUMENT + 16);
        threadAt.add(program.size());
        add(JUMP_IF_EQUAL, 0, 1, 0);
        add(RETURN, 0, 0, RET_ERRNO | EPERM);
        add(LOAD_WORD, 0, 0, NUMBER);
        add(JUMP_IF_EQUAL, 0, 4, number(Syscall.IOCTL));
        add(LOAD_WORD, 0, 0, FIRST_ARGUMENT + 8);
        add(JUMP_IF_EQUAL, 1, 0, FIOSETOWN);
        add(JUMP_IF_EQUAL, 0, 1, SIOCSPGRP);
        add(RETURN, 0, 0, RET_ERRNO | EPERM);
    }
}
