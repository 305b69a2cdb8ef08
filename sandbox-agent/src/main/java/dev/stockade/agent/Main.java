package dev.stockade.agent;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;

/**
 * {@code java -cp sandbox-agent.jar:app.jar dev.stockade.agent.Main [--OPTIONS] CLASS [ARGUMENT...]}: confines the JVM and
 * then calls the {@code main} of a class.
 */
public final class Main {

    private Main() {}

    /**
     * Confines and calls.
     *
     * @param arguments options as {@link Agent} takes them, after two dashes; the class; its arguments
     * @throws Throwable what that class's {@code main} throws
     */
    public static void main(String[] arguments) throws Throwable {
        boolean options = arguments.length > 0 && arguments[0].startsWith("--");
        int at = options ? 1 : 0;
        if (arguments.length <= at) {
            System.err.println("stockade: which program? Give the name of its main class, and its arguments after it");
            System.exit(125);
        }
        Agent.confine(options ? arguments[0].substring(2) : "");
        Method main = find(arguments[at]);
        try {
            main.invoke(null, (Object) Arrays.copyOfRange(arguments, at + 1, arguments.length));
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }

    private static Method find(String name) {
        try {
            Method main = Class.forName(name, true, ClassLoader.getSystemClassLoader())
                    .getMethod("main", String[].class);
            if (Modifier.isStatic(main.getModifiers())) {
                return main;
            }
        } catch (ReflectiveOperationException e) {
            // Told below.
        }
        System.err.println("stockade: there is no class " + name
                + " with a public static main(String[]) on the class path: check the name, or use the agent");
        System.exit(127);
        throw new AssertionError();
    }
}
