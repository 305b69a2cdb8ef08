import dev.stockade.api.Availability;
import dev.stockade.api.Backends;
import dev.stockade.api.Command;
import dev.stockade.api.Network;
import dev.stockade.api.Profile;
import dev.stockade.api.Reach;
import dev.stockade.api.Sandbox;
import dev.stockade.api.SandboxException;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * What the landlock backend says and does on the kernel that runs: one line a fact, exit 1 if one is not as it should
 * be. Arguments: the version of Landlock that is expected ("none" if not built in, "off" if not enabled at boot), a
 * directory of this user's own with the program {@code probe} in it.
 */
final class Trial {

    private static boolean failed;

    private final int abi;
    private final Path directory;
    private final Path workspace;
    private final Path outside;
    private final boolean root = System.getProperty("user.name").equals("root");
    private final Backends landlock = Backends.installed().only("landlock");

    private Trial(int abi, Path directory) throws IOException {
        this.abi = abi;
        this.directory = directory;
        workspace = Files.createDirectories(directory.resolve("workspace"));
        outside = Files.createDirectories(directory.resolve("outside"));
        Files.copy(directory.resolve("probe"), workspace.resolve("probe"));
        Files.setPosixFilePermissions(workspace.resolve("probe"), PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path directory = Path.of(arguments[1]).toRealPath();
        switch (arguments[0]) {
            case "none" -> new Trial(0, directory).refuses("this kernel has no Landlock (ENOSYS)");
            case "become" -> become(directory);
            case "off" -> new Trial(0, directory).refuses("not enabled at boot (EOPNOTSUPP)");
            default -> new Trial(Integer.parseInt(arguments[0]), directory).confines();
        }
        System.exit(failed ? 1 : 0);
    }

    /** This process becomes a confined command. */
    private static void become(Path directory) {
        Profile profile = Profile.builder(directory.resolve("workspace")).set("landlock.partial", "warn").build();
        String script = "cat ../outside/after || test $(cat /proc/$$/comm) = sh && exit 7";
        Backends.installed().only("landlock").become(profile, Command.of("sh", "-c", script).attached());
    }

    private static void is(String what, Object expected, Object seen) {
        boolean good = expected.equals(seen);
        failed |= !good;
        System.out.println((good ? "  ok      " : "  FAILED  ") + what + ": " + seen + (good ? "" : ", not " + expected));
    }

    private void refuses(String reason) {
        String said = Objects.requireNonNull(landlock.availability().get("landlock")).toString();
        is("unavailable, and says why (" + said + ")", true, said.contains("Unavailable") && said.contains(reason));
        try (Sandbox sandbox = landlock.open(profile().build())) {
            is("opens", "refused", sandbox.backend());
        } catch (SandboxException e) {
            is("refuses in those words", true, e.getMessage().contains(reason));
        }
    }

    private Profile.Builder profile() {
        Profile.Builder builder = Profile.builder(workspace);
        return abi < 3 ? builder.set("landlock.partial", "warn") : builder;
    }

    private void confines() throws IOException, InterruptedException {
        Availability availability =
                Objects.requireNonNull(landlock.availability().get("landlock"));
        is(availability.toString(), true, availability.toString().contains("Landlock ABI " + abi + ", seccomp"));
        if (abi < 3) {
            try (Sandbox sandbox = landlock.open(Profile.builder(workspace).build())) {
                is("opens unasked", "refused", sandbox.backend());
            } catch (SandboxException e) {
                is("is refused unless it is accepted", true, e.getMessage().contains("landlock.partial"));
            }
        }
        try (Sandbox off = landlock.open(profile().build());
                Sandbox loopback = off.withNetwork(Network.LOOPBACK);
                Sandbox on = off.withNetwork(Network.ON)) {
            is("a command runs, with its status", 7, sh(off, "exit 7"));
            files(off);
            metadata(off);
            privileges(off);
            network(List.of(off, loopback, on));
            signals(off);
            carveOuts();
            leavesNothing(off);
        }
        is("this JVM reads and writes on", 1L, Files.writeString(outside.resolve("after"), "x").toFile().length());
    }

    private static int sh(Sandbox in, String script) throws InterruptedException {
        return in.run(Command.of("sh", "-c", script)).exitStatus();
    }

    /** Whether the probe could do it. */
    private boolean can(Sandbox in, String... arguments) throws InterruptedException {
        return in.run(Command.of(probe(arguments))).exitStatus() == 0;
    }

    private List<String> probe(String... arguments) {
        List<String> argv = new ArrayList<>(List.of(workspace.resolve("probe").toString()));
        argv.addAll(Arrays.asList(arguments));
        return argv;
    }

    private boolean canOutside(String... arguments) throws IOException, InterruptedException {
        return new ProcessBuilder(probe(arguments))
                        .redirectOutput(Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }

    private void files(Sandbox off) throws IOException, InterruptedException {
        Path canary = Files.writeString(outside.resolve("canary"), "sings");
        List<String> reading = List.of("cat canary", "ls .");
        List<String> writing =
                List.of("echo x > new", "echo x >> canary", "ln canary linked", "mkdir d", "echo x > ../workspace/f; mv"
                        + " ../workspace/f f", "rm canary");
        for (String act : List.of("reading", "writing")) {
            List<String> acts = act.equals("reading") ? reading : writing;
            int refused = 0;
            for (String one : acts) {
                refused += sh(off, "cd " + outside + " && " + one) != 0 ? 1 : 0;
            }
            is(act + " outside is refused", acts.size(), refused);
        }
        sh(off, workspace.resolve("probe") + " truncate " + canary);
        is("a file outside is emptied", abi < 3 && !root, Files.size(canary) == 0);
        is("and that is the claim", abi < 3, off.capabilities().can(Reach.WRITE_BEYOND));
        is("a rename within the workspace works", 0, sh(off, "mkdir -p a b; echo x > a/f && mv a/f b/f"));
        try (Sandbox granted = landlock.open(profile().writable(outside).build())) {
            is("where it is granted it works", 0, sh(granted, "cd " + outside + " && cat canary && echo x > new && rm new"));
        }
    }

    /** Landlock does not govern it; root's mounts do. */
    private void metadata(Sandbox off) throws IOException, InterruptedException {
        Path file = Files.writeString(outside.resolve("mode"), "x");
        for (String act : List.of("chmod 777 ", "touch -d @0 ", "chown 1:1 ")) {
            int status = sh(off, act + file);
            if (root) {
                is("root: " + act + "outside is refused", true, status != 0);
            }
        }
        is("no file outside becomes set-user-ID", true, sh(off, "chmod 4755 " + file) != 0);
        String mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
        is("the mode of an own file outside afterwards", root ? "rw-r--r--" : "rwxrwxrwx", mode);
        is("and metadata is said to be open", true, off.capabilities().can(Reach.METADATA_BEYOND));
    }

    private void privileges(Sandbox off) throws InterruptedException {
        String status = off.run(Command.of("sh", "-c", "grep -E '^(CapEff|CapPrm|CapBnd|NoNewPrivs|Seccomp):' /proc/self/status"))
                .stdout()
                .text();
        is("no_new_privs, filter, no capability", true, status.contains("NoNewPrivs:\t1")
                && status.contains("Seccomp:\t2")
                && status.contains("CapEff:\t0000000000000000")
                && status.contains("CapPrm:\t0000000000000000"));
        is("a user namespace", false, can(off, "userns"));
    }

    private void network(List<Sandbox> sandboxes) throws IOException, InterruptedException {
        Path path = directory.resolve("socket");
        Path datagrams = directory.resolve("datagrams");
        String name = "stockade-" + ProcessHandle.current().pid();
        Process server = new ProcessBuilder(probe("serve", name, datagrams.toString())).start();
        try (ServerSocket tcp = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                DatagramSocket udp = new DatagramSocket(0, InetAddress.getLoopbackAddress());
                ServerSocketChannel unix = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            unix.bind(UnixDomainSocketAddress.of(path));
            is("the server is up", (int) 'u', server.getInputStream().read());
            String tcpPort = Integer.toString(tcp.getLocalPort());
            String udpPort = Integer.toString(udp.getLocalPort());
            is("outside, mptcp", true, canOutside("mptcp"));
            for (Sandbox in : sandboxes) {
                Network network = in.profile().network();
                boolean ip = network == Network.ON;
                boolean sockets = network != Network.OFF;
                // Root's commands have a network of their own then, and in it no abstract socket of the host's.
                boolean own = root && network == Network.LOOPBACK;
                String where = network.name().toLowerCase(java.util.Locale.ROOT) + ": ";
                is(where + "tcp", ip, can(in, "tcp", tcpPort));
                can(in, "udp", udpPort);
                is(where + "udp", ip, received(udp));
                is(where + "mptcp", ip || own, can(in, "mptcp"));
                sendFromInput(in, udpPort);
                is(where + "a UDP socket passed as standard input", ip || own || abi < 10, received(udp));
                is(where + "a Unix socket by path", sockets && abi < 9, can(in, "unix", path.toString()));
                is(where + "a datagram to one", sockets && abi < 9, can(in, "unixdatagram", datagrams.toString()));
                is(where + "an abstract one", sockets && abi < 6 && !own, can(in, "abstract", name));
                is(where + "one of its own", sockets, can(in, "unixself", workspace.resolve("own" + network).toString()));
                for (String never : List.of("uevent", "vsock", "packet", "iouring", "x32", "i386")) {
                    if (can(in, never)) {
                        is(where + never, false, true);
                    }
                }
                is(where + "said to send off the machine", ip, in.capabilities().can(Reach.SEND_OFF_MACHINE));
                is(where + "said to reach host sockets", sockets && abi < 9, in.capabilities().can(Reach.HOST_UNIX_SOCKETS));
                is(where + "said to reach the network", ip || sockets && abi < 9, in.capabilities().canReachNetwork());
            }
            try (Sandbox granted = landlock.open(profile()
                    .network(Network.LOOPBACK)
                    .writable(path)
                    .build())) {
                is("loopback: a Unix socket that is granted", true, can(granted, "unix", path.toString()));
                is("and it is said to be reachable", true, granted.capabilities().can(Reach.HOST_UNIX_SOCKETS));
            }
        } finally {
            server.destroyForcibly();
        }
    }

    /** This JVM's own standard input is a UDP socket. */
    private void sendFromInput(Sandbox in, String port) throws InterruptedException {
        in.start(Command.of(probe("sendudp", port)).redirect(Redirect.INHERIT, Redirect.DISCARD, Redirect.DISCARD))
                .waitFor();
    }

    /** Whether a datagram has arrived. */
    private static boolean received(DatagramSocket udp) throws IOException {
        udp.setSoTimeout(500);
        try {
            udp.receive(new DatagramPacket(new byte[1], 1));
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        }
    }

    private void signals(Sandbox off) throws InterruptedException {
        String self = Long.toString(ProcessHandle.current().pid());
        is("this JVM can be signalled", abi < 6, sh(off, "kill -0 " + self) == 0);
        is("and that is the claim", abi < 6, off.capabilities().can(Reach.SIGNAL_PROCESSES));
        is("its environment and memory are refused", true, sh(off, "cat /proc/" + self + "/environ || cat /proc/" + self + "/mem") != 0);
    }

    private void carveOuts() throws IOException, InterruptedException {
        Path hidden = Files.createDirectories(workspace.resolve("hidden"));
        Files.writeString(hidden.resolve("secret"), "s");
        try (Sandbox carved = landlock.open(profile().hidden(hidden).build())) {
            is("hidden inside the workspace", true, sh(carved, "cat hidden/secret || echo x > hidden/x || mv hidden h") != 0);
            is("and beside it one can write", 0, sh(carved, "echo x > beside"));
        } catch (SandboxException e) {
            is("hidden inside the workspace: refused, pointing to bwrap", !root, e.getMessage().contains("bwrap"));
        }
    }

    private void leavesNothing(Sandbox off) throws InterruptedException {
        if (abi < 6) {
            is("what it starts is said to outlive it", true, off.capabilities().can(Reach.OUTLIVE_CALLER));
            return;
        }
        off.run(Command.of(probe("bomb")).timeout(Duration.ofSeconds(20)));
        boolean gone = false;
        for (int i = 0; i < 20 && !gone; i++) {
            gone = ProcessHandle.allProcesses()
                    .noneMatch(process -> process.info().command().orElse("").equals(probe().get(0)));
            Thread.sleep(20);
        }
        is("daemons that it leaves are gone", true, gone);
    }
}
