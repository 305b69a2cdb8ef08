package dev.stockade.posix;

import java.util.OptionalInt;

/**
 * The system calls that are used, and their numbers. What Linux 5.1 and later added has one number everywhere; before,
 * x86-64 has its own ({@code asm/unistd_64.h}), and aarch64, riscv64 and loongarch64 share the generic ones
 * ({@code asm-generic/unistd.h}).
 */
public enum Syscall {
    READ(0, 63),
    WRITE(1, 64),
    CLOSE(3, 57),
    LSEEK(8, 62),
    RT_SIGACTION(13, 134),
    RT_SIGPROCMASK(14, 135),
    IOCTL(16, 29),
    SCHED_YIELD(24, 124),
    GETPID(39, 172),
    SOCKET(41, 198),
    CONNECT(42, 203),
    SOCKETPAIR(53, 199),
    EXECVE(59, 221),
    WAIT4(61, 260),
    KILL(62, 129),
    FCNTL(72, 25),
    CHDIR(80, 49),
    SETGROUPS(116, 159),
    SETRESUID(117, 147),
    SETRESGID(119, 149),
    CAPGET(125, 90),
    CAPSET(126, 91),
    RT_SIGQUEUEINFO(129, 138),
    PRCTL(157, 167),
    MOUNT(165, 40),
    GETTID(186, 178),
    TKILL(200, 130),
    EPOLL_CTL(233, 21),
    TGKILL(234, 131),
    OPENAT(257, 56),
    PPOLL(271, 73),
    UNSHARE(272, 97),
    EPOLL_PWAIT(281, 22),
    EVENTFD2(290, 19),
    EPOLL_CREATE1(291, 20),
    DUP3(292, 24),
    PIPE2(293, 59),
    RT_TGSIGQUEUEINFO(297, 240),
    SETNS(308, 268),
    SECCOMP(317, 277),
    MEMFD_CREATE(319, 279),
    PIDFD_SEND_SIGNAL(424, 424),
    IO_URING_SETUP(425, 425),
    OPEN_TREE(428, 428),
    MOVE_MOUNT(429, 429),
    PIDFD_OPEN(434, 434),
    CLOSE_RANGE(436, 436),
    OPENAT2(437, 437),
    MOUNT_SETATTR(442, 442),
    LANDLOCK_CREATE_RULESET(444, 444),
    LANDLOCK_ADD_RULE(445, 445),
    LANDLOCK_RESTRICT_SELF(446, 446);

    private final int x86;
    private final int generic;
    private final int here;

    Syscall(int x86, int generic) {
        this.x86 = x86;
        this.generic = generic;
        // -1 is no system call: ENOSYS.
        this.here = on(System.getProperty("os.arch")).orElse(-1);
    }

    /** The number on this machine. */
    int number() {
        return here;
    }

    /**
     * The number on a processor.
     *
     * @param osArch as {@code os.arch} names it
     * @return empty where the numbers are not known
     */
    public OptionalInt on(String osArch) {
        return switch (osArch) {
            case "amd64", "x86_64" -> OptionalInt.of(x86);
            case "aarch64", "arm64", "riscv64", "loongarch64" -> OptionalInt.of(generic);
            default -> OptionalInt.empty();
        };
    }
}
