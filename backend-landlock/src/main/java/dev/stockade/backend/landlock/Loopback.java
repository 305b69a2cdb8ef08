package dev.stockade.backend.landlock;

import dev.stockade.posix.Linux;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/**
 * A network in which there is nothing but loopback, made once for the commands of one sandbox: network_namespaces(7).
 * They reach each other in it, and nobody else.
 */
final class Loopback {

    /** {@code struct ifreq}, netdevice(7): a name of 16 bytes, then here the flags. */
    private static final int REQUEST = 40;

    private static final int FLAGS = 16;

    private Loopback() {}

    /** A descriptor of the namespace. */
    static int make() {
        return Namespace.onOwnThread("stockade-loopback", Loopback::onThisThread);
    }

    private static int onThisThread() {
        Kernel kernel = new Kernel();
        Linux linux = kernel.linux();
        Kernel.checked(linux.unshare(Linux.CLONE_NEWNET), "unshare(CLONE_NEWNET)");
        int socket = (int) Kernel.checked(
                linux.socket(Linux.AF_INET, Linux.SOCK_DGRAM | Linux.SOCK_CLOEXEC, 0), "a socket for loopback");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment request = arena.allocate(REQUEST, 8);
            request.asByteBuffer().put("lo".getBytes(StandardCharsets.US_ASCII));
            request.set(ValueLayout.JAVA_SHORT, FLAGS, (short) Linux.IFF_UP);
            Kernel.checked(linux.ioctl(socket, Linux.SIOCSIFFLAGS, request.address()), "bringing loopback up");
        } finally {
            linux.close(socket);
        }
        return Namespace.own(kernel, "net");
    }
}
