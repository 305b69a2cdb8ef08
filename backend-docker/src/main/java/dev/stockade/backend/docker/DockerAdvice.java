package dev.stockade.backend.docker;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What the complaints of Docker's client and engine mean, and what to do about them. Versions word them differently. */
final class DockerAdvice {

    /**
     * One known failure.
     *
     * @param sign what the complaint holds
     * @param reason what it means
     * @param remedy what to do
     */
    record Advice(String sign, String reason, String remedy) {

        String sentence() {
            return reason + ". " + remedy;
        }
    }

    private static final String NOT_SEEN =
            "the engine does not see a directory of this host: it runs on another machine,"
                    + " or in a virtual machine, container or package of its own (snap) that does not share it";

    private static final String SHARE =
            "Use an engine on this machine (`docker context ls`), or share the directory with it";

    private static final String NO_SHELL = "the image has no sh, which keeps its container alive";

    private static final List<Advice> KNOWN = List.of(
            new Advice(
                    "permission denied while trying to connect",
                    "this user may not talk to the engine's socket",
                    "Join its group (`usermod -aG docker USER`, then log in again; its members are as good as root), or"
                            + " use a rootless engine"),
            new Advice(
                    "Cannot connect to the Docker daemon",
                    "the engine is not running",
                    "Start it: `systemctl start docker`, or set DOCKER_HOST to where it listens"),
            new Advice(
                    "error during connect",
                    "the engine cannot be reached",
                    "Check DOCKER_HOST and `docker context ls`"),
            new Advice(
                    "unable to resolve docker endpoint",
                    "the client's context does not exist",
                    "Choose one of `docker context ls`, or unset DOCKER_CONTEXT"),
            new Advice(
                    "can't evaluate field",
                    "this docker is podman or another drop-in, which this backend does not know yet",
                    "Install Docker's own client and engine, or use another backend"),
            new Advice("bind source path does not exist", NOT_SEEN, SHARE),
            new Advice("not shared from the host", NOT_SEEN, SHARE),
            new Advice(
                    "unknown runtime specified",
                    "the engine has no such runtime",
                    "Add it to the engine's daemon.json, or leave docker.runtime out"),
            new Advice("unknown or invalid runtime name", "the engine has no such runtime", "Leave docker.runtime out"),
            new Advice(
                    "exec format error",
                    "the image is made for another processor",
                    "Pull it for this one: `docker pull --platform linux/ARCH IMAGE`"),
            new Advice(
                    "docker-init",
                    "the engine has no docker-init, which reaps what ends in a container",
                    "Install tini where the engine runs"),
            new Advice("\"sh\": executable file not found", NO_SHELL, "Choose another one by docker.image"),
            new Advice("exec sh failed: No such file", NO_SHELL, "Choose another one by docker.image"),
            new Advice(
                    "No space left on device",
                    "the engine's disk is full",
                    "Make room, say with `docker system prune`"),
            new Advice("memory limit", "the engine refuses this memory limit", "Raise limits.memory, 6 MB at least"));

    private DockerAdvice() {}

    static Optional<Advice> of(String complaint) {
        String said = complaint.toLowerCase(Locale.ROOT);
        return KNOWN.stream()
                .filter(advice -> said.contains(advice.sign().toLowerCase(Locale.ROOT)))
                .findFirst();
    }

    /** The same, for one image: the remedy for its absence names it. */
    static String sentence(String complaint, String image) {
        if (complaint.contains("No such image") || complaint.contains("Unable to find image")) {
            return "the image " + image + " is not on this machine, and nothing is fetched without being asked for."
                    + " Run `docker pull " + image + "`, or choose another one by docker.image";
        }
        String plain = complaint
                .replace("\n\nRun 'docker run --help' for more information", "")
                .replace("docker: Error response from daemon: ", "")
                .strip();
        return of(complaint)
                .map(advice -> advice.sentence() + " (" + plain + ")")
                .orElse("the container did not start: " + plain);
    }
}
