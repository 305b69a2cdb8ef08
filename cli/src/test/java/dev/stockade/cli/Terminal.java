package dev.stockade.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** A terminal as a user has it: tmux, in which a shell without a sandbox runs, and a screen that can be read. */
final class Terminal implements AutoCloseable {

    private static final Path TMUX = Path.of("/usr/bin/tmux");
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Path socket;

    private Terminal(Path socket) {
        this.socket = socket;
    }

    /** Opens one of 100 columns and 30 lines; its socket lies in a directory of the caller's. */
    static Terminal in(Path directory, Path sockets) throws Exception {
        if (!Files.isExecutable(TMUX)) {
            if (System.getenv("CI") != null) {
                throw new AssertionError("tmux must be installed where CI is set");
            }
            assumeTrue(false, "tmux is not installed");
        }
        Terminal terminal = new Terminal(sockets.resolve("tmux"));
        terminal.tmux(
                "new-session",
                "-d",
                "-x",
                "100",
                "-y",
                "30",
                "-c",
                directory.toString(),
                "env HISTFILE= PS1='outside$ ' bash --norc --noprofile");
        terminal.await(screen -> screen.endsWith("outside$"));
        return terminal;
    }

    /** Types a line and Enter. */
    void line(String text) throws Exception {
        tmux("send-keys", "-l", text);
        key("Enter");
    }

    /** Presses a key by the name that tmux has for it, such as {@code C-c}. */
    void key(String name) throws Exception {
        tmux("send-keys", name);
    }

    void resize(int columns, int lines) throws Exception {
        tmux("resize-window", "-x", Integer.toString(columns), "-y", Integer.toString(lines));
    }

    void clear() throws Exception {
        key("C-l");
    }

    /** Waits until what is on the screen, without what is blank at its end, is as it should be. */
    String await(Predicate<String> expected) throws Exception {
        long until = System.nanoTime() + PATIENCE.toNanos();
        String screen = screen();
        while (!expected.test(screen)) {
            if (System.nanoTime() > until) {
                throw new AssertionError("not what was expected:\n" + screen);
            }
            Thread.sleep(50);
            screen = screen();
        }
        return screen;
    }

    String screen() throws Exception {
        return tmux("capture-pane", "-p").stripTrailing();
    }

    private String tmux(String... command) throws IOException, InterruptedException {
        List<String> argv = new ArrayList<>(List.of(TMUX.toString(), "-S", socket.toString(), "-f", "/dev/null"));
        argv.addAll(List.of(command));
        Process process = new ProcessBuilder(argv).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), said);
        return said;
    }

    @Override
    public void close() throws IOException {
        try {
            tmux("kill-server");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
