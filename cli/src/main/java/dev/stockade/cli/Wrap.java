package dev.stockade.cli;

import dev.stockade.api.Backends;
import dev.stockade.api.Command;
import dev.stockade.api.spi.Host;
import dev.stockade.api.spi.Launch;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * {@code stockade wrap}: prints the line that does the same as {@code stockade run} here, wherever it is started from.
 *
 * @param arguments the command line
 * @param backends those installed
 * @param host this machine
 */
record Wrap(Arguments arguments, Backends backends, Host host) implements Action {

    /** How this program was started, as the launcher tells it. */
    private static final String LAUNCHER = "stockade.launcher";

    @Override
    public int perform(Console console) {
        Request request = Request.of(arguments, backends, host);
        if (!request.variables().isEmpty()) {
            throw new UsageException(
                    "--env " + request.variables().keySet().iterator().next()
                            + "=...: what wrap prints is read by others, so it holds no values; give the name alone, and the"
                            + " value to whatever starts the line");
        }
        request.warnings().forEach(console::say);
        Command command = request.command(arguments.operands());
        // What run would refuse is refused now.
        Optional<Launch> launch = request.backends().plan(request.loaded().profileFor(command, host), command);
        if (arguments.has(Option.MECHANISM)) {
            Mechanism mechanism = Mechanism.of(
                    launch.orElseThrow(() ->
                            new UsageException("this backend has no command line of its own; leave --mechanism out")),
                    request.profile(),
                    host);
            console.out().print(arguments.has(Option.JSON) ? Json.text(mechanism.toJson()) : mechanism.text());
            return 0;
        }
        List<String> line = line(request);
        if (arguments.has(Option.JSON)) {
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("command", line.get(0));
            json.put("args", line.subList(1, line.size()));
            console.out().print(Json.text(json));
        } else {
            console.out().println(ShellWords.line(line));
        }
        return 0;
    }

    private List<String> line(Request request) {
        List<String> line = new ArrayList<>(List.of(System.getProperty(LAUNCHER, "stockade"), Verb.RUN.word()));
        add(line, Option.WORKSPACE, request.profile().workspace().toString());
        request.directory()
                .filter(directory -> !directory.equals(request.profile().workspace()))
                .ifPresent(directory -> add(line, Option.CWD, directory.toString()));
        for (Option option : Option.of(Verb.RUN)) {
            if (option == Option.WORKSPACE || option == Option.CWD) {
                continue;
            }
            for (String value : arguments.all(option)) {
                add(
                        line,
                        option,
                        isPath(option, value) ? Request.path(value, host).toString() : value);
            }
        }
        line.add("--");
        line.addAll(arguments.operands());
        return line;
    }

    private static boolean isPath(Option option, String value) {
        return option.isPath() || (option == Option.PROFILE && Request.isFile(value));
    }

    private static void add(List<String> line, Option option, String value) {
        if (!option.takesArgument()) {
            line.add(option.word());
        } else if (value.startsWith("--")) {
            line.add(option.word() + "=" + value);
        } else {
            line.add(option.word());
            line.add(value);
        }
    }
}
