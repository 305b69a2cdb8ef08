package dev.stockade.backend.seatbelt;

import dev.stockade.api.Command;
import dev.stockade.api.Profile;
import dev.stockade.api.Profile.Reads;
import dev.stockade.api.Profile.Tmp;
import dev.stockade.api.spi.Host;
import dev.stockade.api.spi.Launch;
import dev.stockade.api.spi.Planner.Plan;
import dev.stockade.api.spi.Planner.Purpose;
import dev.stockade.api.spi.Planner.Start;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A profile, written once for starts with a temporary directory and once for those without. */
record SeatbeltPlan(Profile profile, Host host, MacGrants grants, Sbpl.Finished withTmp, Sbpl.Finished withoutTmp)
        implements Plan {

    /** Homebrew's places are not in macOS's own default. */
    private static final String PATH = "/usr/local/bin:/opt/homebrew/bin:/usr/bin:/bin:/usr/sbin:/sbin";

    /** An empty directory of the system's: a home that cannot be read makes git give up, one that is empty does not. */
    private static final String NO_HOME = "/var/empty";

    static SeatbeltPlan of(Profile profile, Host host) {
        return new SeatbeltPlan(
                profile,
                host,
                MacGrants.of(profile, host),
                SeatbeltProfile.of(profile, host, true),
                SeatbeltProfile.of(profile, host, false));
    }

    @Override
    public Launch launch(Command command, Start start) {
        Optional<String> tmp =
                start.tmp().filter(path -> profile.tmp() == Tmp.PRIVATE).map(MacPaths::canonical);
        Map<String, String> environment = host.environmentFor(profile, command, fixed(tmp));
        Path directory = command.directory().orElse(profile.workspace());
        command.resolveExecutable(directory, environment.getOrDefault("PATH", ""), grants::shows);
        List<String> argv = new ArrayList<>(confinement(tmp));
        argv.addAll(command.argv());
        Launch launch = Launch.of(argv, environment, directory);
        return start.purpose() == Purpose.WRAPPED ? launch.settingEnvironmentByShell(start.scratch()) : launch;
    }

    /** What is executed in front of the command: {@code sandbox-exec} passes its environment through. */
    private List<String> confinement(Optional<String> tmp) {
        Sbpl.Finished rules = tmp.isPresent() ? withTmp : withoutTmp;
        Map<String, String> parameters = new TreeMap<>(rules.parameters());
        tmp.ifPresent(path -> parameters.put(SeatbeltProfile.TMP, path));
        List<String> argv = new ArrayList<>(List.of(SeatbeltBackend.SANDBOX_EXEC, "-p", rules.text()));
        parameters.forEach((name, value) -> argv.add("-D" + name + "=" + value));
        argv.add("--");
        return argv;
    }

    private Map<String, String> fixed(Optional<String> tmp) {
        Map<String, String> fixed = new LinkedHashMap<>();
        fixed.put("PATH", PATH);
        fixed.put("HOME", profile.reads() == Reads.HOST ? host.home().toString() : tmp.orElse(NO_HOME));
        tmp.ifPresent(path -> List.of("TMPDIR", "TMP", "TEMP").forEach(name -> fixed.put(name, path)));
        return fixed;
    }

    @Override
    public Optional<String> advice(String complaint) {
        return complaint.contains("sandbox-exec: ") || complaint.contains("sandbox_apply")
                ? Optional.of("sandbox-exec refused: " + complaint + ". " + remedy(complaint))
                : Optional.empty();
    }

    /** What to do about a complaint of {@code sandbox-exec}'s. */
    static String remedy(String complaint) {
        if (complaint.contains("sandbox_apply: Operation not permitted")) {
            return "This process is confined already, and macOS does not nest sandboxes: start it outside";
        }
        return complaint.contains("unbound variable") || complaint.contains("undefined")
                ? "This macOS does not know a word of the profile: update it, and please report the message"
                : "Please report the message with the version of macOS";
    }
}
