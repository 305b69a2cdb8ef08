package dev.example.gvisor;

import dev.stockade.api.Availability;
import dev.stockade.api.Availability.Available;
import dev.stockade.api.Availability.Unavailable;
import dev.stockade.api.Capabilities;
import dev.stockade.api.Limits;
import dev.stockade.api.Network;
import dev.stockade.api.Profile;
import dev.stockade.api.Reach;
import dev.stockade.api.spi.Assessment;
import dev.stockade.api.spi.Assessment.Refusal;
import dev.stockade.api.spi.Host;
import dev.stockade.api.spi.Launch;
import dev.stockade.api.spi.Planner;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Confines with gVisor's {@code runsc}: a kernel of its own, without privilege, and a bundle made for each start. */
public final class GvisorBackend implements Planner {

    private static final Map<String, String> FIXED = Map.of("PATH", "/usr/bin:/bin", "TMPDIR", "/tmp");

    /** For the service loader. */
    public GvisorBackend() {}

    @Override
    public String name() {
        return "gvisor";
    }

    @Override
    public Availability availability(Host host) {
        return host.find("runsc")
                .flatMap(runsc -> host.output(Duration.ofSeconds(5), List.of(runsc.toString(), "--version")))
                .filter(printed -> printed.status() == 0)
                .<Availability>map(printed -> new Available(printed.text().lines().findFirst().orElse("runsc")))
                .orElseGet(() -> new Unavailable("there is no runsc that works here", "apt-get install runsc"));
    }

    @Override
    public Assessment assess(Profile profile, Host host) {
        List<Refusal> refused = new ArrayList<>();
        refuse(refused, "limits", !profile.limits().equals(Limits.NONE), "it sets no limits");
        refuse(refused, "network", profile.network() == Network.ON, "without privilege it has a loopback only");
        refuse(refused, "reads", profile.reads() == Profile.Reads.HOST, "it shows no more than what is named");
        refuse(refused, "tmp", profile.tmp() == Profile.Tmp.SHARED, "its /tmp is its own");
        refuse(refused, "read_only", profile.workspaceAccess() == Profile.Access.READ, "it writes its workspace");
        refuse(refused, "readable, writable, hidden", !profile.grants().isEmpty(), "it shows only the workspace");
        String bundle = "nothing but the workspace and a read-only /usr is mounted";
        String kernel = "a kernel of its own has processes of its own";
        return new Assessment(
                refused,
                Capabilities.EVERYTHING
                        .closing(Reach.SEND_OFF_MACHINE, "its network stack has no way out")
                        .closing(Reach.HOST_LOOPBACK, "its loopback is its own")
                        .closing(Reach.HOST_UNIX_SOCKETS, "its kernel connects to no socket of the host's")
                        .closing(Reach.READ_BEYOND, bundle)
                        .closing(Reach.WRITE_BEYOND, bundle)
                        .closing(Reach.METADATA_BEYOND, bundle)
                        .closing(Reach.SHARED_TMP, "/tmp is in its memory")
                        .closing(Reach.SEE_PROCESSES, kernel)
                        .closing(Reach.SIGNAL_PROCESSES, kernel)
                        .closing(Reach.TYPE_INTO_TERMINAL, "its kernel passes on no TIOCSTI"));
    }

    private static void refuse(List<Refusal> refused, String key, boolean asked, String why) {
        if (asked) {
            refused.add(new Refusal(key, why));
        }
    }

    @Override
    public Plan prepare(Profile profile, Host host) {
        String runsc = host.find("runsc").orElseThrow().toString();
        return (command, start) -> {
            Path directory = command.directory().orElse(profile.workspace());
            Map<String, String> environment = host.environmentFor(profile, command, FIXED);
            command.resolveExecutable(directory, environment.getOrDefault("PATH", ""), program -> true);
            String id = start.scratch().getFileName().toString();
            String scratch = start.scratch().toString();
            List<String> front = List.of(runsc, "--rootless", "--network=none", "--root", scratch + "/state");
            return Launch.of(with(front, "run", "--bundle", scratch, id), Map.of(), directory)
                    .file("config.json", Bundle.of(profile.workspace(), directory, command.argv(), environment))
                    .stoppedBy(with(front, "delete", "--force", id))
                    .clearingEnvironment();
        };
    }

    private static List<String> with(List<String> front, String... rest) {
        List<String> argv = new ArrayList<>(front);
        argv.addAll(List.of(rest));
        return argv;
    }
}
