package dev.stockade.posix;

import dev.stockade.api.LaunchException;
import dev.stockade.api.LaunchException.Fault;
import dev.stockade.api.LaunchException.Phase;
import dev.stockade.api.spi.Backend.Jvm;
import dev.stockade.api.spi.Launch.Step;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Starts this JVM again in place: execve(2) of its own command line, from a thread that has confined itself. The kernel
 * ends all other threads, and the calling one, with its confinement, becomes the process under the process's number.
 */
public final class Restart {

    private final Linux linux;
    private final long program;
    private final long argv;
    private final long environment;
    private final long directory;
    private final int[] kept;

    private volatile int code;
    private volatile long error;

    private Restart(Jvm jvm, List<byte[]> argv, List<byte[]> environment, Set<Integer> inherited, Arena arena) {
        linux = new ForeignLinux(arena);
        program = CStrings.bytes(arena, bytes(jvm.program()));
        directory = CStrings.bytes(arena, bytes(jvm.directory()));
        this.argv = CStrings.arrayOfBytes(arena, argv);
        this.environment = CStrings.arrayOfBytes(arena, environment);
        Set<Integer> all = new TreeSet<>(jvm.descriptors());
        all.addAll(inherited);
        all.add(Wiring.memory(linux, arena, jvm.mark().getBytes(StandardCharsets.UTF_8)));
        kept = all.stream().mapToInt(fd -> fd).toArray();
    }

    /**
     * Starts again; returns only by throwing, and then no thread that lives on is confined.
     *
     * @param jvm what to start, and which mark to leave
     * @param moreArguments put in front of the JVM's own
     * @param moreVariables put in place of those of the same names
     * @param inherited more descriptors that the second start is to find
     * @param step confines the thread that starts it, and proves that it is confined
     * @return what went wrong
     */
    public static LaunchException now(
            Jvm jvm, List<String> moreArguments, List<String> moreVariables, Set<Integer> inherited, Step step) {
        Arena arena = Arena.ofAuto();
        List<byte[]> argv = new ArrayList<>(jvm.argv());
        argv.addAll(1, moreArguments.stream().map(CStrings::encoded).toList());
        List<byte[]> environment = new ArrayList<>(jvm.environment());
        for (String variable : moreVariables) {
            byte[] name = CStrings.encoded(variable.substring(0, variable.indexOf('=') + 1));
            environment.removeIf(known -> startsWith(known, name));
            environment.add(CStrings.encoded(variable));
        }
        Restart restart = new Restart(jvm, argv, environment, inherited, arena);
        // A thread of its own: if it fails, nothing that goes on is confined.
        Thread thread = Threads.fresh("stockade-restart", () -> restart.confineAndExecute(step, arena));
        thread.start();
        Threads.join(thread);
        return restart.failure(step);
    }

    private static boolean startsWith(byte[] bytes, byte[] prefix) {
        return bytes.length >= prefix.length
                && java.util.Arrays.equals(bytes, 0, prefix.length, prefix, 0, prefix.length);
    }

    private void confineAndExecute(Step step, Arena arena) {
        try {
            code = step.confine();
            if (code == 0) {
                // Of a table of its own: a thread that opens a file just now would add to the common one.
                linux.close_range(3, -1, Linux.CLOSE_RANGE_UNSHARE | Linux.CLOSE_RANGE_CLOEXEC);
                for (int i = 0; i < kept.length; i++) {
                    linux.fcntl(kept[i], Linux.F_SETFD, 0);
                }
                Signals.reset(linux, arena);
                // A mount namespace of its own begins at its root: setns(2).
                error = -linux.chdir(directory);
                if (error == 0) {
                    error = -linux.execve(program, argv, environment);
                }
            }
        } catch (Throwable broken) {
            code = ConfinedStart.BROKEN;
        }
    }

    private LaunchException failure(Step step) {
        if (code == ConfinedStart.BROKEN) {
            return failed(Fault.STOCKADE, "the thread that confined itself broke down; please report this");
        }
        if (code != 0) {
            return failed(Fault.HOST, step.explain(code));
        }
        return failed(Fault.HOST, "starting this JVM again failed: " + Errors.text(error));
    }

    private static LaunchException failed(Fault fault, String why) {
        return new LaunchException(Phase.CONFINE, fault, why + ". Nothing is confined");
    }

    /** The bytes of the path: its text may not hold them all, in a locale that cannot express them. */
    private static byte[] bytes(Path path) {
        String escaped = path.toUri().getRawPath();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < escaped.length(); i++) {
            if (escaped.charAt(i) == '%') {
                bytes.write(Integer.parseInt(escaped, i + 1, i + 3, 16));
                i += 2;
            } else {
                bytes.write(escaped.charAt(i));
            }
        }
        return bytes.toByteArray();
    }
}
