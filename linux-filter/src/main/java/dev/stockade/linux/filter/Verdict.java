package dev.stockade.linux.filter;

/**
 * What becomes of a call. Never a kill: a program that probes for a call can live without it if it is told so.
 * The numbers are those of asm-generic/errno.h, equal on both architectures.
 */
enum Verdict {
    ALLOW(0),
    EPERM(1),
    EACCES(13),
    ENOSYS(38),
    EAFNOSUPPORT(97);

    private static final int SECCOMP_RET_ALLOW = 0x7FFF0000;
    private static final int SECCOMP_RET_ERRNO = 0x00050000;

    private final int errno;

    Verdict(int errno) {
        this.errno = errno;
    }

    int errno() {
        return errno;
    }

    /** The value a program returns: seccomp(2). */
    int returnValue() {
        return this == ALLOW ? SECCOMP_RET_ALLOW : SECCOMP_RET_ERRNO | errno;
    }
}
