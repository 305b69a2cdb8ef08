package dev.stockade.backend.docker;

import dev.stockade.api.Availability;
import dev.stockade.api.Availability.Available;
import dev.stockade.api.Availability.Unavailable;
import dev.stockade.api.spi.Host;
import dev.stockade.api.spi.Host.Printed;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The engine that the client of this host talks to.
 *
 * @param client the executable
 * @param socket the engine's, by which client and this backend reach it
 * @param version its version
 * @param processors how many there are to hand out
 * @param limits what it can limit, by the keys of a profile
 * @param security what {@code docker info} lists, such as {@code name=rootless}, as it stands there
 */
record Engine(Path client, Path socket, String version, int processors, List<String> limits, String security) {

    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final String UNIX = "unix://";

    /**
     * Which engine the client would use (DOCKER_HOST, contexts), and what that engine says of itself. Clients before 23
     * put what went wrong into the template's data and end with 0, later ones print it and end with 1.
     */
    private static final String PROBE = "\"$1\" context inspect --format 'endpoint|{{.Endpoints.docker.Host}}';"
            + " exec \"$1\" info --format '{{if .Info}}engine|{{.ServerVersion}}|{{.OSType}}|{{.NCPU}}|{{.MemoryLimit}}"
            + "|{{.CPUCfsQuota}}|{{.PidsLimit}}|{{json .SecurityOptions}}{{end}}{{range .ServerErrors}}\n{{.}}{{end}}'";

    /** The engine, if one can be used. */
    static Optional<Engine> of(Host host) {
        return host.find("docker")
                .flatMap(client ->
                        probe(client, host).filter(Engine::answered).flatMap(printed -> parse(client, printed.text())));
    }

    static Availability availability(Host host) {
        Optional<Path> client = host.find("docker");
        if (client.isEmpty()) {
            return new Unavailable(
                    "docker is not installed",
                    "Install Docker Engine, or Debian's `apt-get install docker.io`, or Docker Desktop");
        }
        Optional<Printed> printed = probe(client.get(), host);
        if (printed.isEmpty()) {
            return new Unavailable(
                    "the Docker engine does not answer within " + LIMIT.toSeconds() + " s", "Try `docker info`");
        }
        String text = printed.get().text();
        Optional<String> endpoint = field("endpoint", 1, text);
        if (endpoint.isPresent() && !endpoint.get().startsWith(UNIX)) {
            return new Unavailable(
                    "the engine is reached by " + endpoint.get() + ", so it may run on another machine, which would not"
                            + " see the workspace",
                    "Use an engine with a Unix socket on this machine: `docker context use default`, or set"
                            + " DOCKER_HOST=unix:///path");
        }
        if (!answered(printed.get())) {
            String complaint = text.replaceAll("(?m)^(endpoint\\||engine\\||WARNING: ).*\\n?", "")
                    .strip();
            return DockerAdvice.of(complaint)
                    .map(advice -> new Unavailable(advice.reason() + " (" + complaint + ")", advice.remedy()))
                    .orElseGet(() -> new Unavailable("docker fails: " + complaint, "Mend what it complains of"));
        }
        String system = field("engine", 2, text).orElse("");
        if (!system.equals("linux")) {
            return new Unavailable(
                    "the engine runs containers of " + (system.isEmpty() ? "an unknown system" : system),
                    "Switch it to Linux containers");
        }
        return parse(client.get(), text)
                .<Availability>map(
                        engine -> new Available("Docker engine " + engine.version() + " at " + UNIX + engine.socket()))
                .orElseGet(
                        () -> new Unavailable("docker printed what is not understood: " + text.strip(), "Update it"));
    }

    private static boolean answered(Printed printed) {
        return printed.status() == 0
                && field("engine", 1, printed.text())
                        .filter(version -> !version.isEmpty())
                        .isPresent();
    }

    private static Optional<Printed> probe(Path client, Host host) {
        return host.output(LIMIT, List.of("/bin/sh", "-c", PROBE, "sh", client.toString()));
    }

    private static Optional<Engine> parse(Path client, String text) {
        try {
            String socket = field("endpoint", 1, text).orElse("");
            if (!socket.startsWith(UNIX)) {
                return Optional.empty();
            }
            List<String> known = List.of("memory", "cpus", "processes");
            List<String> limits = known.stream()
                    .filter(limit -> field("engine", 4 + known.indexOf(limit), text)
                            .filter("true"::equals)
                            .isPresent())
                    .toList();
            return Optional.of(new Engine(
                    client,
                    client.getFileSystem().getPath(socket.substring(UNIX.length())),
                    field("engine", 1, text).orElseThrow(),
                    Integer.parseInt(field("engine", 3, text).orElseThrow()),
                    limits,
                    field("engine", 7, text).orElse("")));
        } catch (NumberFormatException | java.util.NoSuchElementException e) {
            return Optional.empty();
        }
    }

    private static Optional<String> field(String line, int index, String text) {
        return text.lines()
                .filter(each -> each.startsWith(line + "|"))
                .map(each -> each.split(Pattern.quote("|"), -1))
                .filter(fields -> fields.length > index)
                .map(fields -> fields[index])
                .findFirst();
    }

    String host() {
        return UNIX + socket;
    }

    /**
     * The client's arguments up to its verb. Its configuration is an empty directory: the user's own could add variables
     * (of proxies) to a container, and a HOME that a command was given could lead to one in the workspace.
     */
    List<String> client(Path configuration) {
        return List.of(client.toString(), "--config", configuration.toString(), "--host", host());
    }

    EngineSocket connect() {
        return new EngineSocket(socket);
    }

    /** Whether it installs seccomp filters. */
    boolean filters() {
        return security.contains("name=seccomp");
    }

    /** Whether it runs as an ordinary user, who is uid 0 in its containers. */
    boolean rootless() {
        return security.contains("name=rootless");
    }

    /** Whether uid 1000 inside is somebody else outside. */
    boolean remapsUsers() {
        return security.contains("name=userns");
    }
}
