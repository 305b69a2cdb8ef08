package dev.stockade.api.spi;

import dev.stockade.api.Profile;
import dev.stockade.api.internal.InstalledProfiles;
import java.nio.file.Path;
import java.util.SortedMap;

/**
 * Gives named profiles. Found by {@link java.util.ServiceLoader}; stateless and thread-safe, with a public constructor
 * that takes and does nothing.
 */
public interface ProfileProvider {

    /**
     * The profiles that are installed, built in or not. One whose provider cannot be loaded is left out; a name that
     * two providers give belongs to neither: asking for its profile fails and says who they are.
     *
     * @return who gives a profile, by its name
     */
    static SortedMap<String, ProfileProvider> installed() {
        return InstalledProfiles.byName();
    }

    /**
     * The profiles it has.
     *
     * @return a sentence about each, by name
     */
    SortedMap<String, String> names();

    /**
     * Makes one of them for a workspace.
     *
     * @param name one of {@link #names()}
     * @param workspace an existing directory
     * @param host the facts
     * @return the profile
     * @throws IllegalArgumentException for another name, or a workspace that cannot be one
     */
    Profile profile(String name, Path workspace, Host host);
}
