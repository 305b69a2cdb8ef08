package dev.stockade.backend.docker;

import dev.stockade.api.Command;
import dev.stockade.api.LaunchException;
import dev.stockade.api.LaunchException.Fault;
import dev.stockade.api.LaunchException.Phase;
import dev.stockade.api.Network;
import dev.stockade.api.Profile;
import dev.stockade.api.spi.Host;
import dev.stockade.api.spi.Launch;
import dev.stockade.api.spi.Planner.Plan;
import dev.stockade.api.spi.Planner.Start;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The container that commands are executed in: all of the confinement is in these arguments.
 *
 * <p>Its own program is the keeper, as another user than the commands. It ends with its standard input, that is with the
 * client, that is with this JVM, however that ends; and the container ends with it.
 *
 * @param setup what is held, by what
 * @param name the container's
 */
record KeeperPlan(Setup setup, String name) implements Plan {

    /** The label of what this backend makes. */
    static final String LABEL = "dev.stockade.owner";

    /** Says "ready", then how many processes there are whenever it is asked: built-ins only, so that none is its own. */
    static final String KEEPER = "echo ready; while read -r line; do set -- /proc/[0-9]*; echo $#; done";

    /** docker-init and the keeper. */
    static final int KEEPERS = 2;

    private static final String FILTER = "seccomp.json";
    private static final String EMPTY = "empty";

    static Command keeper(Profile profile) {
        return Command.of("sh", "-c", KEEPER).directory(profile.workspace());
    }

    @Override
    public Launch launch(Command command, Start start) {
        Profile profile = setup.profile();
        Host host = setup.host();
        requireUnmoved();
        List<String> argv = new ArrayList<>(setup.engine().client(start.scratch()));
        argv.addAll(List.of("run", "--rm", "-i", "--init", "--name", name));
        ContainerName.owner(host).ifPresent(owner -> argv.addAll(List.of("--label", LABEL + "=" + owner)));
        // Nothing is fetched, nothing is logged on the host, no health check of the image's is executed beside.
        argv.addAll(List.of("--pull", "never", "--log-driver", "none", "--no-healthcheck"));
        argv.addAll(List.of("--network", profile.network() == Network.ON ? "bridge" : "none", "--ipc", "private"));
        argv.addAll(List.of("--user", setup.user().keeper().toString(), "--cap-drop", "ALL"));
        argv.addAll(List.of("--security-opt", "no-new-privileges", "--read-only"));
        if (setup.filter().isPresent()) {
            argv.addAll(List.of("--security-opt", "seccomp=" + start.scratch().resolve(FILTER)));
        }
        setup.settings().runtime().ifPresent(runtime -> argv.addAll(List.of("--runtime", runtime)));
        argv.addAll(limits());
        argv.addAll(List.of("--mount", witness(start)));
        argv.addAll(setup.view().arguments(start.scratch().resolve(EMPTY)));
        argv.addAll(List.of("--workdir", "/", "--entrypoint", command.argv().get(0)));
        argv.add(setup.settings().image());
        argv.addAll(command.argv().subList(1, command.argv().size()));
        Launch launch = Launch.of(argv, Map.of(), profile.workspace())
                .file(EMPTY, new byte[0])
                .clearingEnvironment();
        return setup.filter()
                .map(json -> launch.file(FILTER, json.getBytes(StandardCharsets.UTF_8)))
                .orElse(launch);
    }

    private List<String> limits() {
        List<String> all = new ArrayList<>();
        setup.profile()
                .limits()
                .memoryBytes()
                .ifPresent(bytes ->
                        all.addAll(List.of("--memory", Long.toString(bytes), "--memory-swap", Long.toString(bytes))));
        setup.profile().limits().cpus().ifPresent(share -> all.addAll(List.of("--cpus", Double.toString(share))));
        setup.profile()
                .limits()
                .processes()
                .ifPresent(
                        count -> all.addAll(List.of("--pids-limit", Integer.toString(Math.addExact(count, KEEPERS)))));
        return all;
    }

    /**
     * A private {@code /tmp} is a directory of the host's with a random name, which an engine elsewhere does not see: it
     * then refuses to start, before a workspace of the same name over there is taken for this one.
     */
    private String witness(Start start) {
        return setup.view().ownsTmp() && start.tmp().isPresent()
                ? DockerView.bind(start.tmp().get(), setup.view().tmp())
                : DockerView.readOnly(
                        start.scratch().resolve(EMPTY), setup.host().files().getPath("/run/stockade"));
    }

    /** A read-only or hidden path inside a writable tree must still be there, and no link: a mount would follow it. */
    private void requireUnmoved() {
        for (Path path : setup.view().restrictions()) {
            for (Path at = path; at != null && !at.equals(setup.profile().workspace()); at = at.getParent()) {
                if (Files.isSymbolicLink(at) || !Files.exists(at)) {
                    throw new LaunchException(
                            Phase.PREPARE,
                            Fault.PROFILE,
                            path + " was moved or replaced by a link since the sandbox was opened, so it cannot be kept"
                                    + " read-only or hidden: restore it, and open the sandbox again");
                }
            }
        }
    }

    @Override
    public Optional<String> advice(String complaint) {
        return Optional.of(DockerAdvice.sentence(complaint, setup.settings().image()));
    }
}
