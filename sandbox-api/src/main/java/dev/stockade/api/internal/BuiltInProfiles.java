package dev.stockade.api.internal;

import dev.stockade.api.Network;
import dev.stockade.api.Profile;
import dev.stockade.api.Profile.Reads;
import dev.stockade.api.Profile.Tmp;
import dev.stockade.api.spi.Host;
import dev.stockade.api.spi.ProfileProvider;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The profiles that need no file: constants, so that nobody reads a configuration to get one. */
public final class BuiltInProfiles implements ProfileProvider {

    private static final SortedMap<String, String> NAMES = Collections.unmodifiableSortedMap(new TreeMap<>(Map.of(
            "strict",
            "the workspace and a read-only operating system, no network (the default)",
            "read-only",
            "as strict, and nothing can be written, not even in the workspace",
            "build",
            "all of the host but credentials is readable, package caches are writable, the network is a local one",
            "write-guard",
            "everything is readable and the network is on, but only the workspace and /tmp can be written; stops"
                    + " accidents, not attackers")));

    /** For the service loader. */
    public BuiltInProfiles() {}

    @Override
    public SortedMap<String, String> names() {
        return NAMES;
    }

    @Override
    public Profile profile(String name, Path workspace, Host host) {
        Profile.Builder words = Profile.builder(workspace);
        return switch (name) {
            case "strict" -> words.build();
            case "read-only" -> words.workspaceReadOnly().build();
            case "build" -> BuildProfile.of(words.build(), host);
            case "write-guard" ->
                words.reads(Reads.HOST)
                        .network(Network.ON)
                        .tmp(Tmp.SHARED)
                        .env(names(host.environment()))
                        .build();
            default -> throw new IllegalArgumentException("there is no built-in profile \"" + name + "\"");
        };
    }

    /** It keeps nothing from being read, variables included. */
    private static String[] names(Map<String, String> environment) {
        return environment.keySet().stream()
                .filter(name -> !name.isEmpty() && name.indexOf('=') < 0)
                .toArray(String[]::new);
    }
}
