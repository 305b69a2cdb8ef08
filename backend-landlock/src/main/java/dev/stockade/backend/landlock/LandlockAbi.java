package dev.stockade.backend.landlock;

/**
 * What a version of the kernel's interface knows: landlock(7) and {@code linux/landlock.h}. A kernel that is newer than
 * this table is used as the newest version that the table has.
 *
 * @param version 1 to {@link #NEWEST}
 */
record LandlockAbi(int version) {

    /** Linux 7.3. */
    static final int NEWEST = 11;

    /** The first that denies truncation; before, what is to be read-only can be emptied. Linux 6.2. */
    static final int HOLDS_FILES = 3;

    static final long EXECUTE = 1;
    static final long WRITE_FILE = 1 << 1;
    static final long READ_FILE = 1 << 2;
    static final long READ_DIR = 1 << 3;
    static final long REMOVE_DIR = 1 << 4;
    static final long REMOVE_FILE = 1 << 5;
    static final long MAKE_CHAR = 1 << 6;
    static final long MAKE_DIR = 1 << 7;
    static final long MAKE_REG = 1 << 8;
    static final long MAKE_SOCK = 1 << 9;
    static final long MAKE_FIFO = 1 << 10;
    static final long MAKE_BLOCK = 1 << 11;
    static final long MAKE_SYM = 1 << 12;
    /** ABI 2, Linux 5.19. */
    static final long REFER = 1 << 13;
    /** ABI 3, Linux 6.2. */
    static final long TRUNCATE = 1 << 14;
    /** ABI 5, Linux 6.10. */
    static final long IOCTL_DEV = 1 << 15;
    /** ABI 9, Linux 7.1; Unix sockets of the domain itself stay open. */
    static final long RESOLVE_UNIX = 1 << 16;

    /** What a rule on a file may allow; the rest is about what lies in a directory. */
    static final long OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV | RESOLVE_UNIX;

    /** ABI 4, Linux 6.7: bind and connect TCP. */
    private static final long TCP = 0b11;
    /** ABI 10, Linux 7.2: bind UDP; connect and send UDP. */
    private static final long UDP = 0b1100;

    /** ABI 6, Linux 6.12. */
    static final long SCOPE_ABSTRACT_UNIX = 1;

    static final long SCOPE_SIGNAL = 2;

    /** The version to use where the kernel reports one. */
    static LandlockAbi reported(int version) {
        return new LandlockAbi(Math.min(version, NEWEST));
    }

    /** All rights over files that can be taken away. */
    long files() {
        long rights = REFER - 1;
        rights |= version >= 2 ? REFER : 0;
        rights |= version >= 3 ? TRUNCATE : 0;
        rights |= version >= 5 ? IOCTL_DEV : 0;
        return version >= 9 ? rights | RESOLVE_UNIX : rights;
    }

    /** All rights over ports that can be taken away. */
    long ports() {
        return (version >= 4 ? TCP : 0) | (version >= 10 ? UDP : 0);
    }

    /** What can be kept within a domain. */
    long scopes() {
        return version >= 6 ? SCOPE_ABSTRACT_UNIX | SCOPE_SIGNAL : 0;
    }

    /** The length of {@code struct landlock_ruleset_attr} that the kernel knows: longer ones have to be zero. */
    int attributeLength() {
        if (version < 4) {
            return 8;
        }
        if (version < 6) {
            return 16;
        }
        return version < 10 ? 24 : 48;
    }

    boolean scopesSignals() {
        return (scopes() & SCOPE_SIGNAL) != 0;
    }

    boolean deniesHostUnixSockets() {
        return (files() & RESOLVE_UNIX) != 0;
    }
}
