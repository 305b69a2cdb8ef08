package dev.stockade.conformance.probe;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Processes of the host that a confined command must leave alone. They end with this JVM: they wait for its pipe. */
final class Victims implements AutoCloseable {

    private final Process killed;
    private final Process traced;

    private Victims(Process killed, Process traced) {
        this.killed = killed;
        this.traced = traced;
    }

    static Victims start(String unique, Map<String, String> bait) throws IOException {
        Victims victims = new Victims(waiting("mark-" + unique), waiting("traced-" + unique));
        bait.put("BAIT_MARK", "mark-" + unique);
        bait.put("BAIT_VICTIM", Long.toString(victims.killed.pid()));
        bait.put("BAIT_TRACED", Long.toString(victims.traced.pid()));
        return victims;
    }

    private static Process waiting(String mark) throws IOException {
        return new ProcessBuilder(List.of("sh", "-c", "read line", mark)).start();
    }

    boolean isKilled() {
        return !killed.isAlive();
    }

    @Override
    public void close() {
        killed.destroyForcibly();
        traced.destroyForcibly();
    }
}
