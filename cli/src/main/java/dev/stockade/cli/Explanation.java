package dev.stockade.cli;

import dev.stockade.api.Availability;
import dev.stockade.api.Backends.Verdict;
import dev.stockade.api.Capabilities;
import dev.stockade.api.Network;
import dev.stockade.api.Profile;
import dev.stockade.api.Profile.Access;
import dev.stockade.api.Profile.Grant;
import dev.stockade.api.Reach;
import dev.stockade.config.Loaded;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * What there is to say about a request.
 *
 * @param profile what was asked for
 * @param variables the names of the variables that the command gets beside the fixed ones
 * @param chosen the backend that would hold it, if one would
 * @param others what the other backends say
 * @param automatic the backends that need not be named
 * @param rules everything that holds, with who said so
 * @param notices what would be skipped or added
 */
record Explanation(
        Profile profile,
        List<String> variables,
        Optional<Verdict> chosen,
        List<Verdict> others,
        List<String> automatic,
        List<Loaded.Rule> rules,
        List<String> notices) {

    static Explanation of(Request request) {
        Profile profile = request.profile();
        Optional<String> named = request.named();
        List<String> automatic = request.backends().automatic();
        Optional<Verdict> chosen = Optional.empty();
        List<Verdict> others = new ArrayList<>();
        for (Verdict verdict : request.backends().verdicts(profile)) {
            boolean mayBe = named.map(verdict.backend()::equals).orElse(automatic.contains(verdict.backend()));
            if (chosen.isEmpty() && mayBe && verdict.holds()) {
                chosen = Optional.of(request.timeout().isPresent() ? verdict : handedOver(verdict));
            } else {
                others.add(verdict);
            }
        }
        TreeSet<String> variables = new TreeSet<>(profile.environment());
        variables.addAll(request.variables().keySet());
        List<String> notices = new ArrayList<>(request.warnings());
        // What does not exist has been said already, with who named it.
        request.backends().notices(profile).stream()
                .filter(notice -> !notice.endsWith("does not exist and was skipped"))
                .forEach(notices::add);
        return new Explanation(
                profile,
                List.copyOf(variables),
                chosen,
                others,
                automatic,
                request.loaded().rules(),
                notices);
    }

    /** Where nothing has to be supervised, stockade becomes the command, and nobody is left to end what it leaves. */
    private static Verdict handedOver(Verdict verdict) {
        if (verdict.capabilities().can(Reach.OUTLIVE_CALLER)) {
            return verdict;
        }
        return new Verdict(
                verdict.backend(),
                verdict.availability(),
                verdict.refused(),
                verdict.claimed(),
                verdict.capabilities()
                        .opening(
                                Reach.OUTLIVE_CALLER,
                                "stockade becomes the command, so nobody ends what that leaves if it is killed from"
                                        + " outside; with --timeout stockade stays and does"));
    }

    /** Whether the profile itself asks for a reach; what is open beyond that is weaker than asked. */
    boolean isAskedFor(Reach reach) {
        return switch (reach) {
            case SEND_OFF_MACHINE -> profile.network() == Network.ON;
            case HOST_LOOPBACK, HOST_UNIX_SOCKETS -> profile.network() != Network.OFF;
            case READ_BEYOND ->
                profile.reads() == Profile.Reads.HOST
                        || !beyond(Access.READ, Access.WRITE).isEmpty();
            case WRITE_BEYOND -> !beyond(Access.WRITE, Access.WRITE).isEmpty();
            case SHARED_TMP -> profile.tmp() == Profile.Tmp.SHARED;
            case METADATA_BEYOND, SEE_PROCESSES, SIGNAL_PROCESSES, TYPE_INTO_TERMINAL, GAIN_PRIVILEGE, OUTLIVE_CALLER ->
                false;
        };
    }

    /** Paths outside of the workspace that are granted so. */
    private List<Grant> beyond(Access one, Access other) {
        return profile.grants().stream()
                .filter(grant -> grant.access() == one || grant.access() == other)
                .filter(grant -> !grant.path().startsWith(profile.workspace()))
                .toList();
    }

    String toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("runs", chosen.isPresent());
        chosen.ifPresent(verdict -> json.put("backend", verdict.backend()));
        json.put("profile", profileJson());
        List<Object> backends = new ArrayList<>();
        chosen.ifPresent(verdict -> backends.add(verdictJson(verdict)));
        others.forEach(verdict -> backends.add(verdictJson(verdict)));
        json.put("backends", backends);
        List<Object> said = new ArrayList<>();
        rules.forEach(rule -> said.add(Map.of("rule", rule.rule(), "from", rule.origin())));
        json.put("rules", said);
        json.put("notices", notices);
        return Json.text(json);
    }

    private Map<String, Object> profileJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("workspace", profile.workspace().toString());
        json.put("workspace_writable", profile.workspaceAccess() == Access.WRITE);
        json.put("reads", lower(profile.reads()));
        json.put("readable", paths(Access.READ));
        json.put("writable", paths(Access.WRITE));
        json.put("hidden", paths(Access.HIDE));
        json.put("network", lower(profile.network()));
        json.put("env", variables);
        json.put("tmp", lower(profile.tmp()));
        return json;
    }

    List<String> paths(Access access) {
        return profile.grants().stream()
                .filter(grant -> grant.access() == access)
                .map(grant -> grant.path().toString())
                .toList();
    }

    private Map<String, Object> verdictJson(Verdict verdict) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", verdict.backend());
        json.put("automatic", automatic.contains(verdict.backend()));
        json.putAll(availability(verdict.availability()));
        json.put("holds", verdict.holds());
        List<Object> refused = new ArrayList<>();
        verdict.refused().forEach(refusal -> refused.add(Map.of("key", refusal.key(), "why", refusal.why())));
        json.put("refused", refused);
        if (verdict.holds()) {
            Capabilities capabilities = verdict.capabilities();
            json.put("can_reach_network", capabilities.canReachNetwork());
            json.put("reaches_beyond_workspace", capabilities.reachesBeyondWorkspace());
            List<Object> reaches = new ArrayList<>();
            for (Reach reach : Reach.values()) {
                Map<String, Object> one = new LinkedHashMap<>();
                one.put("reach", lower(reach));
                one.put("can", capabilities.can(reach));
                one.put("asked", isAskedFor(reach));
                one.put("why", capabilities.reason(reach));
                reaches.add(one);
            }
            json.put("reaches", reaches);
        }
        return json;
    }

    /** The same words wherever a backend's availability is told to a program. */
    static Map<String, Object> availability(Availability availability) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("available", availability.isAvailable());
        switch (availability) {
            case Availability.Available it -> json.put("detail", it.detail());
            case Availability.Unavailable it -> {
                json.put("reason", it.reason());
                json.put("remedy", it.remedy());
            }
        }
        return json;
    }

    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
