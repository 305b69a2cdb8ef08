package dev.stockade.backend.seatbelt;

import static dev.stockade.backend.seatbelt.Sbpl.filter;
import static dev.stockade.backend.seatbelt.Sbpl.filters;
import static dev.stockade.backend.seatbelt.Sbpl.string;

import dev.stockade.api.Network;
import dev.stockade.api.Profile;
import dev.stockade.api.Profile.Access;
import dev.stockade.api.Profile.Reads;
import dev.stockade.api.spi.Host;
import dev.stockade.backend.seatbelt.MacGrants.Grant;
import dev.stockade.backend.seatbelt.MacSystem.When;
import java.util.ArrayList;
import java.util.List;

/**
 * A profile in the language of {@code sandbox-exec}.
 *
 * <p>Of the rules with a filter that match, the last wins. Two things are known only from what others measured: a rule
 * without a filter loses to one with, wherever it stands, and a rule about {@code file-read*} loses to one about
 * {@code file-read-data}. So the text never depends on either: general rules come first, and an operation is allowed
 * and denied under the same name, but for last rules that nothing contradicts.
 */
final class SeatbeltProfile {

    /** The parameter for the confinement's own temporary directory, which is not known when this is made. */
    static final String TMP = "TMP";

    private static final String TREE_WRITES = "file-read* file-write* file-link file-clone";
    private static final String DEVICE_USE = "file-read* file-write* file-ioctl";

    private static final String UNIX_SOCKETS = "(socket-domain AF_UNIX)";

    /** Also those that tell of routes and of the kernel's events: getifaddrs(3), changes of the network. */
    private static final List<String> ONLINE_SOCKETS = List.of(
            UNIX_SOCKETS, "(socket-domain AF_ROUTE)", "(require-all (socket-domain AF_SYSTEM) (socket-protocol 2))");

    private SeatbeltProfile() {}

    /** The rules for a profile; with a private temporary directory of the confinement's, whose path comes later. */
    static Sbpl.Finished of(Profile profile, Host host, boolean withTmp) {
        MacGrants grants = MacGrants.of(profile, host);
        Sbpl rules = new Sbpl();
        base(rules, profile);
        services(rules, profile.network());
        ip(rules, profile.network());
        files(rules, profile, host);
        grants(rules, grants, withTmp);
        if (profile.network() != Network.OFF) {
            unixSockets(rules, profile.network(), grants, withTmp);
        }
        return rules.finish();
    }

    /** The least that is ever allowed, to try whether this macOS understands every word of it. */
    static String trial() {
        Sbpl rules = new Sbpl();
        confined(rules);
        closed(rules);
        services(rules, Network.OFF);
        devices(rules);
        system(rules);
        rules.about("Words that only grants use")
                .rule("deny file-link file-clone file-write-create file-write-unlink")
                .rule("allow file-read-metadata", List.of(filter("path-ancestors", string("/usr/bin"))));
        return rules.finish().text();
    }

    private static void base(Sbpl rules, Profile profile) {
        if (profile.reads() == Reads.HOST) {
            rules.about("All of the host can be read; what is not a file is open but for what leads outside")
                    .rule("allow default")
                    .rule("deny file-write* file-link");
        } else {
            confined(rules);
        }
        closed(rules);
    }

    private static void confined(Sbpl rules) {
        rules.about("Nothing but what is named")
                .rule("deny default")
                .rule("allow process-exec process-fork")
                .rule("allow pseudo-tty")
                .rule("allow ipc-posix-sem") // python's multiprocessing
                .rule("allow mach-host*"); // the number of processors: node, java
        rules.rule("allow sysctl-read", filters("sysctl-name-prefix", MacSystem.KERNEL_VALUES));
        // Reads that hand over a buffer, which makes them writes: V8's threads, java's processor.
        rules.rule("allow sysctl-write", filters("sysctl-name", List.of("kern.tcsm_enable", "kern.grade_cputype")));
    }

    /** Doors to what runs outside. Closed by name in either model, so that both say the same. */
    private static void closed(Sbpl rules) {
        rules.about("No way to have something done outside: daemons, launched programs, other processes")
                .rule("deny network-outbound network-inbound network-bind")
                .rule("deny system-socket")
                .rule("deny mach-lookup")
                .rule("deny appleevent-send")
                .rule("deny user-preference-write")
                .rule("deny signal process-info* mach-priv-task-port")
                .ruleIfKnown("deny", "lsopen")
                .ruleIfKnown("deny", "job-creation")
                .ruleIfKnown("deny", "authorization-right-obtain")
                .ruleIfKnown("deny", "distributed-notification-post")
                .ruleIfKnown("deny", "nvram*")
                .rule("allow signal process-info* mach-priv-task-port", List.of("(target same-sandbox)"));
    }

    private static void services(Sbpl rules, Network network) {
        rules.about("System services")
                .rule(
                        "allow mach-lookup",
                        filters(
                                "global-name",
                                MacSystem.SERVICES.stream()
                                        .filter(service -> service.when() == When.ALWAYS || network == Network.ON)
                                        .map(MacSystem.Service::name)
                                        .toList()));
    }

    /** Names where IP may go; never a rule without a filter, which would open Unix sockets too. */
    private static void ip(Sbpl rules, Network network) {
        if (network == Network.OFF) {
            return;
        }
        String where = network == Network.ON ? "*:*" : "localhost:*";
        rules.about("Internet sockets")
                .rule("allow network-outbound", List.of(filter("remote ip", string(where))))
                .rule("allow network-inbound", List.of(filter("local ip", string(where))))
                .rule("allow network-bind", List.of(filter("local ip", string("*:*"))))
                .rule("allow system-socket", network == Network.ON ? ONLINE_SOCKETS : List.of(UNIX_SOCKETS));
    }

    private static void files(Sbpl rules, Profile profile, Host host) {
        devices(rules);
        if (profile.reads() == Reads.SYSTEM) {
            system(rules);
            return;
        }
        List<String> temporary = new ArrayList<>(filters("subpath", List.of("/private/tmp", "/private/var/tmp")));
        temporary.add(filter("regex", string(MacSystem.USER_TMP)));
        String runtime = host.environment().getOrDefault("XDG_RUNTIME_DIR", "");
        if (runtime.startsWith("/") && runtime.length() > 1) {
            temporary.add(filter("subpath", rules.parameter(MacPaths.canonical(runtime))));
        }
        rules.about("Temporary files of other programs, this one's own machinery among them")
                .rule("deny file-read* file-clone", temporary);
    }

    private static void devices(Sbpl rules) {
        List<String> opened = new ArrayList<>(filters("literal", MacSystem.DEVICES));
        opened.add(filter("subpath", string("/dev/fd")));
        String terminal = filter("regex", string(MacSystem.TERMINALS));
        opened.add("(require-all " + terminal + " (extension \"com.apple.sandbox.pty\"))");
        rules.about("Devices")
                .rule("allow " + DEVICE_USE, opened)
                .rule("allow file-read*", filters("literal", MacSystem.READ_DEVICES))
                .rule("allow file-ioctl", List.of(terminal));
    }

    private static void system(Sbpl rules) {
        rules.about("The operating system")
                .rule("allow file-read*", filters("subpath", MacSystem.TREES))
                .rule("allow file-read*", filters("literal", MacSystem.FILES))
                .rule("deny file-read*", filters("regex", MacSystem.SECRETS));
    }

    private static void grants(Sbpl rules, MacGrants grants, boolean withTmp) {
        rules.about("What mktemp(1) makes, whatever it is told")
                .rule("allow " + TREE_WRITES, List.of(filter("regex", string(MacSystem.MKTEMP))))
                .about("Paths: the deeper one wins");
        for (Grant grant : grants.grants()) {
            String tree = filter("subpath", rules.parameter(grant.path()));
            switch (grant.access()) {
                case WRITE -> rules.rule("allow " + TREE_WRITES, List.of(tree));
                case READ ->
                    rules.rule("allow file-read* file-clone", List.of(tree))
                            .rule("deny file-write* file-link", List.of(tree, spellings(rules, grant.path(), "(/|$)")));
                case HIDE -> rules.rule("deny " + TREE_WRITES, List.of(tree, spellings(rules, grant.path(), "(/|$)")));
            }
        }
        if (withTmp) {
            rules.rule("allow " + TREE_WRITES, List.of(filter("subpath", Sbpl.reference(TMP))));
        }
        List<String> pinned = new ArrayList<>();
        for (String path : grants.pinned()) {
            pinned.add(filter("literal", rules.parameter(path)));
            pinned.add(spellings(rules, path, "$"));
        }
        rules.about("What stays where it is, or the rules above would not reach what is below")
                .rule("deny file-write-create file-write-unlink", pinned)
                .about("What leads to the paths above can be looked up, not listed")
                .rule("allow file-read-metadata", leading(rules, grants, withTmp));
    }

    private static List<String> leading(Sbpl rules, MacGrants grants, boolean withTmp) {
        List<String> leading = new ArrayList<>();
        leading.addAll(filters("regex", List.of(MacSystem.USER_TMP_LEADS, MacSystem.TERMINALS)));
        leading.addAll(filters("literal", MacSystem.leading()));
        for (Grant grant : grants.grants()) {
            if (grant.access() != Access.HIDE) {
                leading.add(filter("path-ancestors", rules.parameter(grant.path())));
            }
        }
        if (withTmp) {
            leading.add(filter("path-ancestors", Sbpl.reference(TMP)));
        }
        return leading;
    }

    /** A restriction holds for whatever the volume takes for the same path, also through the data volume's own name. */
    private static String spellings(Sbpl rules, String path, String end) {
        String expression = "^(" + MacPaths.DATA_VOLUME + ")?" + Sbpl.anySpelling(path) + end;
        return filter("regex", rules.parameter(expression));
    }

    private static void unixSockets(Sbpl rules, Network network, MacGrants grants, boolean withTmp) {
        rules.about("Unix sockets: inside what can be written, and nowhere else");
        for (Grant grant : grants.grants()) {
            String action = grant.access() == Access.WRITE ? "allow" : "deny";
            sockets(rules, action, filter("subpath", rules.parameter(grant.path())));
        }
        if (withTmp) {
            sockets(rules, "allow", filter("subpath", Sbpl.reference(TMP)));
        }
        if (network == Network.ON) {
            String resolver = filter("literal", string(MacSystem.RESOLVER_SOCKET));
            rules.rule("allow network-outbound", List.of(filter("remote unix-socket", resolver)));
        }
    }

    private static void sockets(Sbpl rules, String action, String where) {
        rules.rule(action + " network-outbound", List.of(filter("remote unix-socket", where)))
                .rule(action + " network-bind", List.of(filter("local unix-socket", where)));
    }
}
