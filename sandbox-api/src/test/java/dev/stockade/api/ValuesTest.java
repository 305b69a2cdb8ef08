package dev.stockade.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.stockade.api.Outcome.Exited;
import dev.stockade.api.Outcome.Signalled;
import dev.stockade.api.Outcome.TimedOut;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The small values: what they refuse, what they say. */
class ValuesTest {

    @Test
    @Tag("S16")
    void readsAStatusAsAShellGivesIt() {
        assertEquals(new Exited(0), Outcome.ofStatus(0));
        assertEquals(new Exited(128), Outcome.ofStatus(128));
        assertEquals(new Signalled(1), Outcome.ofStatus(129));
        assertEquals(new Signalled(64), Outcome.ofStatus(192));
        assertEquals(new Exited(193), Outcome.ofStatus(193));
        for (int status = 0; status < 256; status++) {
            assertEquals(status, Outcome.ofStatus(status).exitStatus());
        }
        assertEquals(124, new TimedOut(Duration.ofSeconds(1)).exitStatus());
    }

    @Test
    void refusesLimitsThatAreNone() {
        assertThrows(IllegalArgumentException.class, () -> Limits.NONE.memoryBytes(0));
        assertThrows(IllegalArgumentException.class, () -> Limits.NONE.cpus(Double.NaN));
        assertThrows(IllegalArgumentException.class, () -> Limits.NONE.cpus(Double.POSITIVE_INFINITY));
        assertThrows(IllegalArgumentException.class, () -> Limits.NONE.cpus(-0.5));
        assertThrows(IllegalArgumentException.class, () -> Limits.NONE.processes(-1));
        Limits all = Limits.NONE.memoryBytes(1L << 40).cpus(0.5).processes(7);
        assertEquals(1L << 40, all.memoryBytes().orElseThrow());
        assertEquals(0.5, all.cpus().orElseThrow());
        assertEquals(7, all.processes().orElseThrow());
        assertEquals(all, Limits.NONE.processes(7).cpus(0.5).memoryBytes(1L << 40));
        assertNotEquals(all, Limits.NONE);
    }

    @Test
    void takesWhatNobodyClosedForOpen() {
        for (Reach reach : Reach.values()) {
            assertTrue(Capabilities.EVERYTHING.can(reach));
            assertEquals("nothing closes it here", Capabilities.EVERYTHING.reason(reach));
            Capabilities closed = Capabilities.EVERYTHING.closing(reach, "a filter");
            assertFalse(closed.can(reach));
            assertEquals("a filter", closed.reason(reach));
            assertTrue(Stream.of(Reach.values()).allMatch(other -> other == reach || closed.can(other)));
            Capabilities reopened = closed.opening(reach, "a hole");
            assertTrue(reopened.can(reach));
            assertEquals("a hole", reopened.reason(reach));
            assertFalse(closed.can(reach));
            assertEquals(closed, reopened.closing(reach, "a filter"));
        }
    }

    @Test
    @Tag("M10")
    void reachesBeyondWhereOneDoorIsOpen() {
        List<Reach> data = List.of(Reach.READ_BEYOND, Reach.WRITE_BEYOND, Reach.SHARED_TMP);
        List<Reach> network = List.of(Reach.SEND_OFF_MACHINE, Reach.HOST_LOOPBACK, Reach.HOST_UNIX_SOCKETS);
        Capabilities closed = FakeBackend.closing(Reach.values());
        assertFalse(closed.reachesBeyondWorkspace());
        assertFalse(closed.canReachNetwork());
        for (Reach reach : Reach.values()) {
            Capabilities open = closed.opening(reach, "open");
            assertEquals(data.contains(reach), open.reachesBeyondWorkspace(), reach::name);
            assertEquals(network.contains(reach), open.canReachNetwork(), reach::name);
        }
    }

    @Test
    @Tag("M05")
    void anInvocationShowsNoValueAndIsCopied() {
        Map<String, String> environment = new HashMap<>(Map.of("TOKEN", "s3cret"));
        Invocation invocation = new Invocation(List.of("env"), environment, Path.of("/"));
        environment.clear();
        assertFalse(invocation.toString().contains("s3cret"));
        assertEquals(Map.of("TOKEN", "s3cret"), invocation.toProcessBuilder().environment());
    }
}
