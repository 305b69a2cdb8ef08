package dev.stockade.cli.trace;

import dev.stockade.cli.trace.Event.Call;
import java.util.List;
import java.util.Map;

/** Which arguments of a call are paths, and what it does to them. From the manual page of each. */
final class PathCalls {

    /** Relative paths are taken from the current directory. */
    private static final int HERE = -1;

    /**
     * A path among the arguments.
     *
     * @param directory the argument that says what a relative one is taken from, or {@link #HERE}
     * @param path the argument
     * @param operation what happens to it
     * @param creates whether it is made
     */
    record Use(int directory, int path, Operation operation, boolean creates) {

        /** Whether it looks at a name as such: what realpath(3) does with every directory on the way. */
        boolean walks(Call call) {
            return call.name().startsWith("readlink")
                    || call.name().equals("lstat")
                    || call.arguments().stream().anyMatch(argument -> argument.contains("AT_SYMLINK_NOFOLLOW"));
        }

        /** {@link #directory}, of this call. */
        String from(Call call) {
            return call.argument(directory);
        }
    }

    private static final Use READS = new Use(HERE, 0, Operation.READ, false);
    private static final Use READS_AT = new Use(0, 1, Operation.READ, false);
    private static final Use CHANGES = new Use(HERE, 0, Operation.WRITE, false);
    private static final Use CHANGES_AT = new Use(0, 1, Operation.WRITE, false);
    private static final Use MAKES = new Use(HERE, 0, Operation.WRITE, true);
    private static final Use MAKES_AT = new Use(0, 1, Operation.WRITE, true);
    private static final Use MAKES_SECOND = new Use(HERE, 1, Operation.WRITE, true);
    private static final Use MAKES_SECOND_AT = new Use(2, 3, Operation.WRITE, true);

    private static final Map<String, List<Use>> CALLS = Map.ofEntries(
            Map.entry("stat", List.of(READS)),
            Map.entry("lstat", List.of(READS)),
            Map.entry("statfs", List.of(READS)),
            Map.entry("readlink", List.of(READS)),
            Map.entry("chdir", List.of(READS)),
            Map.entry("newfstatat", List.of(READS_AT)),
            Map.entry("fstatat64", List.of(READS_AT)),
            Map.entry("statx", List.of(READS_AT)),
            Map.entry("readlinkat", List.of(READS_AT)),
            Map.entry("execve", List.of(new Use(HERE, 0, Operation.EXECUTE, false))),
            Map.entry("execveat", List.of(new Use(0, 1, Operation.EXECUTE, false))),
            Map.entry("creat", List.of(MAKES)),
            Map.entry("mkdir", List.of(MAKES)),
            Map.entry("mkdirat", List.of(MAKES_AT)),
            Map.entry("mknod", List.of(MAKES)),
            Map.entry("mknodat", List.of(MAKES_AT)),
            Map.entry("unlink", List.of(CHANGES)),
            Map.entry("rmdir", List.of(CHANGES)),
            Map.entry("unlinkat", List.of(CHANGES_AT)),
            Map.entry("truncate", List.of(CHANGES)),
            Map.entry("chmod", List.of(CHANGES)),
            Map.entry("fchmodat", List.of(CHANGES_AT)),
            Map.entry("utimensat", List.of(CHANGES_AT)),
            Map.entry("rename", List.of(CHANGES, MAKES_SECOND)),
            Map.entry("renameat", List.of(CHANGES_AT, MAKES_SECOND_AT)),
            Map.entry("renameat2", List.of(CHANGES_AT, MAKES_SECOND_AT)),
            Map.entry("link", List.of(READS, MAKES_SECOND)),
            Map.entry("linkat", List.of(READS_AT, MAKES_SECOND_AT)),
            Map.entry("symlink", List.of(MAKES_SECOND)),
            Map.entry("symlinkat", List.of(new Use(1, 2, Operation.WRITE, true))));

    private PathCalls() {}

    static List<Use> of(Call call) {
        return switch (call.name()) {
            case "open" -> List.of(opening(HERE, 0, call.argument(1)));
            case "openat", "openat2" -> List.of(opening(0, 1, call.argument(2)));
            case "access" -> List.of(asking(HERE, 0, call.argument(1)));
            case "faccessat", "faccessat2" -> List.of(asking(0, 1, call.argument(2)));
            default -> CALLS.getOrDefault(call.name(), List.of());
        };
    }

    private static Use opening(int directory, int path, String flags) {
        boolean creates = flags.contains("O_CREAT") || flags.contains("O_TMPFILE");
        boolean writes = creates || flags.contains("O_WRONLY") || flags.contains("O_RDWR") || flags.contains("O_TRUNC");
        return new Use(directory, path, writes ? Operation.WRITE : Operation.READ, creates);
    }

    private static Use asking(int directory, int path, String mode) {
        Operation operation = mode.contains("W_OK") ? Operation.WRITE : Operation.READ;
        return new Use(directory, path, operation, false);
    }
}
