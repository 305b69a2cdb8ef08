package dev.stockade.cli.trace;

import dev.stockade.api.Command;
import java.util.ArrayList;
import java.util.List;

/** How strace(1) is put in front of a command, inside the sandbox: docs/adr/015. */
public final class Strace {

    /**
     * strace gets what is standard error as descriptor 3, where its log goes; for the command standard error is where
     * standard output goes. So no file has to be shared with the outside.
     */
    private static final String SCRIPT = "exec \"$0\" \"$@\" 3>&2 2>&1";

    /**
     * A question mark stands before what some architectures lack. Not with --seccomp-bpf: what a seccomp filter of ours
     * denies would not be seen (seccomp(2): of two filters' answers the one that denies counts).
     */
    private static final String CALLS =
            "trace=%file,fchdir,?clone,?clone3,?fork,?vfork,socket,connect,getsockopt," + "sendto,sendmsg,sendmmsg";

    private Strace() {}

    /**
     * The command, traced.
     *
     * @param strace the program
     * @param command what to trace; its standard output and error become one stream, standard output
     * @return a command whose standard error is the log
     */
    public static Command around(String strace, Command command) {
        List<String> argv = new ArrayList<>(List.of("sh", "-c", SCRIPT, strace));
        // -D: the command is what was started, and strace a grandchild, so that daemons it leaves keep nobody waiting.
        argv.addAll(List.of("-D", "-f", "-q", "-y", "-s", "512", "-e", "signal=none", "-e", CALLS));
        argv.addAll(List.of("-o", "/proc/self/fd/3", "--"));
        argv.addAll(command.argv());
        return command.withArgv(argv);
    }
}
