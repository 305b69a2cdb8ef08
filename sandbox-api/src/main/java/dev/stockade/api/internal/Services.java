package dev.stockade.api.internal;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/**
 * What a service loader finds, with the failure of one provider kept from the others.
 *
 * @param usable the providers that could be made
 * @param broken what went wrong with each of the others
 */
public record Services<S>(List<S> usable, List<Throwable> broken) {

    /** A loader that fails without end is left after this many failures. */
    private static final int PATIENCE = 100;

    /**
     * Loads. Both {@code hasNext} and {@code next} may fail for one provider and go on to the next one: on the class
     * path a provider compiled for a newer Java throws a raw {@link LinkageError} from {@code hasNext}. The loader's
     * {@code stream()} would fail as a whole.
     */
    public static <S> Services<S> load(ServiceLoader<S> loader) {
        List<S> usable = new ArrayList<>();
        List<Throwable> broken = new ArrayList<>();
        Iterator<S> providers = loader.iterator();
        while (broken.size() < PATIENCE) {
            try {
                if (!providers.hasNext()) {
                    break;
                }
                usable.add(providers.next());
            } catch (ServiceConfigurationError | LinkageError e) {
                broken.add(e);
            }
        }
        return new Services<>(List.copyOf(usable), List.copyOf(broken));
    }
}
