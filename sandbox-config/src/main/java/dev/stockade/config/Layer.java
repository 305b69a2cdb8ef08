package dev.stockade.config;

import java.util.List;
import java.util.Map;

/**
 * What one source says.
 *
 * @param sandbox what holds if this source is read
 * @param profiles what holds if one of its profiles is chosen, by name
 */
record Layer(List<Entry> sandbox, Map<String, List<Entry>> profiles) {

    Layer {
        sandbox = List.copyOf(sandbox);
        profiles = Map.copyOf(profiles);
    }
}
