package dev.stockade.linux.filter;

import dev.stockade.linux.filter.Decision.Test;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * The rules, by the name of the call; a call that is not named is allowed.
 *
 * <p>Left open on purpose: {@code ptrace} and {@code process_vm_*} (a debugger on the command's own processes; others
 * are behind the PID namespace or Landlock's ptrace rule, and since Linux 4.8 a tracer cannot change a call after the
 * filter), {@code personality} (gdb turns address randomization off with it, and it weakens only its caller),
 * {@code name_to_handle_at} (a handle opens nothing by itself), the Landlock calls and {@code seccomp} (they only add).
 */
final class Policy {

    private static final int AF_UNIX = 1;
    private static final int AF_INET = 2;
    private static final int AF_INET6 = 10;
    private static final int AF_NETLINK = 16;
    private static final int NETLINK_ROUTE = 0;
    private static final int SOCK_STREAM = 1;
    private static final int SOCK_DGRAM = 2;
    private static final int SOCK_SEQPACKET = 5;

    // What the kernel takes the type from; SOCK_CLOEXEC and SOCK_NONBLOCK lie above it: linux/net.h.
    private static final int SOCK_TYPE_MASK = 0xF;

    private static final int TIOCSTI = 0x5412;
    private static final int TIOCLINUX = 0x541C;

    // NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET. NEWTIME cannot be given to clone(2).
    private static final int CLONE_NEW_ANY = 0x7E020000;
    private static final int CLONE_PARENT = 0x8000;
    private static final int CLONE_FS = 0x200;
    private static final int CLONE_FILES = 0x400;
    private static final int CLONE_SYSVSEM = 0x40000;

    // S_ISUID; S_ISGID stays, for on a directory it means something else: git init --shared sets it
    private static final int SET_USER_ID = 04000;
    // open(2) takes a mode where one of these is set: O_CREAT, __O_TMPFILE
    private static final int[] CREATING = {0100, 020000000};

    private final Map<String, Decision> decisions = new TreeMap<>();

    private Policy() {}

    static Map<String, Decision> of(SeccompFilter filter) {
        Policy policy = new Policy();
        policy.denyWhatNoCommandNeeds();
        policy.denyNewNamespaces();
        policy.denyTerminalInjection();
        policy.denySetUserIdFiles();
        policy.limitSockets(filter.sockets(), filter.isolated().contains(Isolation.NETWORK));
        for (Isolation isolation : Isolation.values()) {
            if (!filter.isolated().contains(isolation)) {
                policy.makeUpForMissing(isolation);
            }
        }
        return Collections.unmodifiableMap(policy.decisions);
    }

    private void denyWhatNoCommandNeeds() {
        // io_uring_setup(2): a ring opens and connects sockets without socket(2) or connect(2) being called.
        deny(Verdict.EPERM, "io_uring_setup", "io_uring_enter", "io_uring_register");

        // keyrings(7): no namespace covers the keys of a user or of a session.
        deny(Verdict.EPERM, "add_key", "request_key", "keyctl");

        // mount(2), mount_setattr(2): the last has no hook in Landlock and clears a mount's read-only flag. All of
        // these need CAP_SYS_ADMIN (chroot: CAP_SYS_CHROOT) in the namespace's owner, so EPERM is what most are
        // told anyway.
        deny(Verdict.EPERM, "mount", "umount2", "pivot_root", "chroot", "mount_setattr", "move_mount");
        deny(Verdict.EPERM, "open_tree", "open_tree_attr", "fsopen", "fsconfig", "fsmount", "fspick");

        // open_by_handle_at(2): opens any file of a file system by its number, past every path.
        deny(Verdict.EPERM, "open_by_handle_at");

        // init_module(2), kexec_load(2), bpf(2): code in the kernel. perf_event_open(2), userfaultfd(2): most
        // distributions keep them from the unprivileged, for they observe others and help to exploit races.
        // lookup_dcookie: until 6.7.
        deny(Verdict.EPERM, "init_module", "finit_module", "delete_module", "kexec_load", "kexec_file_load");
        deny(Verdict.EPERM, "bpf", "perf_event_open", "userfaultfd", "lookup_dcookie");

        // reboot(2), swapon(2), acct(2), quotactl(2), settimeofday(2), sethostname(2), iopl(2), syslog(2),
        // vhangup(2): they act on the whole machine and ask for a capability, which a container or a root user may
        // still hold.
        deny(Verdict.EPERM, "reboot", "swapon", "swapoff", "acct", "quotactl", "quotactl_fd", "settimeofday");
        deny(Verdict.EPERM, "clock_settime", "sethostname", "setdomainname", "iopl", "ioperm", "syslog", "vhangup");
    }

    private void denyNewNamespaces() {
        // user_namespaces(7): a new one gives every capability over what is made in it, and with that most of the
        // kernel's attack surface. clone3(2) keeps its flags behind a pointer; libc falls back to clone(2) on
        // ENOSYS only.
        deny(Verdict.ENOSYS, "clone3");
        // CLONE_PARENT makes a child of the parent's, who does not know of it and never asks how it ended.
        int refused = CLONE_NEW_ANY | CLONE_PARENT;
        decide("clone", Decision.always(Verdict.EPERM).when(Verdict.ALLOW, new Test(0, refused, 0)));
        // unshare(2): flags of later kernels mean new namespaces as well (UNSHARE_EMPTY_MNTNS), so what is known
        // to be harmless is listed instead.
        int harmless = CLONE_FS | CLONE_FILES | CLONE_SYSVSEM;
        decide("unshare", Decision.always(Verdict.EPERM).when(Verdict.ALLOW, new Test(0, ~harmless, 0)));
        // setns(2) enters namespaces; listns (Linux 6.19) lists those of the host.
        deny(Verdict.EPERM, "setns", "listns");
    }

    private void denyTerminalInjection() {
        // ioctl_tty(2): both put input into the terminal, where the shell outside reads it (CVE-2017-5226,
        // CVE-2023-28100; CVE-2019-10063 was the same with a high half set).
        decide(
                "ioctl",
                Decision.ALLOW.when(Verdict.EPERM, Test.is(1, TIOCSTI)).when(Verdict.EPERM, Test.is(1, TIOCLINUX)));
    }

    /**
     * A file with this bit is a program that runs as its owner, for whoever finds it in the workspace: left there by a
     * confined root, it is root on the host.
     */
    private void denySetUserIdFiles() {
        denySetUserId(1, "chmod", "fchmod", "mknod", "creat");
        denySetUserId(2, "fchmodat", "fchmodat2", "mknodat");
        decide("open", unlessCreatedSetUserId(1, 2));
        decide("openat", unlessCreatedSetUserId(2, 3));
        // openat2(2) keeps the mode behind a pointer; programs that know it fall back to openat(2) on ENOSYS
        deny(Verdict.ENOSYS, "openat2");
    }

    private static Decision unlessCreatedSetUserId(int flags, int mode) {
        Decision decision = Decision.ALLOW;
        for (int creating : CREATING) {
            decision = decision.when(
                    Verdict.EPERM, new Test(flags, creating, creating), new Test(mode, SET_USER_ID, SET_USER_ID));
        }
        return decision;
    }

    private void denySetUserId(int mode, String... calls) {
        Decision decision = Decision.ALLOW.when(Verdict.EPERM, new Test(mode, SET_USER_ID, SET_USER_ID));
        for (String call : calls) {
            decide(call, decision);
        }
    }

    private void limitSockets(Sockets sockets, boolean networkIsolated) {
        Verdict unix = sockets == Sockets.OFF ? Verdict.EACCES : Verdict.ALLOW;
        Decision socket = Decision.always(Verdict.EAFNOSUPPORT)
                .when(unix, Test.is(0, AF_UNIX))
                .when(Verdict.ALLOW, Test.is(0, AF_NETLINK), Test.is(2, NETLINK_ROUTE));
        if (sockets == Sockets.ON || networkIsolated) {
            for (int family : new int[] {AF_INET, AF_INET6}) {
                socket = socket.when(Verdict.ALLOW, Test.is(0, family), type(SOCK_STREAM))
                        .when(Verdict.ALLOW, Test.is(0, family), type(SOCK_DGRAM))
                        .when(Verdict.EPERM, Test.is(0, family));
            }
        }
        decide("socket", socket);

        // socketpair(2): a connected stream reaches nobody else (Node and asyncio need one); a datagram pair can
        // send to any address, and the kernel makes one of SOCK_RAW too (unix_create in net/unix/af_unix.c).
        decide(
                "socketpair",
                Decision.always(Verdict.EAFNOSUPPORT)
                        .when(Verdict.ALLOW, Test.is(0, AF_UNIX), type(SOCK_STREAM))
                        .when(Verdict.ALLOW, Test.is(0, AF_UNIX), type(SOCK_SEQPACKET))
                        .when(unix, Test.is(0, AF_UNIX)));
    }

    private static Test type(int type) {
        return new Test(1, SOCK_TYPE_MASK, type);
    }

    private void makeUpForMissing(Isolation isolation) {
        switch (isolation) {
            case NETWORK -> {} // limitSockets
            case IPC -> {
                // sysvipc(7), mq_overview(7): what a kernel without CONFIG_SYSVIPC and CONFIG_POSIX_MQUEUE answers.
                deny(Verdict.ENOSYS, "shmget", "shmat", "shmctl", "semget", "semop", "semtimedop", "semctl");
                deny(Verdict.ENOSYS, "msgget", "msgsnd", "msgrcv", "msgctl", "mq_open", "mq_unlink");
            }
            // prlimit(2): no ptrace check, equal user ids are enough. getrlimit and setrlimit of libc pass 0.
            case PROCESSES -> decide("prlimit64", Decision.always(Verdict.EPERM).when(Verdict.ALLOW, Test.is(0, 0)));
            // inotify_add_watch(2), fanotify_mark(2): EACCES is the error they have for a file one may not read.
            case FILES -> deny(Verdict.EACCES, "inotify_add_watch", "fanotify_mark");
        }
    }

    private void deny(Verdict verdict, String... calls) {
        for (String call : calls) {
            decide(call, Decision.always(verdict));
        }
    }

    private void decide(String call, Decision decision) {
        decisions.put(call, decision);
    }
}
