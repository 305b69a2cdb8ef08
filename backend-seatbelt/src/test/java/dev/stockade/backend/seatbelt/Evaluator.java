package dev.stockade.backend.seatbelt;

import dev.stockade.backend.seatbelt.SbplReader.Form;
import dev.stockade.backend.seatbelt.SbplReader.Many;
import dev.stockade.backend.seatbelt.SbplReader.Text;
import dev.stockade.backend.seatbelt.SbplReader.Word;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Decides as the sandbox would, by a profile and its parameters.
 *
 * <p>How rules compete is documented nowhere. Two readings are asked, and they must agree: the last rule that matches
 * wins, whatever it says; or (as others have measured) a rule about the operation itself beats one about its family,
 * and a rule with a filter beats one without. A profile that needs one of them to be true is an error.
 */
final class Evaluator {

    /** Operations of macOS 11 and later that profiles here may name. A misspelt one would fail the profile there. */
    private static final Set<String> OPERATIONS = Set.of(
            "default",
            "appleevent-send",
            "authorization-right-obtain",
            "distributed-notification-post",
            "file-clone",
            "file-ioctl",
            "file-link",
            "file-read*",
            "file-read-metadata",
            "file-write*",
            "file-write-create",
            "file-write-unlink",
            "ipc-posix-sem",
            "job-creation",
            "lsopen",
            "mach-host*",
            "mach-lookup",
            "mach-priv-task-port",
            "network-bind",
            "network-inbound",
            "network-outbound",
            "nvram*",
            "process-exec",
            "process-fork",
            "process-info*",
            "pseudo-tty",
            "signal",
            "sysctl-read",
            "sysctl-write",
            "system-socket",
            "user-preference-write");

    private record Rule(boolean allows, List<String> operations, List<Form> filters) {}

    private final List<Rule> rules = new ArrayList<>();
    private final Map<String, String> parameters;

    Evaluator(String text, Map<String, String> parameters) {
        this.parameters = parameters;
        List<Form> forms = SbplReader.read(text);
        if (!forms.get(0).equals(new Many(List.of(new Word("version"), new Word("1"))))) {
            throw new IllegalArgumentException("a profile begins with its version");
        }
        forms.subList(1, forms.size()).forEach(this::add);
    }

    private void add(Form form) {
        Many list = (Many) form;
        switch (list.head()) {
            case "if" -> add(list.forms().get(2)); // asks whether an operation is known, and here all are
            case "allow", "deny" -> rules.add(rule(list));
            default -> throw new IllegalArgumentException("not a rule: " + list);
        }
    }

    private static Rule rule(Many list) {
        List<String> operations = new ArrayList<>();
        List<Form> filters = new ArrayList<>();
        for (Form form : list.rest()) {
            if (form instanceof Word word) {
                if (!OPERATIONS.contains(word.name())) {
                    throw new IllegalArgumentException("no operation of macOS: " + word);
                }
                operations.add(word.name());
            } else {
                filters.add(form);
            }
        }
        return new Rule(list.head().equals("allow"), operations, filters);
    }

    boolean allows(Act act) {
        boolean byOrder = byOrder(act);
        if (byOrder != bySpecificity(act)) {
            throw new AssertionError("the readings differ about " + act + ": by order " + byOrder);
        }
        return byOrder;
    }

    private boolean byOrder(Act act) {
        List<String> families = families(act.operation());
        boolean allowed = false;
        for (Rule rule : rules) {
            boolean covers = rule.operations.stream().anyMatch(families::contains);
            if (covers && (rule.filters.isEmpty() || matchesAny(rule.filters, act))) {
                allowed = rule.allows;
            }
        }
        return allowed;
    }

    private boolean bySpecificity(Act act) {
        for (String operation : families(act.operation())) {
            Optional<Boolean> filtered = Optional.empty();
            Optional<Boolean> general = Optional.empty();
            for (Rule rule : rules) {
                if (!rule.operations.contains(operation)) {
                    continue;
                }
                if (rule.filters.isEmpty()) {
                    general = Optional.of(rule.allows);
                } else if (matchesAny(rule.filters, act)) {
                    filtered = Optional.of(rule.allows);
                }
            }
            Optional<Boolean> decided = filtered.isPresent() ? filtered : general;
            if (decided.isPresent()) {
                return decided.get();
            }
        }
        return false;
    }

    /** An operation and what stands for it and others, the narrowest first: file-read-data, file-read*, file*. */
    private static List<String> families(String operation) {
        List<String> families = new ArrayList<>(List.of(operation));
        for (int dash = operation.lastIndexOf('-'); dash > 0; dash = operation.lastIndexOf('-', dash - 1)) {
            families.add(operation.substring(0, dash) + "*");
        }
        families.add("default");
        return families;
    }

    private boolean matchesAny(List<Form> filters, Act act) {
        return filters.stream().anyMatch(filter -> matches((Many) filter, act));
    }

    private boolean matches(Many filter, Act act) {
        Map<String, String> subject = act.subject();
        return switch (filter.head()) {
            case "require-all" -> filter.rest().stream().allMatch(part -> matches((Many) part, act));
            case "literal" -> value(filter).equals(subject.get("path"));
            case "subpath" -> subject.containsKey("path") && isWithin(subject.get("path"), value(filter));
            case "path-ancestors" -> subject.containsKey("path") && isWithin(value(filter), subject.get("path"));
            case "regex" ->
                subject.containsKey("path")
                        && pattern(value(filter)).matcher(subject.get("path")).find();
            case "global-name" -> value(filter).equals(subject.get("service"));
            case "sysctl-name" -> value(filter).equals(subject.get("kernel-value"));
            case "sysctl-name-prefix" ->
                subject.getOrDefault("kernel-value", "").startsWith(value(filter));
            case "socket-domain" -> filter.rest().equals(List.of(new Word(subject.getOrDefault("domain", ""))));
            case "socket-protocol" -> true;
            case "extension" -> false; // nobody hands out extensions
            case "target" -> "same-sandbox".equals(subject.get("target"));
            case "remote", "local" -> matchesSocket(filter, subject);
            default -> throw new IllegalArgumentException("no filter of macOS: " + filter);
        };
    }

    private boolean matchesSocket(Many filter, Map<String, String> subject) {
        String side = filter.head();
        if (filter.rest().get(0).equals(new Word("ip"))) {
            String address = subject.get(side + "-ip");
            String where = text(filter.rest().get(1));
            return address != null && (where.equals("*:*") || (isLoopback(address) && where.equals("localhost:*")));
        }
        String path = subject.get(side + "-unix");
        return path != null && matches((Many) filter.rest().get(1), Act.file("network", path));
    }

    /** Not the loopback of IPv4 as IPv6 spells it: the sandbox does not take that for localhost. */
    private static boolean isLoopback(String address) {
        return address.startsWith("127.0.0.1:") || address.startsWith("[::1]:");
    }

    private String value(Many filter) {
        return text(filter.rest().get(0));
    }

    private String text(Form form) {
        if (form instanceof Text text) {
            return text.value();
        }
        Many list = (Many) form;
        String name = ((Text) list.rest().get(0)).value();
        return Objects.requireNonNull(parameters.get(name), () -> "no parameter " + name);
    }

    private static boolean isWithin(String path, String tree) {
        return path.equals(tree) || path.startsWith(tree.equals("/") ? tree : tree + "/");
    }

    /** In Java alone, a dollar sign also matches before a newline that ends the text. */
    private static Pattern pattern(String expression) {
        StringBuilder java = new StringBuilder();
        for (int i = 0; i < expression.length(); i++) {
            char c = expression.charAt(i);
            if (c == '\\') {
                java.append(c).append(expression.charAt(++i));
            } else {
                java.append(c == '$' ? "\\z" : String.valueOf(c));
            }
        }
        return Pattern.compile(java.toString());
    }
}
