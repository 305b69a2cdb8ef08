package dev.stockade.api;

/**
 * One thing that a confined command may still be able to do. A backend claims what is closed; every other constant
 * counts as open, also one that is added after the backend was written.
 */
public enum Reach {
    /** Sends or receives packets beyond this machine, by whatever protocol. */
    SEND_OFF_MACHINE("send anything off this machine"),
    /** Connects to what listens on the host's own loopback addresses. */
    HOST_LOOPBACK("connect to servers on the host's loopback"),
    /** Connects to Unix sockets of host programs (path or abstract), which may act for whoever asks. */
    HOST_UNIX_SOCKETS("ask host programs through their Unix sockets"),
    /** Reads contents or names beyond the workspace. A read-only operating system ({@code /usr} …) does not count. */
    READ_BEYOND("read beyond the workspace"),
    /** Creates, changes or removes files beyond the workspace. */
    WRITE_BEYOND("write beyond the workspace"),
    /** Looks up paths it can name, or changes mode, owner, times or attributes, beyond the workspace. */
    METADATA_BEYOND("change mode, owner or times of files beyond the workspace"),
    /** Shares {@code /tmp} with the host's other programs. */
    SHARED_TMP("share /tmp with other programs"),
    /** Sees the host's other processes and their arguments. */
    SEE_PROCESSES("see other processes and their arguments"),
    /** Sends signals to, or traces, processes that it did not start. */
    SIGNAL_PROCESSES("signal or trace other processes"),
    /** Types into the caller's terminal (TIOCSTI, TIOCLINUX), to be executed by the caller's shell. */
    TYPE_INTO_TERMINAL("type into the caller's terminal"),
    /** Gains a privilege that it was not started with: set-user-ID programs, capabilities, new user namespaces. */
    GAIN_PRIVILEGE("gain privileges"),
    /** Leaves a process behind that goes on after the run has ended or its caller has died. */
    OUTLIVE_CALLER("outlive its caller");

    private final String phrase;

    Reach(String phrase) {
        this.phrase = phrase;
    }

    /**
     * Completes "the command can …" or "the command cannot …".
     *
     * @return the phrase, in English, without a full stop
     */
    public String phrase() {
        return phrase;
    }
}
