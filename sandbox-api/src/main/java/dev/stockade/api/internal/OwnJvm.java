package dev.stockade.api.internal;

import dev.stockade.api.LaunchException;
import dev.stockade.api.LaunchException.Fault;
import dev.stockade.api.LaunchException.Phase;
import dev.stockade.api.spi.Backend.Jvm;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The command line of this JVM, as the kernel kept it: proc_pid_cmdline(5). Argument files and JDK_JAVA_OPTIONS are not
 * in it, and need not be: the launcher reads them again.
 *
 * @param argv the arguments, the last one ended by NUL, or else left out
 * @param variables the variables
 * @param program where {@code /proc/self/exe} leads
 * @param javaHome the real directory of the property {@code java.home}
 * @param javaCommand the property {@code sun.java.command}: what the launcher understood as class and arguments
 * @param pid this process
 */
record OwnJvm(List<byte[]> argv, List<byte[]> variables, Path program, Path javaHome, String javaCommand, long pid) {

    private static final String AGAIN = "this JVM cannot be started again in place: ";

    /** What the JVM itself decodes arguments with. */
    private static final Charset NATIVE =
            Charset.forName(System.getProperty("sun.jnu.encoding", StandardCharsets.UTF_8.name()));

    /** As in {@code cat <(command)}: the shell passes the descriptor, and its name as an argument. */
    private static final Pattern DESCRIPTOR = Pattern.compile("/(?:dev|proc/self)/fd/([0-9]{1,6})");

    /** sd_listen_fds(3) */
    private static final int FIRST_ACTIVATED = 3;

    static OwnJvm read() {
        Path self = Path.of("/proc/self");
        try {
            return new OwnJvm(
                    split(Files.readAllBytes(self.resolve("cmdline"))),
                    split(Files.readAllBytes(self.resolve("environ"))),
                    Files.readSymbolicLink(self.resolve("exe")),
                    Path.of(System.getProperty("java.home")).toRealPath(),
                    System.getProperty("sun.java.command", ""),
                    ProcessHandle.current().pid());
        } catch (IOException e) {
            throw refused("how it was started cannot be read from /proc (" + e + "); mount /proc");
        }
    }

    private static LaunchException refused(String why) {
        return new LaunchException(Phase.PREPARE, Fault.HOST, AGAIN + why);
    }

    /** What is to be started again. */
    Jvm described(Path directory, String mark) {
        requireLauncher();
        requireWhole();
        return new Jvm(program, argv, variables, directory, passedOn(), mark);
    }

    private void requireLauncher() {
        if (program.toString().endsWith(" (deleted)")) {
            throw refused("its program, " + program + ", was replaced or removed since it was started. Start it anew");
        }
        if (!javaHome.resolve("bin").equals(program.getParent())) {
            throw refused("it is part of the program " + program + ", not started by the launcher in "
                    + javaHome.resolve("bin") + ", and all that this program has done so far would be done twice. Start"
                    + " the program confined, as by stockade run");
        }
    }

    /** A process may write over its own arguments, which is what the kernel then shows: prctl(2), PR_SET_MM_ARG_START. */
    private void requireWhole() {
        boolean java = program.endsWith("java");
        boolean files = argv.stream().anyMatch(argument -> argument.length > 0 && argument[0] == '@');
        if (argv.isEmpty() || (java && !files && !isWhatWasUnderstood())) {
            throw refused("its command line was written over since it was started: what the kernel shows of it does not"
                    + " end in what the launcher read. Leave out what renames the process from inside");
        }
    }

    /** A source file's launcher is a class that stands in front of what was typed. */
    private boolean isWhatWasUnderstood() {
        String typed = plain(argv.stream()
                .skip(1)
                .map(argument -> new String(argument, NATIVE))
                .collect(Collectors.joining(" ")));
        int space = javaCommand.indexOf(' ');
        return typed.endsWith(plain(javaCommand))
                || (space >= 0 && typed.endsWith(plain(javaCommand.substring(space + 1))));
    }

    /** What cannot be expressed in the locale is lost in one way here and in another there. */
    private static String plain(String text) {
        return text.codePoints()
                .filter(point -> point > ' ' && point < 0x7f && point != '?')
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private Set<Integer> passedOn() {
        Set<Integer> kept = new TreeSet<>();
        for (byte[] argument : argv) {
            Matcher named = DESCRIPTOR.matcher(new String(argument, StandardCharsets.ISO_8859_1));
            while (named.find()) {
                kept.add(Integer.parseInt(named.group(1)));
            }
        }
        if (variable("LISTEN_PID").equals(Long.toString(pid))) {
            String count = variable("LISTEN_FDS");
            for (int i = 0; i < (count.matches("[0-9]{1,4}") ? Integer.parseInt(count) : 0); i++) {
                kept.add(FIRST_ACTIVATED + i);
            }
        }
        kept.removeIf(fd -> fd < FIRST_ACTIVATED);
        return kept;
    }

    private String variable(String name) {
        return variables.stream()
                .map(bytes -> new String(bytes, StandardCharsets.ISO_8859_1))
                .filter(text -> text.startsWith(name + "="))
                .map(text -> text.substring(name.length() + 1))
                .findFirst()
                .orElse("");
    }

    static List<byte[]> split(byte[] ended) {
        List<byte[]> parts = new ArrayList<>();
        int from = 0;
        for (int i = 0; i < ended.length; i++) {
            if (ended[i] == 0) {
                parts.add(java.util.Arrays.copyOfRange(ended, from, i));
                from = i + 1;
            }
        }
        return parts;
    }

    /** As text, for a mechanism that takes text. */
    static String text(byte[] bytes) {
        String text = new String(bytes, NATIVE);
        if (!java.util.Arrays.equals(text.getBytes(NATIVE), bytes)) {
            throw refused("one of its arguments or variables is not text in the encoding of its locale, " + NATIVE
                    + ". Start it with LC_ALL=C.UTF-8, or use the backend landlock, which passes bytes");
        }
        return text;
    }
}
