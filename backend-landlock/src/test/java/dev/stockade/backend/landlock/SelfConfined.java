package dev.stockade.backend.landlock;

import dev.stockade.api.Backends;
import dev.stockade.api.Network;
import dev.stockade.api.Profile;
import dev.stockade.api.SandboxException;
import dev.stockade.posix.ForeignLinux;
import dev.stockade.posix.Linux;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.DatagramSocket;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;

/**
 * A program that confines itself, and then tries what it is told to. Prints "start PID" each time it is started, and for
 * each attempt "name=yes" or "name=no", and why not.
 */
public final class SelfConfined {

    private static final BlockingQueue<Runnable> WORK = new LinkedBlockingQueue<>();

    private SelfConfined() {}

    /** Arguments: what to do first, a workspace, a directory outside, then attempts. */
    public static void main(String[] arguments) throws Exception {
        System.out.println("start " + ProcessHandle.current().pid());
        Thread early = new Thread(SelfConfined::work, "early");
        early.setDaemon(true);
        early.start();
        Path workspace = Path.of(arguments[1]);
        Path outside = Path.of(arguments[2]);
        try {
            first(arguments[0], workspace);
        } catch (SandboxException e) {
            System.out.println("refused " + e.getMessage());
            System.exit(3);
        }
        for (String name : Arrays.asList(arguments).subList(3, arguments.length)) {
            tell(name, attempt(name, workspace, outside));
        }
        if (arguments[0].endsWith("+hook")) {
            Runtime.getRuntime()
                    .addShutdownHook(new Thread(
                            () -> tell("hook", () -> Files.writeString(outside.resolve("hook"), "x"))));
        }
    }

    private static void first(String how, Path workspace) throws Exception {
        Profile guard = Profile.named("write-guard", workspace);
        Profile strict = Profile.builder(workspace).build();
        switch (how.replace("+hook", "")) {
            case "unconfined" -> {}
            case "guard" -> confine(guard);
            case "offline" -> confine(guard.withNetwork(Network.OFF));
            case "partial" ->
                confine(guard.toBuilder().set("landlock.partial", "warn").build());
            case "strict" -> confine(strict);
            case "twice" -> {
                confine(guard);
                confine(guard);
                confine(guard.withNetwork(Network.OFF));
            }
            case "widening" -> {
                confine(guard.withNetwork(Network.OFF));
                confine(guard);
            }
            case "unlike" -> confine(Profile.named("write-guard", Files.createTempDirectory(workspace, "each-time")));
            case "late" -> {
                System.out.println("read " + System.in.read());
                confine(guard);
            }
            case "parent" -> {
                new ProcessBuilder("sleep", "5").start();
                confine(guard);
            }
            default -> throw new IllegalArgumentException(how);
        }
    }

    private static void confine(Profile profile) {
        Backends.Boundary boundary = Backends.of(new LandlockBackendProvider()).confineThisJvm(profile);
        System.out.println("confined by " + boundary.backend() + " " + boundary.notices());
    }

    private static void work() {
        while (true) {
            try {
                WORK.take().run();
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private static void tell(String name, Callable<?> attempt) {
        try {
            System.out.println(name + "=yes " + attempt.call());
        } catch (Throwable e) {
            System.out.println(name + "=no " + e);
        }
    }

    private static Callable<?> attempt(String name, Path workspace, Path outside) {
        String[] words = name.split(":", 2);
        return switch (words[0]) {
            case "inside" -> () -> Files.writeString(workspace.resolve("written"), "x");
            case "tmp" ->
                () -> {
                    Path file = Files.createTempFile("self", "confined");
                    Files.delete(file);
                    return file;
                };
            case "write" -> () -> Files.writeString(outside.resolve(name), "x");
            case "early" -> () -> onEarlyThread(() -> Files.writeString(outside.resolve(name), "x"));
            case "pool" ->
                () -> {
                    try (var pool = Executors.newFixedThreadPool(2)) {
                        return pool.submit(() -> Files.writeString(outside.resolve(name), "x"))
                                .get();
                    }
                };
            case "virtual" ->
                () -> {
                    try (var pool = Executors.newVirtualThreadPerTaskExecutor()) {
                        return pool.submit(() -> Files.writeString(outside.resolve(name), "x"))
                                .get();
                    }
                };
            case "exec" -> () -> shell("echo x > '" + outside.resolve(name) + "'");
            case "daemon" -> () -> shell("setsid sh -c \"echo x > '" + outside.resolve(name) + "'\"");
            case "delete" ->
                () -> {
                    Files.delete(outside.resolve("kept"));
                    return "";
                };
            case "move" -> () -> Files.move(workspace.resolve("written"), outside.resolve(name));
            case "link" ->
                () -> {
                    Files.createSymbolicLink(workspace.resolve("link"), outside);
                    return Files.writeString(workspace.resolve("link/through"), "x");
                };
            case "foreign" -> () -> foreign(outside.resolve(name));
            case "descriptor" -> () -> Files.writeString(Path.of("/proc/self/fd", words[1]), "x");
            case "open" -> () -> Files.readSymbolicLink(Path.of("/proc/self/fd", words[1]));
            case "environ" -> () -> Files.readAllBytes(Path.of("/proc", words[1], "environ")).length;
            case "signal" -> () -> shell("kill -0 " + words[1]);
            case "tcp" ->
                () -> {
                    try (ServerSocket socket = new ServerSocket(0)) {
                        return socket.getLocalPort();
                    }
                };
            case "udp" ->
                () -> {
                    try (DatagramSocket socket = new DatagramSocket()) {
                        return socket.getLocalPort();
                    }
                };
            case "ring" ->
                () -> checked(
                        calls().io_uring_setup(1, Arena.global().allocate(128).address()));
            case "watch" ->
                () -> {
                    try (var watch = workspace.getFileSystem().newWatchService()) {
                        return workspace.register(watch, java.nio.file.StandardWatchEventKinds.ENTRY_CREATE);
                    }
                };
            case "list" ->
                () -> {
                    try (var entries = Files.list(Path.of("/etc"))) {
                        return entries.count();
                    }
                };
            case "stdin" -> () -> new String(System.in.readAllBytes(), StandardCharsets.UTF_8).strip();
            case "threads" -> SelfConfined::unconfinedThreads;
            case "children" -> () -> shell("grep -q 'NoNewPrivs:.1' /proc/self/status");
            case "terminal" -> () -> shell("stty size < /dev/tty && test -t 0 < /proc/$PPID/fd/0");
            case "property" -> () -> System.getProperty(words[1]);
            case "cmdline" -> () -> HexFormat.of().formatHex(Files.readAllBytes(Path.of("/proc/self/cmdline")));
            default -> () -> "argument";
        };
    }

    private static Object onEarlyThread(Callable<?> act) throws Exception {
        SynchronousQueue<Object> answer = new SynchronousQueue<>();
        WORK.add(() -> {
            Object result;
            try {
                result = act.call();
            } catch (Exception e) {
                result = e;
            }
            try {
                answer.put(result);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        Object result = answer.take();
        if (result instanceof Exception failed) {
            throw failed;
        }
        return result;
    }

    private static Object shell(String line) throws IOException, InterruptedException {
        Process process = Runtime.getRuntime().exec(new String[] {"sh", "-c", line});
        int status = process.waitFor();
        if (status != 0) {
            throw new IOException("status " + status);
        }
        return "";
    }

    private static Linux calls() {
        return new ForeignLinux(Arena.global());
    }

    private static long foreign(Path file) throws IOException {
        return checked(calls().openat(
                        Linux.AT_FDCWD,
                        Arena.global().allocateFrom(file.toString()).address(),
                        Linux.O_WRONLY | Linux.O_CREAT,
                        0600));
    }

    private static long checked(long result) throws IOException {
        if (result < 0) {
            throw new IOException("errno " + -result);
        }
        return result;
    }

    private static Object unconfinedThreads() throws IOException {
        try (var tasks = Files.list(Path.of("/proc/self/task"))) {
            List<Path> all = tasks.toList();
            long free = all.stream()
                    .filter(task -> {
                        try {
                            String status = Files.readString(task.resolve("status"));
                            return !status.contains("NoNewPrivs:\t1")
                                    || !status.contains("Seccomp:\t2")
                                    || !status.contains("CapEff:\t0000000000000000");
                        } catch (IOException e) {
                            return false;
                        }
                    })
                    .count();
            if (free > 0 || all.size() < 5) {
                throw new IOException(free + " of " + all.size() + " are not confined");
            }
            return "";
        }
    }
}
