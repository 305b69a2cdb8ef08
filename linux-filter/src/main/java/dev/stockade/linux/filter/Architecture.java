package dev.stockade.linux.filter;

import java.util.Optional;

/** A processor architecture, in its 64-bit little-endian form, for which filters can be built. */
public enum Architecture {
    /** {@code AUDIT_ARCH_X86_64}. Its x32 and i386 calls are refused. */
    X86_64(0xC000003E),

    /** {@code AUDIT_ARCH_AARCH64}. Its 32-bit ARM calls are refused. */
    AARCH64(0xC00000B7);

    private final int auditCode;

    Architecture(int auditCode) {
        this.auditCode = auditCode;
    }

    /**
     * The architecture that a JVM's {@code os.arch} names.
     *
     * @param osArch such as {@code amd64} or {@code aarch64}
     * @return empty where there is no filter for it; the caller then has to say what stays open
     */
    public static Optional<Architecture> named(String osArch) {
        return switch (osArch) {
            case "amd64", "x86_64" -> Optional.of(X86_64);
            case "aarch64", "arm64" -> Optional.of(AARCH64);
            default -> Optional.empty();
        };
    }

    /** What {@code struct seccomp_data.arch} holds: linux/audit.h. */
    int auditCode() {
        return auditCode;
    }
}
