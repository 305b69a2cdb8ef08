package dev.stockade.conformance.probe;

import dev.stockade.api.Command;
import dev.stockade.api.Sandbox;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** What is there before a sandbox is opened, and must be all that is there while it idles, and after it is closed. */
final class Traces {

    private static final int PATIENCE = 40;
    private static final String PROCESS = "process ";

    private final Path workspace;
    private final Set<String> files;
    private final Set<String> own;
    private Set<String> appeared = Set.of();

    private Traces(Path workspace) {
        this.workspace = workspace;
        this.files = files(workspace);
        this.own = own();
    }

    static Traces before(Path workspace) {
        return new Traces(workspace);
    }

    /** Runs what writes nothing, and looks whether the workspace is as it was. */
    void idle(Sandbox sandbox) throws InterruptedException {
        sandbox.run(Command.of("sh", "-c", ":"));
        appeared = difference(files(workspace), files);
    }

    boolean sawFilesAppear() {
        return !appeared.isEmpty();
    }

    /** Looks for what belongs to this JVM, once the sandbox is closed. */
    Evidence after() throws InterruptedException {
        Set<String> left = added();
        for (int i = 0; i < PATIENCE && !left.isEmpty(); i++) {
            Thread.sleep(50);
            left = added();
        }
        left = described(left);
        left.addAll(appeared);
        return new Evidence(
                "traces.run",
                Claim.Promise.TRACES,
                left.isEmpty() ? Finding.HELD : Finding.FELL,
                left.isEmpty() ? "no file and no process is left" : "left behind or taken away: " + left);
    }

    /** With what a process is, for people: its name and state, as proc(5) has them. */
    private static Set<String> described(Set<String> left) {
        Set<String> all = new TreeSet<>();
        for (String each : left) {
            String stat = "";
            if (each.startsWith(PROCESS)) {
                try {
                    stat = Files.readString(Path.of("/proc", each.substring(PROCESS.length()), "stat"));
                } catch (IOException e) {
                    stat = "(gone by now)";
                }
            }
            all.add(each + " " + stat.strip().replaceFirst("^\\d+ (\\(.*\\) .) .*", "$1"));
        }
        return all;
    }

    private Set<String> added() {
        Set<String> now = own();
        now.removeAll(own);
        return now;
    }

    private static Set<String> difference(Set<String> now, Set<String> then) {
        Set<String> either = new TreeSet<>(now);
        either.addAll(then);
        either.removeIf(each -> now.contains(each) && then.contains(each));
        return either;
    }

    private static Set<String> files(Path workspace) {
        Set<String> all = new TreeSet<>();
        try (Stream<Path> below = Files.walk(workspace)) {
            below.forEach(path -> all.add(path.toString()));
        } catch (IOException | UncheckedIOException e) {
            all.add(e.toString());
        }
        return all;
    }

    /** Private directories of this JVM's, and its children. */
    private static Set<String> own() {
        Set<String> all = new TreeSet<>();
        String own = "stockade-" + ProcessHandle.current().pid() + "-";
        for (String place : List.of("/run", "/tmp", "/var/tmp", System.getenv().getOrDefault("XDG_RUNTIME_DIR", ""))) {
            String[] names = new File(place).list((directory, name) -> name.startsWith(own));
            for (String name : names == null ? new String[0] : names) {
                all.add(place + "/" + name);
            }
        }
        ProcessHandle.current().children().forEach(child -> all.add(PROCESS + child.pid()));
        return all;
    }
}
