package dev.stockade.benchmarks;

import dev.stockade.api.Backends;
import dev.stockade.api.Command;
import dev.stockade.api.Network;
import dev.stockade.api.Profile;
import dev.stockade.api.Sandbox;
import dev.stockade.api.spi.Launch;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/**
 * Prints ratios: the two sides of each row alternate in one process, so that other work on the machine meets both alike.
 * Needs no JMH; {@code benchmarks/library} runs it.
 */
public final class SideBySide {

    private static final int WARM_UP = 100;
    private static final Command MUCH = Command.of("/usr/bin/head", "-c", "100000000", "/dev/zero");

    private SideBySide() {}

    /** One row. */
    record Side(String name, Callable<Integer> act) {}

    /**
     * Measures.
     *
     * @param arguments the number of rounds, 300 unless given
     * @throws Exception if anything fails
     */
    public static void main(String[] arguments) throws Exception {
        int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 300;
        Path directory = Files.createTempDirectory("benchmark");
        Path workspace = Files.createDirectory(directory.resolve("workspace"));
        Profile strict = Profile.builder(workspace).build();
        Command command = Command.of("/bin/true");
        Side jdk = new Side(
                "ProcessBuilder", () -> new ProcessBuilder("/bin/true").start().waitFor());
        System.out.printf("%-44s %9s %9s %7s%n", "start and wait of /bin/true", "median ms", "p90 ms", "ratio");
        try (Sandbox landlock = open("landlock", strict);
                Sandbox bwrap = open("bwrap", strict);
                Sandbox none = open("none", strict)) {
            Sandbox on = landlock.withNetwork(Network.ON);
            compare(
                    rounds,
                    jdk,
                    new Side(
                            "landlock, network off",
                            () -> landlock.start(command).waitFor()),
                    new Side("landlock, network on", () -> on.start(command).waitFor()),
                    new Side("none", () -> none.start(command).waitFor()));
            ProcessBuilder raw = new ProcessBuilder(raw(strict, command));
            compare(
                    rounds,
                    new Side(
                            "ProcessBuilder, bwrap told the same",
                            () -> raw.start().waitFor()),
                    new Side("bwrap, network off", () -> bwrap.start(command).waitFor()));
            compare(
                    Math.max(5, rounds / 20),
                    new Side("100 MB of output, ProcessBuilder", SideBySide::discarded),
                    new Side(
                            "100 MB of output, landlock, captured in part",
                            () -> landlock.run(MUCH).exitStatus()));
            compare(
                    rounds / 2,
                    new Side("landlock, 1 extra path", starting(grown(strict, directory, 1), command)),
                    new Side("landlock, 100 extra paths", starting(grown(strict, directory, 100), command)),
                    new Side("landlock, 1000 extra paths", starting(grown(strict, directory, 1000), command)));
            compare(
                    Math.max(3, rounds / 60),
                    new Side("50 at once x 4, ProcessBuilder", () -> atOnce(jdk.act())),
                    new Side(
                            "50 at once x 4, landlock",
                            () -> atOnce(() -> landlock.start(command).waitFor())));
            System.out.printf("%nwork inside, without the start%n");
            Inside.compare(Math.max(5, rounds / 20), directory);
        }
    }

    /** What bubblewrap is told, as arguments; without what only a descriptor can give it: the filter. */
    private static List<String> raw(Profile profile, Command command) {
        Launch launch =
                Backends.installed().only("bwrap").plan(profile, command).orElseThrow();
        List<String> argv = new ArrayList<>();
        for (int i = 0; i < launch.argv().size(); i++) {
            String word = launch.argv().get(i);
            if (word.equals("--args")) {
                String fed = new String(
                        launch.feeds().get(Integer.parseInt(launch.argv().get(++i))), StandardCharsets.UTF_8);
                argv.addAll(List.of(fed.split("\0")));
            } else {
                argv.add(word);
            }
        }
        for (String byDescriptor : List.of("--seccomp", "--json-status-fd")) {
            int at = argv.indexOf(byDescriptor);
            if (at >= 0) {
                argv.subList(at, at + 2).clear();
            }
        }
        return argv;
    }

    private static int discarded() throws IOException, InterruptedException {
        Process process = new ProcessBuilder(MUCH.argv()).start();
        process.getInputStream().transferTo(OutputStream.nullOutputStream());
        return process.waitFor();
    }

    private static Sandbox open(String backend, Profile profile) {
        return Backends.installed().only(backend).open(profile);
    }

    private static Callable<Integer> starting(Profile profile, Command command) {
        Sandbox sandbox = open("landlock", profile);
        return () -> sandbox.start(command).waitFor();
    }

    private static Profile grown(Profile profile, Path directory, int paths) throws IOException {
        Profile.Builder grown = profile.toBuilder();
        for (int i = 0; i < paths; i++) {
            grown.readable(Files.createDirectories(directory.resolve("extra" + paths + "/" + i)));
        }
        return grown.build();
    }

    private static int atOnce(Callable<Integer> act) throws InterruptedException, ExecutionException {
        try (ExecutorService callers = Executors.newFixedThreadPool(50)) {
            List<Future<Integer>> runs = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                runs.add(callers.submit(act));
            }
            int failed = 0;
            for (Future<Integer> run : runs) {
                failed += run.get();
            }
            return failed;
        }
    }

    static void compare(int rounds, Side... sides) throws Exception {
        double[][] millis = measure(rounds, sides);
        double reference = millis[0][rounds / 2];
        for (int i = 0; i < sides.length; i++) {
            double median = millis[i][rounds / 2];
            print(sides[i].name(), median, millis[i][rounds * 9 / 10], median / reference);
        }
    }

    static void print(String name, double median, double most, double ratio) {
        System.out.printf(Locale.ROOT, "%-44s %9.2f %9.2f %7.2f%n", name, median, most, ratio);
    }

    /** How long each side took in each round, sorted. */
    static double[][] measure(int rounds, Side... sides) throws Exception {
        double[][] millis = new double[sides.length][rounds];
        // In another order each time: what one side leaves for the kernel to do is paid for by the next.
        List<Integer> order =
                new ArrayList<>(IntStream.range(0, sides.length).boxed().toList());
        for (int round = -Math.min(WARM_UP, rounds / 3); round < rounds; round++) {
            Collections.shuffle(order);
            for (int i : order) {
                long from = System.nanoTime();
                int status = sides[i].act().call();
                double took = (System.nanoTime() - from) / 1e6;
                if (status != 0) {
                    throw new IllegalStateException(sides[i].name() + " ended with " + status);
                }
                if (round >= 0) {
                    millis[i][round] = took;
                }
            }
        }
        for (double[] side : millis) {
            Arrays.sort(side);
        }
        return millis;
    }
}
