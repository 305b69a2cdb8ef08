package dev.stockade.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The tools that build projects, by the files they are recognised by. From each one's manual. */
enum BuildTool {
    MAVEN("Maven", "mvn -o verify", List.of("mvn", "dependency:go-offline"), "pom.xml"),
    GRADLE(
            "Gradle",
            "gradle --offline build",
            List.of("gradle", "dependencies"),
            "build.gradle",
            "build.gradle.kts",
            "settings.gradle",
            "settings.gradle.kts"),
    NPM("npm", "npm test", List.of("npm", "ci"), "package.json"),
    CARGO("Cargo", "cargo test --offline", List.of("cargo", "fetch"), "Cargo.toml"),
    GO("Go", "go test ./...", List.of("go", "mod", "download"), "go.mod"),
    PYTHON(
            "Python",
            "python3 -m unittest",
            List.of("python3", "-m", "pip", "install", "-r", "requirements.txt"),
            "pyproject.toml",
            "setup.py",
            "setup.cfg",
            "requirements.txt");

    private final String title;
    private final String build;
    private final List<String> fetch;
    private final List<String> markers;

    BuildTool(String title, String build, List<String> fetch, String... markers) {
        this.title = title;
        this.build = build;
        this.fetch = fetch;
        this.markers = List.of(markers);
    }

    static List<BuildTool> of(Path workspace) {
        return Stream.of(values())
                .filter(tool -> tool.markers.stream().map(workspace::resolve).anyMatch(Files::isRegularFile))
                .toList();
    }

    String title() {
        return title;
    }

    /** The command that builds, or tests, without the network. */
    String build() {
        return build;
    }

    /** The command that fills the caches, and needs the network. */
    List<String> fetch() {
        return fetch;
    }
}
