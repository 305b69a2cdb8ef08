package dev.stockade.conformance.probe;

import dev.stockade.api.Backends;
import dev.stockade.api.Command;
import dev.stockade.api.Profile;
import dev.stockade.api.Sandbox;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** What is there before a sandbox is opened, and must be all that is there after it is closed. */
final class Traces {

    private static final int PATIENCE = 40;

    private Traces() {}

    static Evidence of(Backends backends, Profile profile) throws InterruptedException {
        Set<String> before = seen(profile.workspace());
        try (Sandbox sandbox = backends.open(profile)) {
            sandbox.run(Command.of("sh", "-c", ":"));
        }
        Set<String> left = seen(profile.workspace());
        for (int i = 0; i < PATIENCE && !before.containsAll(left); i++) {
            Thread.sleep(50);
            left = seen(profile.workspace());
        }
        Set<String> gone = new TreeSet<>(before);
        gone.removeAll(left);
        left.removeAll(before);
        boolean clean = left.isEmpty() && gone.isEmpty();
        return new Evidence(
                "traces.run",
                Claim.Promise.TRACES,
                clean ? Finding.HELD : Finding.FELL,
                clean ? "no file and no process is left" : "left behind " + left + ", gone " + gone);
    }

    /** Names in the workspace, private directories of this JVM's, and its children. */
    private static Set<String> seen(Path workspace) {
        Set<String> all = new TreeSet<>();
        try (Stream<Path> below = Files.walk(workspace)) {
            below.forEach(path -> all.add(path.toString()));
        } catch (IOException | java.io.UncheckedIOException e) {
            all.add(e.toString());
        }
        String own = "stockade-" + ProcessHandle.current().pid() + "-";
        for (String place : List.of("/run", "/tmp", "/var/tmp", System.getenv().getOrDefault("XDG_RUNTIME_DIR", ""))) {
            String[] names = new java.io.File(place).list((directory, name) -> name.startsWith(own));
            for (String name : names == null ? new String[0] : names) {
                all.add(place + "/" + name);
            }
        }
        ProcessHandle.current().children().forEach(child -> all.add("process " + child.pid()));
        return all;
    }
}
