package dev.stockade.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StatusFileTest {

    @TempDir
    Path directory;

    private String status(String... commandLine) throws Exception {
        Path file = directory.resolve("status.json");
        String[] argv = Stream.concat(
                        Stream.of("run", "--backend", "none", "--workspace", directory.toString(), "--status-file"),
                        Stream.concat(Stream.of(file.toString()), Stream.of(commandLine)))
                .toArray(String[]::new);
        Told.by(argv);
        try (Stream<Path> all = Files.list(directory)) {
            assertEquals(
                    1, all.filter(path -> path.toString().contains("status")).count());
        }
        return Files.readString(file).replaceAll("\"duration_ms\": [0-9]+", "\"duration_ms\": N");
    }

    @Test
    void tellsHowTheCommandEnded() throws Exception {
        assertEquals("""
                {
                  "outcome": "exited",
                  "exit_status": 3,
                  "timed_out": false,
                  "backend": "none",
                  "duration_ms": N,
                  "notices": []
                }
                """, status("--", "sh", "-c", "exit 3"));
        String signalled = status("--", "sh", "-c", "kill -9 $$");
        assertTrue(signalled.contains("\"outcome\": \"signalled\",\n  \"signal\": 9,\n"), signalled);
        String late = status("--timeout", "100ms", "--", "sleep", "63");
        assertTrue(late.contains("\"outcome\": \"timed-out\",\n  \"exit_status\": 124,"), late);
    }

    @Test
    void tellsAStatusOf127ThatIsTheCommandsOwnFromAMissingProgram() throws Exception {
        assertTrue(status("--", "sh", "-c", "exit 127").contains("\"outcome\": \"exited\""));
        String missing = status("--", "no-such-program");
        assertTrue(missing.contains("\"outcome\": \"error\",\n  \"exit_status\": 127,"), missing);
        assertTrue(missing.contains("\"kind\": \"launch\",\n    \"phase\": \"execute\""), missing);
        assertTrue(missing.contains("\"fault\": \"command\""), missing);
    }

    @Test
    void tellsWhyNothingWasRun() throws Exception {
        assertTrue(status("--cwd", "/", "--", "true").contains("lies outside the workspace"));
        assertTrue(status("--network", "maybe", "--", "true").contains("\"kind\": \"configuration\""));
    }

    @Test
    void leavesNoOldAnswerStanding() throws Exception {
        Path file = directory.resolve("status.json");
        Files.writeString(file, "old");
        Told.by(
                "run",
                "--backend",
                "none",
                "--workspace",
                directory.toString(),
                "--status-file",
                file.toString(),
                "--",
                "sh",
                "-c",
                "test ! -e status.json && echo gone > seen");
        assertEquals("gone\n", Files.readString(directory.resolve("seen")));
        assertTrue(Files.readString(file).contains("exited"));
    }

    @Test
    void writesNowhereElseIfTheCommandPutsALinkInTheWay() throws Exception {
        Path out = Files.createDirectory(directory.resolve("out"));
        Path elsewhere = Files.createDirectory(directory.resolve("elsewhere"));
        Told told = Told.by(
                "run",
                "--backend",
                "none",
                "--workspace",
                directory.toString(),
                "--status-file",
                out.resolve("status.json").toString(),
                "--",
                "sh",
                "-c",
                "mv out moved && ln -s elsewhere out");
        assertEquals(0, told.status(), told.err());
        assertTrue(Files.isRegularFile(directory.resolve("moved/status.json")));
        assertFalse(Files.exists(elsewhere.resolve("status.json")));
    }

    @Test
    void replacesNoPipeAndNoDevice() throws Exception {
        Path pipe = directory.resolve("pipe");
        assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
        for (String file : new String[] {pipe.toString(), "/dev/null", "/dev/fd/2"}) {
            Told told = Told.by("run", "--backend", "none", "--status-file", file, "--", "true");
            assertEquals(125, told.status());
            assertTrue(told.err().contains("is a pipe or a device"), told.err());
        }
        assertTrue(Files.exists(pipe) && !Files.isRegularFile(pipe));
    }

    @Test
    void isRefusedBeforeAnythingRunsWhereItCannotBeWritten() {
        String seen = directory.resolve("seen").toString();
        Told told = Told.by("run", "--backend", "none", "--status-file", "/no/such/status.json", "--", "touch", seen);
        assertEquals(125, told.status());
        assertTrue(told.err().contains("is there a directory /no/such?"), told.err());
        assertFalse(Files.exists(Path.of(seen)));
        assertEquals(
                125,
                Told.by("run", "--backend", "none", "--status-file", directory.toString(), "--", "true")
                        .status());
    }
}
