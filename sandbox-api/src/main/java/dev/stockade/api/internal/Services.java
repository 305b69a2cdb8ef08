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
     * What the calling thread can see: what this library's own class loader sees, and what only the thread's does, as
     * in an application server whose library it is. A thread without a class loader, or with a stranger's, loses
     * nothing by that.
     *
     * @param own what {@link #own} gave
     */
    public static <S> Services<S> visible(Class<S> service, Services<S> own) {
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        if (context == null || context.equals(Services.class.getClassLoader())) {
            return own;
        }
        Services<S> more = load(ServiceLoader.load(service, context));
        List<S> usable = new ArrayList<>(own.usable());
        more.usable().stream()
                .filter(found -> own.usable().stream().noneMatch(known -> known.getClass() == found.getClass()))
                .forEach(usable::add);
        List<Throwable> broken = new ArrayList<>(own.broken());
        more.broken().stream()
                .filter(found ->
                        own.broken().stream().noneMatch(known -> said(known).equals(said(found))))
                .forEach(broken::add);
        return new Services<>(List.copyOf(usable), List.copyOf(broken));
    }

    /** What this library's own class loader sees, which does not change. */
    public static <S> Services<S> own(Class<S> service) {
        ModuleLayer layer = Services.class.getModule().getLayer();
        // Without a class path there are none but modules. The loader would look for files that name others all the
        // same, in every module of the image, which takes as long as all else that a command line does.
        boolean nothingButModules = ModuleLayer.boot().equals(layer)
                && System.getProperty("java.class.path", "").isEmpty();
        return load(
                nothingButModules
                        ? ServiceLoader.load(layer, service)
                        : ServiceLoader.load(service, Services.class.getClassLoader()));
    }

    /** What went wrong, for people. */
    public static String said(Throwable failure) {
        Throwable cause = failure.getCause();
        String message = failure.getMessage() == null ? failure.toString() : failure.getMessage();
        return cause == null ? message : message + " (" + cause + ")";
    }

    /**
     * Loads. Both {@code hasNext} and {@code next} may fail for one provider and go on to the next one: on the class
     * path a provider compiled for a newer Java throws a raw {@link LinkageError} from {@code hasNext}. The loader's
     * {@code stream()} would fail as a whole.
     */
    static <S> Services<S> load(ServiceLoader<S> loader) {
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
