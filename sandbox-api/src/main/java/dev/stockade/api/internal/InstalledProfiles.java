package dev.stockade.api.internal;

import dev.stockade.api.Profile;
import dev.stockade.api.spi.Host;
import dev.stockade.api.spi.ProfileProvider;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The named profiles that the service loader finds. */
public final class InstalledProfiles {

    private static final class Found {
        static final Services<ProfileProvider> OWN = Services.own(ProfileProvider.class);
    }

    private InstalledProfiles() {}

    /** Who gives each. */
    public static SortedMap<String, ProfileProvider> byName() {
        return byName(Services.visible(ProfileProvider.class, Found.OWN).usable());
    }

    /** Who gives this one. */
    public static ProfileProvider named(String name) {
        ProfileProvider provider = byName().get(name);
        if (provider == null) {
            throw new IllegalArgumentException(
                    "there is no profile \"" + name + "\"; installed are " + String.join(", ", byName().keySet()));
        }
        return provider;
    }

    static SortedMap<String, ProfileProvider> byName(List<ProfileProvider> providers) {
        SortedMap<String, ProfileProvider> byName = new TreeMap<>();
        for (ProfileProvider provider : providers) {
            for (Map.Entry<String, String> given : provider.names().entrySet()) {
                byName.merge(given.getKey(), provider, (a, b) -> new Disputed(given, a, b));
            }
        }
        return Collections.unmodifiableSortedMap(byName);
    }

    /** A name that nobody can say the meaning of. */
    private record Disputed(Map.Entry<String, String> given, ProfileProvider one, ProfileProvider other)
            implements ProfileProvider {

        @Override
        public SortedMap<String, String> names() {
            return new TreeMap<>(Map.of(given.getKey(), "given twice, and so not usable"));
        }

        @Override
        public Profile profile(String name, Path workspace, Host host) {
            throw new IllegalArgumentException("the profile \"" + name + "\" is given both by " + origin(one)
                    + " and by " + origin(other) + ": remove one of them");
        }

        private static String origin(ProfileProvider provider) {
            return provider instanceof Disputed disputed
                    ? origin(disputed.one) + " and " + origin(disputed.other)
                    : provider.getClass().getName();
        }
    }
}
