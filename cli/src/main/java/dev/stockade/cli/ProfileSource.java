package dev.stockade.cli;

import dev.stockade.api.Profile;
import dev.stockade.api.spi.Host;
import dev.stockade.api.spi.ProfileProvider;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableMap;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.TreeMap;

/** Where profiles come from: by name from whoever provides them. */
final class ProfileSource {

    private ProfileSource() {}

    static Profile of(String nameOrFile, Path workspace, Host host) {
        if (nameOrFile.contains("/") || nameOrFile.endsWith(".toml")) {
            throw new UsageException("--profile " + nameOrFile + ": profile files are not supported yet; name one of "
                    + String.join(", ", names().keySet()) + " and add options to it");
        }
        for (ProfileProvider provider : providers()) {
            if (provider.names().containsKey(nameOrFile)) {
                return provider.profile(nameOrFile, workspace, host);
            }
        }
        List<String> known = List.copyOf(names().keySet());
        throw new UsageException("there is no profile \"" + nameOrFile + "\"" + Nearest.hint(nameOrFile, known)
                + ". Profiles are " + String.join(", ", known));
    }

    /** A sentence about each, by name. */
    static NavigableMap<String, String> names() {
        NavigableMap<String, String> all = new TreeMap<>();
        for (ProfileProvider provider : providers()) {
            provider.names().forEach(all::putIfAbsent);
        }
        return all;
    }

    /** One that cannot be loaded keeps no other from being found. */
    private static List<ProfileProvider> providers() {
        List<ProfileProvider> found = new ArrayList<>();
        Iterator<ProfileProvider> all =
                ServiceLoader.load(ProfileProvider.class).iterator();
        for (int failures = 0; failures < 10; ) {
            try {
                if (!all.hasNext()) {
                    break;
                }
                found.add(all.next());
            } catch (ServiceConfigurationError | LinkageError e) {
                failures++;
            }
        }
        return found;
    }
}
