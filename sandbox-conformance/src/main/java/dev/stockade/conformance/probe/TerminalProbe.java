package dev.stockade.conformance.probe;

import dev.stockade.api.Command;
import dev.stockade.api.Invocation;
import dev.stockade.api.LaunchException;
import dev.stockade.api.Reach;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Typing into a terminal that the kit opens for it: the command is attached to it, as from a user's shell. */
final class TerminalProbe {

    /** Makes the terminal on the host, runs the rest of the arguments in it, and prints what they print. */
    private static final String TERMINAL = """
            import os, pty, sys
            child, terminal = pty.fork()
            if not child:
                os.execvp(sys.argv[1], sys.argv[1:])
            while True:
                try: said = os.read(terminal, 1000)
                except OSError: break
                if not said: break
                os.write(1, said)
            os.waitpid(child, 0)
            """;

    private static final String TYPING = """
            import fcntl, os, termios
            try:
                terminal = os.open('/dev/tty', os.O_RDWR)
                fcntl.ioctl(terminal, termios.TIOCSTI, b'#')
                print('answer: through')
            except OSError as e:
                print('answer: ' + str(e))
            """;

    private TerminalProbe() {}

    static List<Probe> all() {
        return List.of(
                Probe.of("terminal.type", new Claim.Closed(Reach.TYPE_INTO_TERMINAL), (Probe.Stage) TerminalProbe::type)
                        .unless("the kernel may let nobody do so (dev.tty.legacy_tiocsti)"));
    }

    private static Attempt type(Scene scene) throws InterruptedException {
        Path python = Path.of("/usr/bin/python3");
        if (!Files.isExecutable(python)) {
            return Attempt.impossible("opening a terminal for it needs python3 on the host");
        }
        try {
            Invocation wrapped =
                    scene.sandbox().wrap(Command.of("python3", "-c", TYPING).attached());
            List<String> argv = new ArrayList<>(List.of(python.toString(), "-c", TERMINAL));
            argv.addAll(wrapped.argv());
            ProcessBuilder starter = wrapped.toProcessBuilder().command(argv).redirectErrorStream(true);
            starter.environment().putIfAbsent("PATH", "/usr/bin:/bin");
            Process process = starter.start();
            process.getOutputStream().close();
            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            process.waitFor();
            int answer = printed.indexOf("answer: ");
            if (answer < 0) {
                return Attempt.silent("no answer: " + printed);
            }
            String said = printed.substring(answer + "answer: ".length()).strip();
            return said.equals("through")
                    ? Attempt.through("it typed into the terminal it was started from")
                    : Attempt.refused(said);
        } catch (LaunchException e) {
            return Attempt.impossible(
                    e.exitStatus() == 127 ? "there is no python3 inside" : "wrapping is refused: " + e.getMessage());
        } catch (IOException e) {
            return Attempt.silent("the terminal could not be opened: " + e);
        }
    }
}
