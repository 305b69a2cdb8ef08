package dev.stockade.cli;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The command in a JVM of its own, as a user meets it. */
record Child(int status, String out, String err, Duration took) {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    static ProcessBuilder command(Path directory, String... argv) {
        // The backends are found on whichever path the test runner put them.
        String classes = Stream.of("java.class.path", "jdk.module.path")
                .map(property -> System.getProperty(property, ""))
                .filter(path -> !path.isEmpty())
                .collect(Collectors.joining(File.pathSeparator));
        List<String> all = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                classes,
                Main.class.getName()));
        all.addAll(List.of(argv));
        return new ProcessBuilder(all).directory(directory.toFile());
    }

    static Child run(Path directory, String... argv) throws Exception {
        return run(command(directory, argv), "");
    }

    static Child run(ProcessBuilder command, String input) throws Exception {
        Path out = Files.createTempFile("stockade-test", ".out");
        Path err = Files.createTempFile("stockade-test", ".err");
        try {
            long from = System.nanoTime();
            Process process = command.redirectOutput(out.toFile())
                    .redirectError(err.toFile())
                    .start();
            feed(process, input);
            if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError("did not end: " + Files.readString(err));
            }
            Duration took = Duration.ofNanos(System.nanoTime() - from);
            return new Child(process.exitValue(), Files.readString(out), Files.readString(err), took);
        } finally {
            Files.delete(out);
            Files.delete(err);
        }
    }

    private static void feed(Process process, String input) {
        try (var stdin = process.getOutputStream()) {
            stdin.write(input.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            // It does not read.
        }
    }

    /** Waits for processes with this word among their arguments to be gone. */
    static boolean isGone(String word) throws InterruptedException {
        for (int i = 0; i < 100; i++) {
            if (!isRunning(word)) {
                return true;
            }
            Thread.sleep(50);
        }
        return false;
    }

    static boolean isRunning(String word) {
        return ProcessHandle.allProcesses()
                .flatMap(process -> process.info().arguments().stream())
                .flatMap(Stream::of)
                .anyMatch(word::equals);
    }
}
