package dev.stockade.linux.filter;

import java.util.Set;

/**
 * A seccomp filter for a confined command and everything it starts.
 *
 * <p>It denies, besides the sockets asked to be closed: io_uring, kernel keyrings, new namespaces and entering others,
 * changing mounts, opening files by handle, loading code into the kernel, acting on the whole machine, and putting input
 * into a terminal. Calls newer than this module and calls through another architecture (i386, x32, 32-bit ARM) do not
 * exist for the command. What is denied fails with an error and kills nobody. {@code posix_spawn}, {@code fork} and
 * {@code execve} work under the filter.
 *
 * <p>Not covered: which file, address or process a call names, because that lies behind a pointer or is not known when
 * the filter is built; descriptors that are open when it is installed; and kernels before 4.8, where a tracer could
 * change a call after the filter had allowed it.
 *
 * <p>Immutable and safe for use by several threads.
 *
 * @param sockets which sockets the command may open
 * @param isolated what other mechanisms isolate; for each that is missing the filter denies what it can
 * @see <a href="https://man7.org/linux/man-pages/man2/seccomp.2.html">seccomp(2)</a>
 */
public record SeccompFilter(Sockets sockets, Set<Isolation> isolated) {

    /** Takes a copy of the set. */
    public SeccompFilter {
        isolated = Set.copyOf(isolated);
    }

    /**
     * The filter for these sockets.
     *
     * @param sockets which sockets the command may open
     * @param isolated what other mechanisms isolate
     * @return the filter
     */
    public static SeccompFilter of(Sockets sockets, Isolation... isolated) {
        return new SeccompFilter(sockets, Set.of(isolated));
    }

    /**
     * The program for {@code seccomp(2)} and for bubblewrap's {@code --seccomp}: {@code struct sock_filter[]},
     * little-endian, 8 bytes an instruction. It has to be built for the architecture of the kernel that will run it;
     * under any other it refuses every call.
     *
     * @param architecture the architecture, see {@link Architecture#named}
     * @return a new array
     */
    public byte[] program(Architecture architecture) {
        return ProgramWriter.write(architecture, Policy.of(this));
    }

    /**
     * The profile for {@code docker run --security-opt seccomp=FILE}: JSON. A profile given to Docker replaces the
     * engine's own, so this one holds what the engine allows by default (Docker 28, without what asks for a capability),
     * minus what this filter denies. Where this filter allows what the engine denies, it stays denied.
     *
     * <p>It holds for every {@link Architecture}; the engine picks. Under another architecture of the machine it gives
     * no promise. Two differences from {@link #program}, both forced by the format: a call through a foreign architecture
     * ends the caller with {@code SIGSYS}, and a call unknown to the profile fails with {@code EPERM} or
     * {@code ENOSYS}, as the engine's runtime decides.
     *
     * @return the text of the profile
     */
    public String dockerProfile() {
        return DockerProfile.write(Policy.of(this));
    }
}
