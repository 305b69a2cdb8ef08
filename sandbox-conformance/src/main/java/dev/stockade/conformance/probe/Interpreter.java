package dev.stockade.conformance.probe;

import dev.stockade.api.Command;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What runs scripts inside: what is likely to be there, never something brought along. A script that does its deed to
 * the end got through; one that is refused fails. Answers are lines: the id, a word, what was said.
 */
enum Interpreter {
    /** Built-ins of a POSIX shell and, where an image has them, the usual small tools; files and processes. */
    SH("sh") {
        @Override
        Command running(Map<String, String> scripts) {
            List<String> argv = new ArrayList<>(List.of("sh", "-c", SHELL, "sh"));
            scripts.forEach((id, lines) -> argv.addAll(List.of(id, lines)));
            return Command.of(argv);
        }
    },
    /** Python's sockets, and any system call through its ctypes. */
    PYTHON("python3") {
        @Override
        Command running(Map<String, String> scripts) {
            StringBuilder program = new StringBuilder(PRELUDE);
            scripts.forEach((id, lines) -> program.append("probe('")
                    .append(id)
                    .append("', r'''")
                    .append(lines)
                    .append("''')\n"));
            return Command.of("python3", "-c", program.toString());
        }
    };

    // 126 and 127 are a shell's words for a tool that is missing. The last line of the complaint is the reason.
    private static final String SHELL = """
            while [ $# -gt 1 ]; do
              told=$( (eval "$2") 2>&1 >/dev/null </dev/null); status=$?
              case $status in 0) word=through ;; 126|127) word=impossible ;; *) word=refused ;; esac
              printf '\\n%s %s %s\\n' "$1" $word "${told##*
            }"
              shift 2
            done
            """;

    // Each script has a process of its own, so that neither a crash nor a change of privileges reaches the next.
    private static final String PRELUDE = """
            import os, signal, socket, struct, sys
            try: import ctypes
            except ImportError: ctypes = None
            E = os.environ
            class Impossible(Exception): pass
            class Refused(Exception): pass
            def require(ok, why='not so'):
                if not ok: raise Refused(why)
            def libc():
                if not ctypes: raise Impossible('this python3 has no ctypes')
                return ctypes.CDLL(None, use_errno=True)
            def checked(result):
                if result < 0: raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
                return result
            def x86_64():
                if os.uname().machine != 'x86_64': raise Impossible('its numbers are those of x86_64')
            def probe(name, lines):
                sys.stdout.flush()
                child = os.fork()
                if child:
                    how = os.waitpid(child, 0)[1]
                    # Only a seccomp filter sends SIGSYS: Docker's does for calls of a foreign architecture.
                    if os.WIFSIGNALED(how) and os.WTERMSIG(how) == signal.SIGSYS:
                        os.write(1, ('\\n%s refused ended by SIGSYS\\n' % name).encode())
                    return
                signal.alarm(5)
                told = ''
                try:
                    exec(lines, globals())
                    word = 'through'
                except Impossible as e: word, told = 'impossible', str(e)
                except (OSError, Refused) as e: word, told = 'refused', str(e)
                except BaseException as e: word, told = 'silent', repr(e)
                os.write(1, ('\\n%s %s %s\\n' % (name, word, told.replace('\\n', ' '))).encode())
                os._exit(0)
            """;

    private final String program;

    Interpreter(String program) {
        this.program = program;
    }

    String program() {
        return program;
    }

    /** One start that makes all these attempts, in their order. */
    abstract Command running(Map<String, String> scripts);

    /** What the scripts answered, by id. */
    static Map<String, Attempt> answers(String printed) {
        Map<String, Attempt> answers = new TreeMap<>();
        for (String line : printed.lines().toList()) {
            String[] parts = line.split(" ", 3);
            if (parts.length == 3) {
                switch (parts[1]) {
                    case "through" -> answers.put(parts[0], Attempt.through("it got through"));
                    case "refused" ->
                        answers.put(parts[0], Attempt.refused(parts[2].isBlank() ? "refused" : parts[2].strip()));
                    case "impossible" ->
                        answers.put(
                                parts[0],
                                Attempt.impossible(
                                        parts[2].isBlank() ? "a tool that it needs is not inside" : parts[2].strip()));
                    case "silent" -> answers.put(parts[0], Attempt.silent(parts[2]));
                    default -> {}
                }
            }
        }
        return answers;
    }
}
