package dev.stockade.api.spi;

import dev.stockade.api.Capabilities;
import java.util.List;

/**
 * What a backend says about a profile.
 *
 * @param refused every part that it cannot hold; empty if it can hold all
 * @param capabilities what a command could still do; the library opens what the profile itself grants
 */
public record Assessment(List<Refusal> refused, Capabilities capabilities) {

    /**
     * One part that cannot be held.
     *
     * @param key the part, by its name in a configuration file, such as {@code limits.memory}
     * @param why why not, and what to do: a sentence for people
     */
    public record Refusal(String key, String why) {}

    /**
     * Copies what it is given.
     *
     * @param refused the refusals
     * @param capabilities the claims
     */
    public Assessment {
        refused = List.copyOf(refused);
    }

    /**
     * Nothing is refused.
     *
     * @param capabilities what a command could still do
     * @return the assessment
     */
    public static Assessment holds(Capabilities capabilities) {
        return new Assessment(List.of(), capabilities);
    }
}
