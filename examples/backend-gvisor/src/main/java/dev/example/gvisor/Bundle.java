package dev.example.gvisor;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The {@code config.json} of the OCI runtime specification 1.0, which runsc reads. */
final class Bundle {

    private static final List<String> SYSTEM = List.of("/usr", "/bin", "/sbin", "/lib", "/lib64");

    private Bundle() {}

    static byte[] of(Path workspace, Path directory, List<String> argv, Map<String, String> environment) {
        List<String> variables = new ArrayList<>();
        environment.forEach((name, value) -> variables.add(name + "=" + value));
        List<String> mounts = new ArrayList<>(List.of(
                mount("/proc", "proc", "proc"), mount("/dev", "tmpfs", "tmpfs"), mount("/tmp", "tmpfs", "tmpfs")));
        for (String system : SYSTEM) {
            if (Files.isDirectory(Path.of(system))) {
                mounts.add(mount(system, "bind", system, "ro"));
            }
        }
        mounts.add(mount(workspace.toString(), "bind", workspace.toString(), "rw"));
        String json = """
                {"ociVersion": "1.0.0",
                 "root": {"path": ".", "readonly": true},
                 "process": {"user": {"uid": 0, "gid": 0}, "cwd": %s, "args": %s, "env": %s,
                             "capabilities": {}, "noNewPrivileges": true},
                 "mounts": [%s],
                 "linux": {"namespaces": [{"type": "pid"}, {"type": "network"}, {"type": "ipc"}, {"type": "uts"},
                                          {"type": "mount"}]}}
                """.formatted(
                        text(directory.toString()), texts(argv), texts(variables), String.join(", ", mounts));
        return json.getBytes(StandardCharsets.UTF_8);
    }

    private static String mount(String at, String type, String source, String... options) {
        return "{\"destination\": %s, \"type\": %s, \"source\": %s, \"options\": %s}"
                .formatted(text(at), text(type), text(source), texts(List.of(options)));
    }

    private static String texts(List<String> all) {
        return all.stream().map(Bundle::text).toList().toString();
    }

    private static String text(String value) {
        StringBuilder text = new StringBuilder("\"");
        for (char c : value.toCharArray()) {
            text.append(c < ' ' || c == '"' || c == '\\' ? "\\u%04x".formatted((int) c) : String.valueOf(c));
        }
        return text.append('"').toString();
    }
}
