package dev.stockade.api.internal;

import dev.stockade.api.Profile;
import dev.stockade.api.spi.Host;
import dev.stockade.api.spi.ProfileProvider;
import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The profiles that need no file: constants, so that nobody reads a configuration to get one. */
public final class BuiltInProfiles implements ProfileProvider {

    /** For the service loader. */
    public BuiltInProfiles() {}

    @Override
    public SortedMap<String, String> names() {
        return new TreeMap<>(
                Map.of("strict", "the workspace and a read-only operating system, no network (the default)"));
    }

    @Override
    public Profile profile(String name, Path workspace, Host host) {
        if (!name.equals("strict")) {
            throw new IllegalArgumentException("there is no built-in profile \"" + name + "\"");
        }
        return Profile.builder(workspace).build();
    }
}
