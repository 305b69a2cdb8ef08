package dev.stockade.posix;

import dev.stockade.api.Availability;
import dev.stockade.api.Command;
import dev.stockade.api.LaunchException;
import dev.stockade.api.LaunchException.Fault;
import dev.stockade.api.LaunchException.Phase;
import dev.stockade.api.spi.Launch;
import dev.stockade.api.spi.Spawner.Started;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;

/** Starts processes on Linux. Thread-safe; returns only when the process is there, or is known not to be. */
final class LinuxSpawner {

    private static final ThreadLocal<Linux> CALLS = ThreadLocal.withInitial(() -> new ForeignLinux(Arena.ofAuto()));
    private static final System.Logger.Level LEFT_BEHIND = System.Logger.Level.WARNING;

    private LinuxSpawner() {}

    /** The calls of the calling thread. */
    static Linux calls() {
        return CALLS.get();
    }

    private static final class Found {
        static final Availability ANSWER = find();

        private static Availability find() {
            String os = System.getProperty("os.name");
            String arch = System.getProperty("os.arch");
            if (!os.equals("Linux")) {
                return new Availability.Unavailable(
                        "it knows the system calls of Linux, not of " + os, "none is needed");
            }
            if (Syscall.READ.on(arch).isEmpty()) {
                return new Availability.Unavailable(
                        "the numbers of the system calls on " + arch + " are not known to it",
                        "use x86_64, aarch64, riscv64 or loongarch64");
            }
            try {
                return probe(new ForeignLinux(Arena.ofAuto()));
            } catch (LinkageError e) {
                return new Availability.Unavailable(denied(e), "start java with " + flag());
            } catch (IllegalCallerException e) {
                return new Availability.Unavailable(denied(e), "start java with " + flag());
            }
        }

        private static String denied(Throwable e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            return "this JVM does not let it call the C library (" + cause.getMessage() + ")";
        }

        private static String flag() {
            Module module = LinuxSpawner.class.getModule();
            return "--enable-native-access=" + (module.isNamed() ? module.getName() : "ALL-UNNAMED");
        }

        private static Availability probe(Linux linux) {
            if (!PosixSpawn.supported()) {
                return new Availability.Unavailable(
                        "this C library has no posix_spawn_file_actions_addclosefrom_np, without which a command could"
                                + " inherit open files",
                        "use glibc 2.34 (2021) or newer");
            }
            long pidfd = linux.pidfd_open((int) linux.getpid(), 0);
            if (pidfd < 0) {
                return new Availability.Unavailable(
                        "pidfd_open fails with " + Errors.text(-pidfd), "use Linux 5.9 or newer");
            }
            linux.close((int) pidfd);
            if (!Files.isReadable(Path.of("/proc/self/fd"))) {
                return new Availability.Unavailable("there is no /proc", "mount it");
            }
            Signals.listenToChildren(linux);
            return new Availability.Available("posix_spawn");
        }
    }

    static Availability availability() {
        return Found.ANSWER;
    }

    static Started spawn(Launch launch, Command stdio) {
        Linux linux = calls();
        Reaper reaper = Reaper.INSTANCE;
        Arena arena = Arena.ofAuto();
        Wiring wiring = new Wiring(linux, arena);
        PosixSpawn spawn = new PosixSpawn(arena);
        try {
            // First, for it takes longer than all the rest that comes before the start.
            Optional<ConfinedStart> confined = launch.step().map(step -> ConfinedStart.begin(step, arena, linux));
            Wired wired;
            try {
                wired = Wired.of(launch, stdio, wiring, spawn, arena);
            } catch (RuntimeException | Error e) { // Whatever it is: else a confined thread would wait for ever
                confined.ifPresent(ConfinedStart::abandon);
                throw e;
            }
            Ended ended = confined.isPresent()
                    ? startConfined(launch, confined.get(), wired.program())
                    : start(launch, wired.program(), linux);
            wiring.closeChildEnds();
            SpawnedProcess process = new SpawnedProcess(
                    wired.program().pid(), ended.pidfd, wired.stdin(), wired.stdout(), wired.stderr());
            StatusText text = new StatusText(wired.status());
            reaper.watch(linux, ended.signal, () -> reap(process, ended, text));
            return new Started(process, text);
        } catch (RuntimeException e) {
            wiring.abandon();
            throw e;
        } finally {
            spawn.destroy();
        }
    }

    /** What is started, and this side of its streams. */
    private record Wired(
            ConfinedStart.Program program,
            Optional<PipeOutput> stdin,
            Optional<PipeInput> stdout,
            Optional<PipeInput> stderr,
            Optional<PipeInput> status) {

        static Wired of(Launch launch, Command stdio, Wiring wiring, PosixSpawn spawn, Arena arena) {
            spawn.chdir(launch.directory().toString());
            Optional<PipeOutput> stdin = in(wiring, spawn, stdio.stdin());
            Optional<PipeInput> stdout = out(wiring, spawn, stdio.stdout(), 1);
            Optional<PipeInput> stderr = out(wiring, spawn, stdio.stderr(), 2);
            Optional<PipeInput> status = wireFeeds(launch, wiring, spawn);
            return new Wired(LinuxSpawner.program(launch, spawn, arena), stdin, stdout, stderr, status);
        }
    }

    /** How the end of a started process shows. */
    private record Ended(int pidfd, int signal, Supplier<String> leftBehind) {}

    private static Ended start(Launch launch, ConfinedStart.Program program, Linux linux) {
        check(program.start(), launch);
        int pidfd = ConfinedStart.track(linux, program.pid());
        check(Math.max(0, -pidfd), launch);
        return new Ended(pidfd, pidfd, () -> "");
    }

    private static Ended startConfined(Launch launch, ConfinedStart start, ConfinedStart.Program program) {
        Launch.Step step = launch.step().orElseThrow();
        start.start(program);
        if (start.code() != 0) {
            throw new LaunchException(Phase.CONFINE, Fault.HOST, ConfinedStart.explain(step, start.code()));
        }
        check(start.error(), launch);
        return new Ended(
                start.pidfd(),
                start.end(),
                () -> start.keeperFailed() == 0 ? "" : ConfinedStart.explain(step, start.keeperFailed()));
    }

    private static Optional<PipeOutput> in(Wiring wiring, PosixSpawn spawn, Redirect redirect) {
        if (redirect.equals(Redirect.PIPE)) {
            Wiring.Inlet inlet = wiring.inlet();
            spawn.dup2(inlet.child(), 0);
            return Optional.of(inlet.stream());
        }
        if (!redirect.equals(Redirect.INHERIT)) {
            spawn.dup2(wiring.file(redirect), 0);
        }
        return Optional.empty();
    }

    private static Optional<PipeInput> out(Wiring wiring, PosixSpawn spawn, Redirect redirect, int fd) {
        if (redirect.equals(Redirect.PIPE)) {
            Wiring.Outlet outlet = wiring.outlet();
            spawn.dup2(outlet.child(), fd);
            return Optional.of(outlet.stream());
        }
        if (!redirect.equals(Redirect.INHERIT)) {
            spawn.dup2(wiring.file(redirect), fd);
        }
        return Optional.empty();
    }

    private static Optional<PipeInput> wireFeeds(Launch launch, Wiring wiring, PosixSpawn spawn) {
        Optional<PipeInput> status = Optional.empty();
        for (int fd = 3; fd < Wiring.FREE; fd++) {
            byte[] feed = launch.feeds().get(fd);
            if (feed != null) {
                spawn.dup2(wiring.feed(feed), fd);
            } else if (launch.statusFd().orElse(-1) == fd) {
                Wiring.Outlet outlet = wiring.outlet();
                spawn.dup2(outlet.child(), fd);
                status = Optional.of(outlet.stream());
            } else {
                spawn.close(fd);
            }
        }
        spawn.closeFrom(Wiring.FREE);
        return status;
    }

    /** As execvp(3) does, a file that the kernel knows no format of is given to the shell. */
    private static ConfinedStart.Program program(Launch launch, PosixSpawn spawn, Arena arena) {
        long environment = CStrings.environment(arena, launch.environment());
        long path = CStrings.of(arena, Program.path(launch));
        long argv = CStrings.array(arena, launch.argv());
        long shell = CStrings.of(arena, "/bin/sh");
        long shellArgv = CStrings.array(arena, Program.byShell(launch));
        return new ConfinedStart.Program() {
            @Override
            public int start() {
                int error = spawn.start(path, argv, environment);
                return error == Linux.ENOEXEC ? spawn.start(shell, shellArgv, environment) : error;
            }

            @Override
            public int pid() {
                return spawn.pid();
            }
        };
    }

    private static void check(int error, Launch launch) {
        if (error != 0) {
            throw failed(error, launch);
        }
    }

    static LaunchException failed(int error, Launch launch) {
        String program = launch.argv().get(0);
        if (error == Linux.E2BIG) {
            return new LaunchException(
                    Phase.EXECUTE,
                    Fault.COMMAND,
                    "the arguments are longer than this system allows: give them in a file");
        }
        boolean commandItself = launch.statusFd().isEmpty();
        if (commandItself && !Files.isDirectory(launch.directory())) {
            return new LaunchException(
                    Phase.EXECUTE, Fault.COMMAND, "the directory " + launch.directory() + " does not exist");
        }
        Path file = launch.directory().resolve(program);
        if (commandItself && error == Linux.ENOENT) {
            return Files.exists(file)
                    ? LaunchException.notExecutable(program, "its interpreter does not exist, or is not shown inside")
                    : LaunchException.notFound(program, "there is no such file");
        }
        if (commandItself && error == Linux.EACCES) {
            return LaunchException.notExecutable(
                    program, "permission denied: for it, its interpreter, or a directory on the way");
        }
        return new LaunchException(Phase.EXECUTE, Fault.HOST, "cannot start " + program + ": " + Errors.text(error));
    }

    /** What came over the status channel; read when the process has ended. */
    private static final class StatusText implements Supplier<String> {
        private final Optional<PipeInput> channel;
        private volatile String text = "";

        StatusText(Optional<PipeInput> channel) {
            this.channel = channel;
        }

        void read() {
            channel.ifPresent(pipe -> {
                pipe.processEnded();
                try {
                    text = new String(pipe.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
                } catch (IOException e) {
                    text = "";
                }
            });
        }

        @Override
        public String get() {
            return text;
        }
    }

    private static void reap(SpawnedProcess process, Ended ended, StatusText text) {
        Linux linux = calls();
        if (ended.signal() != ended.pidfd()) {
            linux.close(ended.signal());
        }
        String left = ended.leftBehind().get();
        if (!left.isEmpty()) {
            System.getLogger("dev.stockade.posix").log(LEFT_BEHIND, "{0}: {1}", process, left);
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment status = arena.allocate(ValueLayout.JAVA_INT);
            long waited;
            do {
                waited = linux.wait4((int) process.pid(), status.address(), 0, 0);
            } while (waited == -Linux.EINTR);
            process.closeDescriptor(linux);
            text.read();
            if (waited < 0) {
                process.lost("how process " + process.pid() + " ended is lost: " + Errors.text(-waited)
                        + ". Something else in this JVM waits for its children");
            } else {
                process.ended(exitValue(status.get(ValueLayout.JAVA_INT, 0)));
            }
        }
    }

    /** wait(2): the low seven bits are the signal, the next eight the status. */
    private static int exitValue(int status) {
        int signal = status & 0x7f;
        return signal == 0 ? (status >> 8) & 0xff : 128 + signal;
    }

    static void become(Launch launch) {
        Becoming.now(launch, calls());
    }
}
