package dev.stockade.cli;

import dev.stockade.api.Backends;
import dev.stockade.api.spi.Host;
import dev.stockade.config.Amendment;
import dev.stockade.config.Configuration;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Collectors;

/**
 * {@code stockade init}: a file to begin with, in which every key stands as a comment. Where the directory holds a build
 * that is recognised, it is one under which that build works offline, and its caches are made where there are none yet.
 * It lies outside of the project then: a file in it may only tighten.
 *
 * @param backends those whose settings it shows
 * @param host this machine
 */
record Init(Backends backends, Host host) implements Action {

    private static final String FILE = "stockade.toml";

    @Override
    public int perform(Console console) {
        Path workspace = Path.of("").toAbsolutePath();
        List<BuildTool> tools = BuildTool.of(workspace);
        if (tools.isEmpty()) {
            Path file = workspace.resolve(FILE);
            write(file, Configuration.example(backends));
            console.out().println("wrote " + file + ", in which every key is a comment: no build was recognised here");
            return 0;
        }
        Path file = own(workspace);
        write(file, text(workspace, tools, file));
        for (BuildTool tool : tools) {
            tool.caches().forEach(cache -> cache.directories(host).forEach(directory -> make(directory, console)));
        }
        console.out().println("wrote " + file + ", for " + titles(tools) + ". Then:");
        tools.forEach(tool -> console.out().println("  " + line(file, tool)));
        return 0;
    }

    /** Beside the user's own file, by the project's name. */
    private Path own(Path workspace) {
        Path directory = configuration(workspace).widening().toAbsolutePath().getParent();
        String name = String.valueOf(workspace.getFileName()).replaceAll("[^A-Za-z0-9._-]", "-");
        String plain = name.equals("stockade") || name.startsWith(".") ? "project-" + name : name;
        return (directory == null ? workspace : directory).resolve(plain + ".toml");
    }

    private Configuration configuration(Path workspace) {
        try {
            return Configuration.of(workspace, host);
        } catch (IllegalArgumentException e) {
            throw new UsageException(e.getMessage() + "; start from the directory of a project", e);
        }
    }

    private static void write(Path file, String text) {
        try {
            Path parent = file.getParent();
            if (parent != null) {
                Files.createDirectories(parent);
            }
            Files.writeString(file, text, StandardOpenOption.CREATE_NEW);
        } catch (FileAlreadyExistsException e) {
            throw new UsageException(file + " exists already and was left as it is", e);
        } catch (IOException e) {
            throw new UsageException(file + " cannot be written: " + e.getMessage(), e);
        }
    }

    /** What does not exist cannot be granted, and nothing confined could make it. */
    private static void make(Path directory, Console console) {
        if (!Files.exists(directory)) {
            try {
                Files.createDirectories(
                        directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
                console.out().println("made " + directory + ", where a build keeps what it may need again");
            } catch (IOException e) {
                console.err()
                        .println(
                                "stockade: " + directory + " cannot be made, so builds may miss it: " + e.getMessage());
            }
        }
    }

    private static String titles(List<BuildTool> tools) {
        return tools.stream().map(BuildTool::title).collect(Collectors.joining(" and "));
    }

    private static String line(Path file, BuildTool tool) {
        return "stockade run --profile " + ShellWords.quoted(file.toString()) + " -- " + tool.build();
    }

    private String text(Path workspace, List<BuildTool> tools, Path file) {
        StringBuilder heading =
                new StringBuilder("# What the build of this directory may touch, so that it works offline:\n");
        heading.append("#   ")
                .append(workspace.toString().replaceAll("\\p{Cntrl}", "?"))
                .append('\n');
        heading.append("# It was recognised as ").append(titles(tools)).append(". To use this file:\n");
        tools.forEach(tool -> heading.append("#   ").append(line(file, tool)).append('\n'));
        heading.append("""
                # Offline, a build finds what it has fetched before. To let the command that fetches have the network, and
                # only that very command, take the comment sign from network_allow below.

                """);
        String fetching = tools.stream()
                .map(tool -> tool.fetch().stream().collect(Collectors.joining("\", \"", "[\"", "\"]")))
                .collect(Collectors.joining(", ", "# network_allow = [", "]\n"));
        String example = Configuration.example(backends).replaceFirst("# network_allow = .*\n", fetching);
        Amendment change = Amendment.of(file, example).word("profile", "build");
        for (String secret : List.of(".env", ".env.local")) {
            if (Files.exists(workspace.resolve(secret))) {
                change = change.add("hidden", workspace.resolve(secret).toString());
            }
        }
        return heading + change.text();
    }
}
