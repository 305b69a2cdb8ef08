package dev.stockade.cli;

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
 */
record BuildTool(String title, String build, List<String> fetch, List<String> markers) {

    private static final List<BuildTool> ALL = List.of(
            new BuildTool("Maven", "mvn -o verify", List.of("mvn", "dependency:go-offline"), List.of("pom.xml")),
            new BuildTool(
                    "Gradle",
                    "gradle --offline build",
                    List.of("gradle", "dependencies"),
                    List.of("build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts")),
            new BuildTool("npm", "npm test", List.of("npm", "ci"), List.of("package.json")),
            new BuildTool("Cargo", "cargo test --offline", List.of("cargo", "fetch"), List.of("Cargo.toml")),
            new BuildTool("Go", "go test ./...", List.of("go", "mod", "download"), List.of("go.mod")),
            new BuildTool(
                    "Python",
                    "python3 -m unittest",
                    List.of("python3", "-m", "pip", "install", "-r", "requirements.txt"),
                    List.of("pyproject.toml", "setup.py", "setup.cfg", "requirements.txt")));

    static List<BuildTool> of(Path workspace) {
        return ALL.stream()
                .filter(tool -> tool.markers.stream().map(workspace::resolve).anyMatch(Files::isRegularFile))
                .toList();
    }
}
