package dev.stockade.linux.filter;

import static dev.stockade.linux.filter.Calls.*;
import static dev.stockade.linux.filter.Verdict.ALLOW;
import static dev.stockade.linux.filter.Verdict.EACCES;
import static dev.stockade.linux.filter.Verdict.EAFNOSUPPORT;
import static dev.stockade.linux.filter.Verdict.EPERM;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("S13")
class SocketsTest {

    private static final int[] TYPES = {STREAM, DGRAM, RAW, 4, SEQPACKET, 6, 10};

    private static Verdict socket(SeccompFilter filter, int family, int type, int protocol) {
        Verdict plain = answer(filter, "socket", family, type, protocol);
        assertEquals(plain, answer(filter, "socket", family, type | SOCK_CLOEXEC | SOCK_NONBLOCK, protocol));
        return plain;
    }

    private static Verdict pair(SeccompFilter filter, int family, int type) {
        Verdict plain = answer(filter, "socketpair", family, type, 0);
        assertEquals(plain, answer(filter, "socketpair", family, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
        return plain;
    }

    @Test
    void offOpensNoFamilyOnTheHostsNetworkButRoutingInformation() {
        SeccompFilter filter = SeccompFilter.of(Sockets.OFF);
        for (int family = 0; family < 64; family++) {
            for (int type : TYPES) {
                Verdict expected = family == AF_UNIX ? EACCES : family == AF_NETLINK ? ALLOW : EAFNOSUPPORT;
                assertEquals(expected, socket(filter, family, type, 0), family + " " + type);
            }
        }
    }

    @Test
    void offLeavesIpToANetworkNamespaceOfItsOwn() {
        SeccompFilter filter = SeccompFilter.of(Sockets.OFF, Isolation.NETWORK);
        for (int family : new int[] {AF_INET, AF_INET6}) {
            assertEquals(ALLOW, socket(filter, family, STREAM, 0));
            assertEquals(ALLOW, socket(filter, family, DGRAM, 0));
            assertEquals(ALLOW, socket(filter, family, STREAM, IPPROTO_MPTCP));
        }
        assertEquals(EACCES, socket(filter, AF_UNIX, STREAM, 0));
    }

    @Test
    void loopbackAddsUnixSocketsAndNothingElse() {
        for (SeccompFilter filter : allFilters()) {
            if (filter.sockets() != Sockets.LOOPBACK) {
                continue;
            }
            SeccompFilter off = new SeccompFilter(Sockets.OFF, filter.isolated());
            for (int family = 0; family < 64; family++) {
                Verdict expected = family == AF_UNIX ? ALLOW : socket(off, family, STREAM, 0);
                assertEquals(expected, socket(filter, family, STREAM, 0));
            }
        }
    }

    @Test
    void onOpensUnixAndIpWhereverTheCommandRuns() {
        for (SeccompFilter filter : allFilters()) {
            if (filter.sockets() == Sockets.ON) {
                assertEquals(ALLOW, socket(filter, AF_UNIX, DGRAM, 0));
                assertEquals(ALLOW, socket(filter, AF_INET, STREAM, IPPROTO_MPTCP));
                assertEquals(ALLOW, socket(filter, AF_INET, DGRAM, IPPROTO_ICMP));
                assertEquals(ALLOW, socket(filter, AF_INET6, DGRAM, 0));
            }
        }
    }

    @Test
    void mptcpIsRefusedWithTheFamilyItBelongsTo() {
        assertEquals(EAFNOSUPPORT, socket(SeccompFilter.of(Sockets.OFF), AF_INET, STREAM, IPPROTO_MPTCP));
        assertEquals(EAFNOSUPPORT, socket(SeccompFilter.of(Sockets.LOOPBACK), AF_INET6, STREAM, IPPROTO_MPTCP));
        assertEquals(ALLOW, socket(SeccompFilter.of(Sockets.ON), AF_INET, STREAM, IPPROTO_MPTCP));
    }

    @Test
    void noSettingOpensAFamilyThatIsNotListed() {
        for (SeccompFilter filter : allFilters()) {
            for (int family : new int[] {0, 3, AF_PACKET, AF_ALG, AF_VSOCK, AF_XDP, 63, -1, Integer.MIN_VALUE}) {
                assertEquals(EAFNOSUPPORT, socket(filter, family, RAW, 0));
                assertEquals(EAFNOSUPPORT, socket(filter, family, STREAM, 0));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {AF_INET, AF_INET6})
    void rawIpSocketsAreRefusedAndDatagramsAreNot(int family) {
        SeccompFilter filter = SeccompFilter.of(Sockets.ON);
        for (int type : TYPES) {
            assertEquals(type == STREAM || type == DGRAM ? ALLOW : EPERM, socket(filter, family, type, IPPROTO_ICMP));
        }
    }

    @ParameterizedTest
    @EnumSource
    void netlinkAnswersAboutRoutesOnly(Sockets sockets) {
        SeccompFilter filter = SeccompFilter.of(sockets);
        assertEquals(ALLOW, socket(filter, AF_NETLINK, RAW, 0));
        for (int protocol : new int[] {1, 4, 9, 12, 15, 16, 1 << 31}) {
            assertEquals(EAFNOSUPPORT, socket(filter, AF_NETLINK, RAW, protocol));
        }
    }

    @Test
    void offLeavesConnectedPairsAndNoneThatCanSendElsewhere() {
        SeccompFilter filter = SeccompFilter.of(Sockets.OFF, Isolation.values());
        for (int type : TYPES) {
            assertEquals(type == STREAM || type == SEQPACKET ? ALLOW : EACCES, pair(filter, AF_UNIX, type));
        }
        assertEquals(ALLOW, pair(SeccompFilter.of(Sockets.LOOPBACK), AF_UNIX, DGRAM));
    }

    @ParameterizedTest
    @EnumSource
    void noOtherFamilyHasPairs(Sockets sockets) {
        assertEquals(EAFNOSUPPORT, pair(SeccompFilter.of(sockets), 30, STREAM)); // AF_TIPC has them
        assertEquals(EAFNOSUPPORT, pair(SeccompFilter.of(sockets), AF_INET, STREAM));
        assertEquals(ALLOW, pair(SeccompFilter.of(sockets), AF_UNIX, STREAM));
    }
}
