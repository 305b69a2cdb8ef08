package dev.stockade.linux.filter;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Every filter there is, and calls to try on them. */
final class Calls {

    static final int AF_UNIX = 1;
    static final int AF_INET = 2;
    static final int AF_INET6 = 10;
    static final int AF_NETLINK = 16;
    static final int AF_PACKET = 17;
    static final int AF_ALG = 38;
    static final int AF_VSOCK = 40;
    static final int AF_XDP = 44;

    static final int STREAM = 1;
    static final int DGRAM = 2;
    static final int RAW = 3;
    static final int SEQPACKET = 5;
    static final int SOCK_NONBLOCK = 0x800;
    static final int SOCK_CLOEXEC = 0x80000;

    static final int IPPROTO_ICMP = 1;
    static final int IPPROTO_MPTCP = 262;

    private Calls() {}

    static List<SeccompFilter> allFilters() {
        List<SeccompFilter> filters = new ArrayList<>();
        for (Sockets sockets : Sockets.values()) {
            filters.add(SeccompFilter.of(sockets));
        }
        for (Isolation isolation : Isolation.values()) {
            for (SeccompFilter filter : List.copyOf(filters)) {
                Set<Isolation> isolated = new HashSet<>(filter.isolated());
                isolated.add(isolation);
                filters.add(new SeccompFilter(filter.sockets(), isolated));
            }
        }
        return filters;
    }

    private record Key(SeccompFilter filter, Architecture architecture) {}

    private static final Map<Key, BpfInterpreter> INTERPRETERS = new ConcurrentHashMap<>();

    static BpfInterpreter interpreter(SeccompFilter filter, Architecture architecture) {
        return INTERPRETERS.computeIfAbsent(
                new Key(filter, architecture), key -> new BpfInterpreter(filter.program(architecture)));
    }

    /** What the program of a filter says to a call on both architectures, with and without high halves of arguments set. */
    static Verdict answer(SeccompFilter filter, String call, long... arguments) {
        Verdict answer = null;
        for (Architecture architecture : Architecture.values()) {
            if (SyscallNumbers.of(architecture, call).isEmpty()) {
                continue;
            }
            int number = SyscallNumbers.of(architecture, call).getAsInt();
            for (long high : new long[] {0, 1L << 32, 0xFFFFFFFFL << 32}) {
                long[] changed = new long[arguments.length];
                for (int i = 0; i < changed.length; i++) {
                    changed[i] = (arguments[i] & 0xFFFFFFFFL) | high;
                }
                Verdict now = verdict(interpreter(filter, architecture).run(architecture.auditCode(), number, changed));
                if (answer != null && answer != now) {
                    throw new AssertionError(call + " is " + answer + " and " + now + " on " + architecture);
                }
                answer = now;
            }
        }
        if (answer == null) {
            throw new AssertionError("no architecture has " + call);
        }
        return answer;
    }

    static Verdict verdict(int returned) {
        for (Verdict verdict : Verdict.values()) {
            if (verdict.returnValue() == returned) {
                return verdict;
            }
        }
        throw new AssertionError("returned " + Integer.toHexString(returned));
    }
}
