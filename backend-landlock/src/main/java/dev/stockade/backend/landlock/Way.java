package dev.stockade.backend.landlock;

import dev.stockade.api.Profile;

/** How a process gets into a Landlock domain as a whole. */
enum Way {
    /** All threads at once, by {@code LANDLOCK_RESTRICT_SELF_TSYNC}. Not yet run: no such kernel was at hand. */
    IN_PLACE,
    /** One confines itself, and what it executes then has no other thread. */
    RESTART;

    /** Linux 7.0: landlock_restrict_self(2). */
    private static final int THREAD_SYNC = 8;

    /**
     * Decides.
     *
     * @param privileged whether the JVM holds capabilities: each thread has its own, and no call takes all of them away
     * @param tmp a private one is told to a JVM when it starts, and never later
     */
    static Way of(LandlockAbi abi, boolean privileged, Profile.Tmp tmp) {
        return abi.version() >= THREAD_SYNC && !privileged && tmp == Profile.Tmp.SHARED ? IN_PLACE : RESTART;
    }
}
