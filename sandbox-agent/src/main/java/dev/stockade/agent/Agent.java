package dev.stockade.agent;

import dev.stockade.api.Backends;
import java.nio.file.Path;

/**
 * {@code -javaagent:sandbox-agent.jar[=OPTIONS]}, also in JAVA_TOOL_OPTIONS: confines the JVM before its program starts.
 * What stands in the way ends the JVM with status 125.
 */
public final class Agent {

    private Agent() {}

    /**
     * What the JVM calls.
     *
     * @param options the text behind the equals sign, empty if there is none: {@link Wish}
     */
    public static void premain(@org.jspecify.annotations.Nullable String options) {
        confine(options == null ? "" : options);
    }

    static void confine(String options) {
        try {
            Wish wish = Wish.of(options, System.getenv());
            wish.profile(Path.of(""))
                    .map(profile -> among(wish).confineThisJvm(profile))
                    .ifPresent(boundary ->
                            boundary.notices().forEach(notice -> System.err.println("stockade: notice: " + notice)));
        } catch (RuntimeException e) {
            // Whatever it is: nothing may go on as if it were confined.
            System.err.println("stockade: " + (e.getMessage() == null ? e : e.getMessage()));
            System.exit(125);
        }
    }

    private static Backends among(Wish wish) {
        Backends installed = Backends.installed();
        return wish.backend().map(installed::only).orElse(installed);
    }
}
