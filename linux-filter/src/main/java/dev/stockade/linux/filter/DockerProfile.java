package dev.stockade.linux.filter;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Turns decisions into Docker's JSON: the engine's default, in which the calls that are decided here are replaced. The
 * default action is {@code EPERM}, so a region with that verdict needs no rule (and runc skips one that repeats it).
 *
 * <p>Architectures stand without their 32-bit companions: a profile has one list for all of them, and on i386
 * {@code socketcall(2)} would pass every rule about sockets. Nothing here needs escaping in JSON.
 */
final class DockerProfile {

    private final List<String> rules = new ArrayList<>();

    private DockerProfile() {}

    static String write(Map<String, Decision> decisions) {
        return new DockerProfile().profile(decisions);
    }

    private String profile(Map<String, Decision> decisions) {
        allow(DockerDefaults.ALLOWED, decisions, "");
        allow(DockerDefaults.ALLOWED_SINCE_4_8, decisions, ", \"includes\": {\"minKernel\": \"4.8\"}");
        allow(DockerDefaults.ALLOWED_ON_X86_64, decisions, ", \"includes\": {\"arches\": [\"amd64\"]}");

        Map<String, Decision> conditional = new TreeMap<>(decisions);
        conditional.putIfAbsent("personality", DockerDefaults.PERSONALITY);
        conditional.forEach((call, decision) -> Region.of(decision).stream()
                .filter(region -> region.verdict() != Verdict.EPERM)
                .filter(region -> region.verdict() != Verdict.ALLOW || engineAllows(call))
                .forEach(region -> add(List.of(call), action(region.verdict()), args(region))));
        return """
            {
              "defaultAction": "SCMP_ACT_ERRNO",
              "defaultErrnoRet": 1,
              "archMap": [
                {"architecture": "SCMP_ARCH_X86_64", "subArchitectures": []},
                {"architecture": "SCMP_ARCH_AARCH64", "subArchitectures": []}
              ],
              "syscalls": [
            %s
              ]
            }
            """.formatted(String.join(",\n", rules));
    }

    private static boolean engineAllows(String call) {
        return DockerDefaults.ALLOWED.contains(call) || call.equals("personality");
    }

    private void allow(Collection<String> calls, Map<String, Decision> except, String condition) {
        Collection<String> names = new TreeSet<>(calls);
        names.removeAll(except.keySet());
        add(names, action(Verdict.ALLOW), condition);
    }

    private void add(Collection<String> names, String action, String rest) {
        String list = names.stream().map(name -> '"' + name + '"').collect(joining(", "));
        rules.add("    {\"names\": [%s], %s%s}".formatted(list, action, rest));
    }

    private static String action(Verdict verdict) {
        return verdict == Verdict.ALLOW
                ? "\"action\": \"SCMP_ACT_ALLOW\""
                : "\"action\": \"SCMP_ACT_ERRNO\", \"errnoRet\": " + verdict.errno();
    }

    private static String args(Region region) {
        if (region.bits().isEmpty()) {
            return "";
        }
        return region.bits().entrySet().stream()
                .map(fixed -> arg(fixed.getKey(), fixed.getValue()))
                .collect(joining(", ", ", \"args\": [", "]"));
    }

    private static String arg(int index, Region.Bits bits) {
        return "{\"index\": %d, \"value\": %d, \"valueTwo\": %d, \"op\": \"SCMP_CMP_MASKED_EQ\"}"
                .formatted(index, Integer.toUnsignedLong(bits.mask()), Integer.toUnsignedLong(bits.value()));
    }
}
