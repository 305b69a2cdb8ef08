package dev.stockade.backend.seatbelt;

import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * What of macOS a command needs that is confined to the operating system: the one table of system services, files and
 * devices. Learnt from the profiles that macOS ships and that others publish; whatever is not listed is closed.
 */
final class MacSystem {

    /** When a service may be looked up. */
    enum When {
        /** It answers from this machine alone. */
        ALWAYS,
        /** It sends for whoever asks, so it would be a way around a network that is closed. */
        ONLINE
    }

    /**
     * A system service that is looked up by name in launchd's name space.
     *
     * @param name its global name
     * @param neededFor who asks it, and for what
     * @param when in which network settings
     */
    record Service(String name, String neededFor, When when) {}

    /**
     * Deliberately absent: LaunchServices and Apple events (they start and steer programs outside), the pasteboard, the
     * keychain ({@code com.apple.SecurityServer}, {@code com.apple.securityd}), {@code com.apple.FSEvents} (it tells the
     * names of files being written anywhere), preferences ({@code com.apple.cfprefsd}), {@code nsurlsessiond} (it
     * downloads and uploads for others).
     */
    static final List<Service> SERVICES = List.of(
            new Service(
                    "com.apple.system.opendirectoryd.libinfo",
                    "getpwuid(3) and getgrgid(3): git, ssh, python's expanduser, java's user.home",
                    When.ALWAYS),
            new Service(
                    "com.apple.system.opendirectoryd.membership",
                    "getgrouplist(3), id(1): installers and tests that check permissions",
                    When.ALWAYS),
            new Service(
                    "com.apple.system.notification_center",
                    "notify(3) within libc: time zone and user changes; node, python, java",
                    When.ALWAYS),
            new Service(
                    "com.apple.bsd.dirhelper",
                    "confstr(3) of the user's temporary and cache directories: mktemp, clang's module cache",
                    When.ALWAYS),
            new Service(
                    "com.apple.system.logger", "syslog(3): git, sshd's tools, compilers' crash reports", When.ALWAYS),
            new Service("com.apple.logd", "os_log(3): whatever links a system framework", When.ALWAYS),
            new Service(
                    "com.apple.trustd.agent",
                    "verifying certificates: Go's crypto/x509 has no other way, so gh, terraform, kubectl",
                    When.ONLINE),
            new Service("com.apple.trustd", "the same, for programs without a user session", When.ONLINE),
            new Service("com.apple.dnssd.service", "getaddrinfo(3) through mDNSResponder", When.ONLINE),
            new Service(
                    "com.apple.SystemConfiguration.DNSConfiguration",
                    "node's and Go's resolver configuration",
                    When.ONLINE),
            new Service(
                    "com.apple.SystemConfiguration.configd",
                    "proxies and reachability: python's urllib, java's proxy selector",
                    When.ONLINE));

    /** A Unix socket that names are looked up by, where a library does not use the service. */
    static final String RESOLVER_SOCKET = "/private/var/run/mDNSResponder";

    /** Trees of the operating system and of what is installed for all users. */
    static final List<String> TREES = List.of(
            "/bin",
            "/sbin",
            "/usr",
            "/opt",
            "/System/Library",
            "/System/iOSSupport",
            "/System/Cryptexes",
            "/System/Volumes/Preboot", // the loader's shared cache, since macOS 13
            "/Library/Apple",
            "/Library/Developer",
            "/Library/Frameworks",
            "/Library/Java",
            "/Library/Perl",
            "/Library/Ruby",
            "/Library/Filesystems/NetFSPlugins",
            "/Library/Preferences/Logging",
            "/Applications/Xcode.app",
            "/private/etc",
            "/private/var/db/dyld",
            "/private/var/db/timezone",
            "/private/var/select",
            "/private/var/empty");

    /** Single files, directories that are listed, and the links of the root. */
    static final List<String> FILES = List.of(
            "/", // without it the kernel kills whatever is executed
            "/etc",
            "/tmp",
            "/var",
            "/dev",
            "/Library/Preferences/.GlobalPreferences.plist",
            "/private/var/db/xcode_select_link",
            "/private/var/db/DarwinDirectory/local/recordStore.data",
            "/private/var/run/resolv.conf");

    /** What lies in these trees and is secret: root's commands could read it. */
    static final List<String> SECRETS = List.of(
            "^/private/etc/(master[.]passwd|spwd[.]db|krb5[.]keytab|sudoers)",
            "^/private/etc/ssh/ssh_host_[^/]*_key$",
            "^/private/etc/(racoon|ppp|cups/certs|openldap/private)(/|$)");

    /** Opened for reading and writing. */
    static final List<String> DEVICES = List.of(
            "/dev/null", "/dev/zero", "/dev/random", "/dev/urandom", "/dev/tty", "/dev/ptmx", "/dev/dtracehelper");

    /** Opened for reading. */
    static final List<String> READ_DEVICES = List.of("/dev/autofs_nowait");

    /** Terminals: those that the command inherited take requests, those that it made itself are opened too. */
    static final String TERMINALS = "^/dev/ttys[0-9]+$";

    /** Where macOS keeps the temporary files of each user's programs. */
    static final String USER_TMP = "^/private/var/folders/[^/]+/[^/]+/T(/|$)";

    /** That directory and those that lead to it. */
    static final String USER_TMP_LEADS = "^/private(/var(/folders(/[^/]+(/[^/]+(/T)?)?)?)?)?$";

    /**
     * What mktemp(1) makes there, whatever TMPDIR says. The names cannot be guessed, and the directory is not listed.
     */
    static final String MKTEMP =
            "^/private/var/folders/[^/]+/[^/]+/T/tmp[.]" + "[A-Za-z0-9]".repeat(8) + "[A-Za-z0-9]*(/|$)";

    /** Kernel values that run-time systems read, by prefix. Other processes' arguments are not among them. */
    static final List<String> KERNEL_VALUES = List.of(
            "hw.",
            "machdep.",
            "vm.",
            "sysctl.",
            "kern.argmax",
            "kern.boot",
            "kern.clockrate",
            "kern.hostname",
            "kern.hv_",
            "kern.ios",
            "kern.max",
            "kern.ngroups",
            "kern.num",
            "kern.os",
            "kern.secure_kernel",
            "kern.tcsm_",
            "kern.usrstack64",
            "kern.version",
            "kern.willshutdown",
            "kern.proc.pid.",
            "kern.proc.pgrp.",
            "net.routetable.",
            "security.mac.lockdown_mode_state");

    private static final List<Pattern> SECRET =
            SECRETS.stream().map(Pattern::compile).toList();

    private MacSystem() {}

    /** The directories that lead to the trees. */
    static NavigableSet<String> leading() {
        NavigableSet<String> leading = new TreeSet<>();
        TREES.forEach(tree -> leading.addAll(MacPaths.ancestors(tree)));
        return leading;
    }

    /** Whether the system part of a profile lets a file be read. */
    static boolean shows(String path) {
        boolean listed = FILES.contains(path) || TREES.stream().anyMatch(tree -> MacPaths.isWithin(path, tree));
        return listed
                && SECRET.stream().noneMatch(secret -> secret.matcher(path).find());
    }
}
