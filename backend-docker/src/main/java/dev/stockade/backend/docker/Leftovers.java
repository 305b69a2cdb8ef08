package dev.stockade.backend.docker;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Removes what crashed processes of this user have left; nothing that anybody else has made. */
final class Leftovers {

    private static final Set<Path> SWEPT = ConcurrentHashMap.newKeySet();
    private static final Pattern NAME = Pattern.compile("\"Names\":\\[\"/(stockade-[0-9a-f-]+)\"");

    private Leftovers() {}

    /** Once for each engine and JVM. */
    static void sweep(Setup setup) {
        if (SWEPT.add(setup.engine().socket())) {
            ContainerName.owner(setup.host())
                    .ifPresent(owner -> sweep(setup.engine().connect(), owner));
        }
    }

    static void sweep(EngineSocket engine, String owner) {
        String filter = "{\"label\":[" + Json.string(KeeperPlan.LABEL + "=" + owner) + "]}";
        try {
            String query = "?all=true&filters=" + URLEncoder.encode(filter, StandardCharsets.UTF_8);
            Matcher names = NAME.matcher(
                    engine.call("GET", "/containers/json" + query, "").body());
            while (names.find()) {
                if (ContainerName.isAbandoned(names.group(1))) {
                    KeptContainer.remove(engine, names.group(1));
                }
            }
        } catch (IOException e) {
            // A courtesy: whether the engine works is found out next.
        }
    }
}
