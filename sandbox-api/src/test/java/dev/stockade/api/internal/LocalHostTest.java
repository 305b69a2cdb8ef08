package dev.stockade.api.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.stockade.api.spi.Host;
import dev.stockade.api.spi.Host.Printed;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LocalHostTest {

    private static final Host HOST = LocalHost.INSTANCE;
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private static List<String> sh(String script) {
        return List.of("sh", "-c", script);
    }

    @Test
    @Tag("M22")
    void remembersWhatAProgramPrinted() {
        List<String> now = sh("echo out; echo err >&2; date +%N; exit 3");
        Printed first = HOST.output(LIMIT, now).orElseThrow();
        assertEquals(3, first.status());
        assertTrue(first.text().startsWith("out\nerr\n"), first::text);
        assertEquals(Optional.of(first), HOST.output(LIMIT, now));
    }

    @Test
    @Tag("M22")
    void readsAllThatAProgramPrintsHoweverSoonItEnds() {
        for (int i = 0; i < 200; i++) {
            assertEquals(
                    i + "\n", HOST.output(LIMIT, sh("echo " + i)).orElseThrow().text());
        }
    }

    @Test
    void doesNotRememberThatThereWasNoAnswer() {
        // Of one that has ended the status is known, interrupted or not.
        List<String> argv = sh("sleep 0.2; exit 5");
        Thread.currentThread().interrupt();
        assertEquals(Optional.empty(), HOST.output(LIMIT, argv));
        assertTrue(Thread.interrupted());
        assertEquals(5, HOST.output(LIMIT, argv).orElseThrow().status());
    }

    @Test
    void waitsNoLongerThanItIsGiven() {
        long from = System.nanoTime();
        assertEquals(Optional.empty(), HOST.output(Duration.ofMillis(200), sh("sleep 30; exit 0")));
        // Its child holds the output open.
        assertEquals(
                0, HOST.output(LIMIT, sh("sleep 15 & exit 0")).orElseThrow().status());
        assertTrue(System.nanoTime() - from < LIMIT.toNanos() / 2);
        assertEquals(Optional.empty(), HOST.output(LIMIT, List.of("/no/such/program")));
    }

    @Test
    void findsProgramsInTheSystemsDirectoriesFirst() {
        assertTrue(HOST.find("sh").orElseThrow().startsWith("/usr/bin"));
        assertEquals(Optional.empty(), HOST.find("no-such-program"));
        assertEquals(Optional.empty(), HOST.find("\uD800"));
    }
}
