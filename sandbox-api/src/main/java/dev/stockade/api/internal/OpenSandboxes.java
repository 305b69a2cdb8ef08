package dev.stockade.api.internal;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Closes, when the JVM ends, what was not closed before: no command outlives its caller for want of a close. */
public final class OpenSandboxes {

    private static final Set<AutoCloseable> OPEN = ConcurrentHashMap.newKeySet();

    static {
        try {
            Runtime.getRuntime().addShutdownHook(new Thread(OpenSandboxes::closeAll, "stockade-end"));
        } catch (IllegalStateException e) {
            // The JVM is ending already: whoever opens a sandbox now has to close it.
        }
    }

    private OpenSandboxes() {}

    public static void add(AutoCloseable sandbox) {
        OPEN.add(sandbox);
    }

    public static void remove(AutoCloseable sandbox) {
        OPEN.remove(sandbox);
    }

    /** Whether one is open now. */
    public static boolean any() {
        return !OPEN.isEmpty();
    }

    private static void closeAll() {
        for (AutoCloseable sandbox : OPEN) {
            try {
                sandbox.close();
            } catch (Exception e) {
                // The JVM is ending; the others still want to be closed.
            }
        }
    }
}
