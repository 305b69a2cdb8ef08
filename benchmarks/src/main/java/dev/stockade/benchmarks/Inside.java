package dev.stockade.benchmarks;

import dev.stockade.api.Backends;
import dev.stockade.api.Command;
import dev.stockade.api.Profile;
import dev.stockade.api.Sandbox;
import dev.stockade.benchmarks.SideBySide.Side;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What confinement costs a command that opens many files: the same commands confined and not, alternating, each without
 * what {@code true} takes started in the same way.
 */
final class Inside {

    private static final int DIRECTORIES = 200;
    private static final int FILES = 100;
    private static final int CLASSES = 60;

    private Inside() {}

    static void compare(int rounds, Path directory) throws Exception {
        Path workspace = Files.createDirectory(directory.resolve("inside"));
        Path output = Files.createDirectory(directory.resolve("classes"));
        tree(workspace);
        Path sources = sources(workspace);
        String javac = Path.of(System.getProperty("java.home"), "bin", "javac").toString();
        List<Command> commands = List.of(
                Command.of("/usr/bin/git", "status", "--porcelain"),
                Command.of("/bin/sh", "-c", "tar -cf - tree | wc -c"),
                Command.of("/bin/sh", "-c", "exec \"$0\" -d \"$1\" \"$2\"/*.java", javac, output + "", sources + ""));
        List<String> names = List.of("git status, 20,000 files", "tar of 20,000 files", "javac of 60 files");
        Profile profile = Profile.builder(workspace)
                .readable(Path.of(System.getProperty("java.home")))
                .writable(output)
                .build();
        try (Sandbox landlock = Backends.installed().only("landlock").open(profile);
                Sandbox bwrap = Backends.installed().only("bwrap").open(profile)) {
            double[][] starts = SideBySide.measure(rounds, sides(Command.of("/bin/true"), workspace, landlock, bwrap));
            for (int i = 0; i < commands.size(); i++) {
                double[][] took = SideBySide.measure(rounds, sides(commands.get(i), workspace, landlock, bwrap));
                double unconfined = took[0][rounds / 2] - starts[0][rounds / 2];
                List<String> rows = List.of(names.get(i) + ", unconfined", "the same, landlock", "the same, bwrap");
                for (int side = 0; side < rows.size(); side++) {
                    double start = starts[side][rounds / 2];
                    double median = took[side][rounds / 2] - start;
                    double most = took[side][rounds * 9 / 10] - start;
                    SideBySide.print(rows.get(side), median, most, median / unconfined);
                }
            }
        }
    }

    private static Side[] sides(Command command, Path workspace, Sandbox landlock, Sandbox bwrap) {
        return new Side[] {
            new Side("unconfined", () -> unconfined(command, workspace)),
            new Side("landlock", () -> landlock.run(command).exitStatus()),
            new Side("bwrap", () -> bwrap.run(command).exitStatus())
        };
    }

    private static void tree(Path workspace) throws IOException, InterruptedException {
        for (int i = 0; i < DIRECTORIES; i++) {
            Path directory = Files.createDirectories(workspace.resolve("tree/" + i));
            for (int j = 0; j < FILES; j++) {
                Files.writeString(directory.resolve("file" + j), "line " + j + "\n");
            }
        }
        for (Command git : List.of(Command.of("git", "init", "-q"), Command.of("git", "add", "tree"))) {
            if (unconfined(git, workspace) != 0) {
                throw new IOException("git does not work here");
            }
        }
    }

    private static Path sources(Path workspace) throws IOException {
        Path sources = Files.createDirectory(workspace.resolve("sources"));
        for (int i = 0; i < CLASSES; i++) {
            List<String> lines = new ArrayList<>(List.of("import java.util.*;", "class C" + i + " {"));
            for (int j = 0; j < 20; j++) {
                lines.add(
                        "  List<String> m" + j + "(Map<String, Integer> in) { return in.keySet().stream().toList(); }");
            }
            lines.add("}");
            Files.write(sources.resolve("C" + i + ".java"), lines);
        }
        return sources;
    }

    private static int unconfined(Command command, Path workspace) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command.argv())
                .directory(workspace.toFile())
                .redirectErrorStream(true)
                .start();
        process.getInputStream().transferTo(java.io.OutputStream.nullOutputStream());
        return process.waitFor();
    }
}
