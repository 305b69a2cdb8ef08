package dev.stockade.cli;

import dev.stockade.api.spi.Host;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A tool that builds projects. From its manual.
 *
 * @param title its name
 * @param build the command that builds, or tests, without the network
 * @param fetch the command that fills its caches, and needs the network
 * @param markers the files that it is recognised by
 * @param caches what it writes outside of the project, even where it fetches nothing
 */
record BuildTool(String title, String build, List<String> fetch, List<String> markers, List<Cache> caches) {

    /**
     * Directories that a tool writes.
     *
     * @param usual where they are, from the home directory on
     * @param variable what says that they are elsewhere
     * @param names those below, empty for the place itself
     */
    record Cache(String usual, String variable, List<String> names) {

        private static Cache of(String usual, String variable, String... names) {
            return new Cache(usual, variable, names.length == 0 ? List.of("") : List.of(names));
        }

        List<Path> directories(Host host) {
            String moved = host.environment().getOrDefault(variable, "");
            Path place = moved.startsWith("/") ? Path.of(moved) : host.home().resolve(usual);
            return names.stream().map(place::resolve).toList();
        }
    }

    private static final List<BuildTool> ALL = List.of(
            new BuildTool(
                    "Maven",
                    "mvn -o verify",
                    List.of("mvn", "dependency:go-offline"),
                    List.of("pom.xml"),
                    List.of(Cache.of(".m2/repository", ""))),
            new BuildTool(
                    "Gradle",
                    "gradle --offline build",
                    List.of("gradle", "dependencies"),
                    List.of("build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"),
                    List.of(Cache.of(
                            ".gradle",
                            "GRADLE_USER_HOME",
                            "caches",
                            "daemon",
                            "native",
                            "notifications",
                            "workers",
                            ".tmp"))),
            new BuildTool(
                    "npm",
                    "npm test",
                    List.of("npm", "ci"),
                    List.of("package.json"),
                    List.of(Cache.of(".npm", "npm_config_cache"))),
            new BuildTool(
                    "Cargo",
                    "cargo test --offline",
                    List.of("cargo", "fetch"),
                    List.of("Cargo.toml"),
                    List.of(Cache.of(".cargo", "CARGO_HOME", "registry"))),
            new BuildTool(
                    "Go",
                    "go test ./...",
                    List.of("go", "mod", "download"),
                    List.of("go.mod"),
                    List.of(Cache.of(".cache/go-build", "GOCACHE"), Cache.of("go/pkg/mod", "GOMODCACHE"))),
            new BuildTool(
                    "Python",
                    "python3 -m unittest",
                    List.of("python3", "-m", "pip", "install", "-r", "requirements.txt"),
                    List.of("pyproject.toml", "setup.py", "setup.cfg", "requirements.txt"),
                    List.of()));

    static List<BuildTool> of(Path workspace) {
        return ALL.stream()
                .filter(tool -> tool.markers.stream().map(workspace::resolve).anyMatch(Files::isRegularFile))
                .toList();
    }
}
