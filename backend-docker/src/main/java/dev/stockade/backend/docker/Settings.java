package dev.stockade.backend.docker;

import dev.stockade.api.Profile;
import dev.stockade.api.spi.Assessment.Refusal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What only this backend understands.
 *
 * @param image what is around the host's files
 * @param runtime what runs containers; the engine's own if empty
 * @param reuse whether the container of one command is kept for the next
 */
record Settings(String image, Optional<String> runtime, boolean reuse) {

    private static final String IMAGE = "docker.image";
    private static final String RUNTIME = "docker.runtime";
    private static final String REUSE = "docker.reuse";
    private static final String DEFAULT_IMAGE = "debian:stable-slim";

    static Settings of(Profile profile) {
        Map<String, String> set = profile.settings();
        return new Settings(
                set.getOrDefault(IMAGE, DEFAULT_IMAGE),
                Optional.ofNullable(set.get(RUNTIME)),
                Boolean.parseBoolean(set.getOrDefault(REUSE, "true")));
    }

    static Map<String, String> help() {
        Map<String, String> help = new LinkedHashMap<>();
        help.put("image", "the image with the operating system and programs of the command (" + DEFAULT_IMAGE + ")");
        help.put("runtime", "what runs containers, such as runsc for gVisor (the engine's own)");
        help.put("reuse", "true to run one command after the other in a kept container, false for one each (true)");
        return help;
    }

    /** Nothing that could be taken for an option gets into the client's arguments. */
    static List<Refusal> refused(Profile profile) {
        List<Refusal> refused = new ArrayList<>();
        Map<String, String> set = profile.settings();
        if (!set.getOrDefault(IMAGE, DEFAULT_IMAGE).matches("[A-Za-z0-9][A-Za-z0-9._/:@-]*")) {
            refused.add(new Refusal(IMAGE, "this is no image's name; write name:tag or name@sha256:digest"));
        }
        if (!set.getOrDefault(RUNTIME, "runc").matches("[A-Za-z0-9][A-Za-z0-9._-]*")) {
            refused.add(new Refusal(RUNTIME, "this is no runtime's name; write one of `docker info`"));
        }
        if (!List.of("true", "false").contains(set.getOrDefault(REUSE, "true"))) {
            refused.add(new Refusal(REUSE, "write true or false"));
        }
        return refused;
    }
}
