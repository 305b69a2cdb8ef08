package dev.stockade.backend.bwrap;

import dev.stockade.api.Command;
import dev.stockade.api.LaunchException;
import dev.stockade.api.LaunchException.Fault;
import dev.stockade.api.LaunchException.Phase;
import dev.stockade.api.Network;
import dev.stockade.api.Profile;
import dev.stockade.api.Profile.Reads;
import dev.stockade.api.spi.Host;
import dev.stockade.api.spi.Launch;
import dev.stockade.api.spi.Planner.Plan;
import dev.stockade.api.spi.Planner.Purpose;
import dev.stockade.api.spi.Planner.Start;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Turns a command into bubblewrap's arguments. They travel in a feed ({@code --args}), for they hold the values of
 * variables, and an argument list is public.
 */
final class BwrapPlan implements Plan {

    private static final int ARGS = 9;
    private static final int FILTER = 8;
    private static final int STATUS = 7;

    private static final String PATH =
            "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/run/current-system/sw/bin";

    private final Profile profile;
    private final Host host;
    private final Bwrap bwrap;
    private final BwrapView view;
    private final Optional<byte[]> filter;

    BwrapPlan(Profile profile, Host host, Bwrap bwrap, Optional<byte[]> filter) {
        this.profile = profile;
        this.host = host;
        this.bwrap = bwrap;
        this.filter = filter;
        this.view = BwrapView.of(profile, host);
    }

    @Override
    public boolean usesTmp() {
        // Started as the workspace's owner, it could not enter the private directory above its temporary one.
        return view.usesTmp() && bwrap.front(profile, host).isEmpty();
    }

    @Override
    public Launch launch(Command command, Start start) {
        Path directory = command.directory().orElse(profile.workspace());
        Map<String, String> environment = host.environmentFor(profile, command, fixed());
        requireExecutable(command, directory, environment);
        requireUnmoved();
        List<String> arguments = arguments(command, start, environment);
        List<String> argv = new ArrayList<>(bwrap.front(profile, host));
        argv.addAll(List.of(bwrap.program().toString(), "--args", Integer.toString(ARGS), "--"));
        argv.addAll(command.argv());
        boolean clears = bwrap.version().clearsEnvironment();
        Launch launch = Launch.of(argv, clears ? Map.of() : environment, directory)
                .feed(ARGS, nulSeparated(arguments))
                .status(STATUS, BwrapStatus::decode);
        if (filter.isPresent()) {
            launch = launch.feed(FILTER, filter.get());
        }
        return clears ? launch.clearingEnvironment() : launch;
    }

    private Map<String, String> fixed() {
        Map<String, String> fixed = new LinkedHashMap<>();
        fixed.put("PATH", PATH);
        fixed.put("HOME", profile.workspace().toString());
        List.of("TMPDIR", "TMP", "TEMP").forEach(name -> fixed.put(name, "/tmp"));
        return fixed;
    }

    private void requireExecutable(Command command, Path directory, Map<String, String> environment) {
        String program = command.argv().get(0);
        if (program.contains("/") && view.isPrivate(directory.resolve(program).normalize())) {
            return; // Made by an earlier command in its own /tmp: bubblewrap will tell.
        }
        command.resolveExecutable(directory, environment.getOrDefault("PATH", ""), view::shows);
    }

    /**
     * A read-only or hidden path inside a writable tree must still be where it was, and no link: bubblewrap would
     * follow the link, and create what is missing on the host.
     */
    private void requireUnmoved() {
        for (Path path : view.restrictions()) {
            for (Path at = path; at != null && !at.equals(profile.workspace()); at = at.getParent()) {
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

    private List<String> arguments(Command command, Start start, Map<String, String> environment) {
        // --unshare-all only tries to make a user namespace; as root it goes on without one in silence.
        List<String> all =
                new ArrayList<>(List.of("--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts"));
        // It only hides names. Where /sys is shown, names that do not fit it break what looks up its limits: Java 17
        // does.
        if (profile.reads() != Reads.HOST) {
            all.add("--unshare-cgroup-try");
        }
        if (profile.network() != Network.ON) {
            all.add("--unshare-net");
        }
        if (bwrap.disablesUserNamespaces()) {
            all.add("--disable-userns");
        }
        // As root bubblewrap keeps every capability unless told otherwise, and read-only mounts can be remounted.
        all.addAll(List.of("--cap-drop", "ALL"));
        if (start.purpose() == Purpose.SUPERVISED) {
            all.add("--die-with-parent");
        }
        if (!command.isAttached() || filter.isEmpty()) {
            all.add("--new-session");
        }
        all.addAll(List.of("--json-status-fd", Integer.toString(STATUS)));
        if (filter.isPresent()) {
            all.addAll(List.of("--seccomp", Integer.toString(FILTER)));
        }
        all.addAll(view.arguments(start.tmp()));
        if (bwrap.version().clearsEnvironment()) {
            all.add("--clearenv");
            environment.forEach((name, value) -> all.addAll(List.of("--setenv", name, value)));
        }
        all.addAll(List.of(
                "--chdir", command.directory().orElse(profile.workspace()).toString()));
        return all;
    }

    private static byte[] nulSeparated(List<String> arguments) {
        return (String.join("\0", arguments) + "\0").getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public Optional<String> advice(String complaint) {
        return BwrapAdvice.of(complaint).map(advice -> advice.sentence() + " (" + complaint + ")");
    }
}
