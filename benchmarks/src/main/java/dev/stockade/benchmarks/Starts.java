package dev.stockade.benchmarks;

import dev.stockade.api.Backends;
import dev.stockade.api.Command;
import dev.stockade.api.Profile;
import dev.stockade.api.Sandbox;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** One start and wait of {@code /bin/true}: by the JDK, and through a sandbox that was opened before. */
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 1, time = 3)
@Measurement(iterations = 3, time = 4)
@Fork(
        value = 2,
        jvmArgs = {"--enable-native-access=ALL-UNNAMED"})
public class Starts {

    /** A sandbox, opened once. */
    @State(Scope.Benchmark)
    public static class Opened {

        /** What confines. */
        @Param({"landlock", "none"})
        public String backend = "landlock";

        private final Command command = Command.of("/bin/true");
        private Optional<Sandbox> sandbox = Optional.empty();

        /** Opens it. */
        @Setup
        public void open() throws IOException {
            Profile strict =
                    Profile.builder(Files.createTempDirectory("benchmark")).build();
            sandbox = Optional.of(Backends.installed().only(backend).open(strict));
        }

        /** Closes it. */
        @TearDown
        public void close() {
            sandbox.ifPresent(Sandbox::close);
        }
    }

    /** The JDK's own way, unconfined. */
    @Benchmark
    public int processBuilder() throws IOException, InterruptedException {
        return new ProcessBuilder("/bin/true").start().waitFor();
    }

    /** The library's. */
    @Benchmark
    public int started(Opened opened) throws InterruptedException {
        return opened.sandbox.orElseThrow().start(opened.command).waitFor();
    }
}
