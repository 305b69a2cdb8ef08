package dev.stockade.linux.filter;

import static dev.stockade.linux.filter.Calls.allFilters;
import static dev.stockade.linux.filter.Calls.answer;
import static dev.stockade.linux.filter.Verdict.ALLOW;
import static dev.stockade.linux.filter.Verdict.EACCES;
import static dev.stockade.linux.filter.Verdict.ENOSYS;
import static dev.stockade.linux.filter.Verdict.EPERM;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DenialsTest {

    private static final int CLONE_VM = 0x100;
    private static final int CLONE_FS = 0x200;
    private static final int CLONE_FILES = 0x400;
    private static final int CLONE_VFORK = 0x4000;
    private static final int CLONE_THREAD_OF_GLIBC = 0x3D0F00;
    private static final int SIGCHLD = 17;

    @Tag("A04")
    @ParameterizedTest
    @ValueSource(strings = {"io_uring_setup", "io_uring_enter", "io_uring_register"})
    void everyFilterDeniesIoUring(String call) {
        allFilters().forEach(filter -> assertEquals(EPERM, answer(filter, call)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "add_key",
                "request_key",
                "keyctl",
                "setns",
                "listns",
                "mount",
                "umount2",
                "pivot_root",
                "chroot",
                "mount_setattr",
                "move_mount",
                "open_tree",
                "open_tree_attr",
                "fsopen",
                "fsconfig",
                "fsmount",
                "fspick",
                "open_by_handle_at",
                "init_module",
                "finit_module",
                "delete_module",
                "kexec_load",
                "kexec_file_load",
                "bpf",
                "perf_event_open",
                "userfaultfd",
                "lookup_dcookie",
                "reboot",
                "swapon",
                "swapoff",
                "acct",
                "quotactl",
                "quotactl_fd",
                "settimeofday",
                "clock_settime",
                "sethostname",
                "setdomainname",
                "iopl",
                "ioperm",
                "syslog",
                "vhangup"
            })
    void everyFilterDeniesWhatNoCommandNeeds(String call) {
        allFilters().forEach(filter -> assertEquals(EPERM, answer(filter, call, 0, 0, 0, 0, 0, 0)));
    }

    @ParameterizedTest
    @ValueSource(ints = {0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000})
    void cloneMakesNoNamespace(int namespace) {
        for (SeccompFilter filter : allFilters()) {
            assertEquals(EPERM, answer(filter, "clone", namespace | SIGCHLD));
            assertEquals(EPERM, answer(filter, "clone", namespace | CLONE_THREAD_OF_GLIBC));
            assertEquals(EPERM, answer(filter, "unshare", namespace));
            assertEquals(EPERM, answer(filter, "unshare", namespace | CLONE_FS));
        }
    }

    @Test
    void cloneMakesNoChildOfTheParent() {
        int parent = 0x8000; // CLONE_PARENT
        for (SeccompFilter filter : allFilters()) {
            assertEquals(EPERM, answer(filter, "clone", parent | SIGCHLD));
            assertEquals(EPERM, answer(filter, "clone", 1L << 40 | parent | SIGCHLD));
        }
    }

    @Test
    void cloneMakesThreadsAndProcesses() {
        for (SeccompFilter filter : allFilters()) {
            assertEquals(ALLOW, answer(filter, "clone", SIGCHLD));
            assertEquals(ALLOW, answer(filter, "clone", CLONE_VM | CLONE_VFORK | SIGCHLD)); // posix_spawn
            assertEquals(ALLOW, answer(filter, "clone", CLONE_THREAD_OF_GLIBC));
        }
    }

    @Test
    void clone3IsMissingSoThatLibcFallsBackToClone() {
        allFilters().forEach(filter -> assertEquals(ENOSYS, answer(filter, "clone3")));
    }

    @Test
    void unshareStopsSharingOnlyWhatHoldsNoNamespace() {
        SeccompFilter filter = SeccompFilter.of(Sockets.ON, Isolation.values());
        assertEquals(ALLOW, answer(filter, "unshare", 0));
        assertEquals(ALLOW, answer(filter, "unshare", CLONE_FS | CLONE_FILES));
        assertEquals(EPERM, answer(filter, "unshare", 0x80)); // CLONE_NEWTIME
        assertEquals(EPERM, answer(filter, "unshare", 0x100000)); // UNSHARE_EMPTY_MNTNS
    }

    @Test
    void nobodyTypesIntoATerminal() {
        for (SeccompFilter filter : allFilters()) {
            assertEquals(EPERM, answer(filter, "ioctl", 0, 0x5412, 0)); // TIOCSTI
            assertEquals(EPERM, answer(filter, "ioctl", 0, 0x541C, 0)); // TIOCLINUX
            assertEquals(ALLOW, answer(filter, "ioctl", 0, 0x5413, 0)); // TIOCGWINSZ
            assertEquals(ALLOW, answer(filter, "ioctl", 0x5412, 0x5401, 0x541C)); // TCGETS, values in other arguments
        }
    }

    @Test
    void nobodyLeavesAProgramThatRunsAsItsOwner() {
        for (SeccompFilter filter : allFilters()) {
            for (String call : List.of("chmod", "fchmod", "mknod", "creat")) {
                assertEquals(EPERM, answer(filter, call, 3, 0104755), call);
                assertEquals(EPERM, answer(filter, call, 3, 1L << 32 | 04000), call);
                assertEquals(ALLOW, answer(filter, call, 04000, 0102775), call); // set-group-ID, as git init --shared
            }
            for (String call : List.of("fchmodat", "fchmodat2", "mknodat")) {
                assertEquals(EPERM, answer(filter, call, 3, 7, 04755), call);
                assertEquals(ALLOW, answer(filter, call, 3, 04000, 0755, 04000), call);
            }
            for (int creating : new int[] {0100, 0101, 020200000}) { // O_CREAT, O_CREAT|O_WRONLY, O_TMPFILE
                assertEquals(EPERM, answer(filter, "open", 3, creating, 04700));
                assertEquals(EPERM, answer(filter, "openat", 3, 7, creating, 04700));
                assertEquals(ALLOW, answer(filter, "open", 3, creating, 0700));
                assertEquals(ALLOW, answer(filter, "openat", 3, 7, creating, 0700));
            }
            // without such a flag there is no mode, only what was left in the register
            assertEquals(ALLOW, answer(filter, "openat", 3, 7, 0, -1));
            assertEquals(ALLOW, answer(filter, "openat", 3, 7, 0200000, -1)); // O_DIRECTORY
            assertEquals(ENOSYS, answer(filter, "openat2", 3, 7, 11, 24));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "shmget",
                "shmat",
                "shmctl",
                "semget",
                "semop",
                "semtimedop",
                "semctl",
                "msgget",
                "msgsnd",
                "msgrcv",
                "msgctl",
                "mq_open",
                "mq_unlink"
            })
    void sharedIpcIsMissingUnlessItIsIsolated(String call) {
        boolean seenOnBoth = false;
        for (SeccompFilter filter : allFilters()) {
            boolean isolated = filter.isolated().contains(Isolation.IPC);
            assertEquals(isolated ? ALLOW : ENOSYS, answer(filter, call));
            seenOnBoth |= isolated;
        }
        assertEquals(true, seenOnBoth);
    }

    @Test
    void limitsOfOtherProcessesAreOutOfReachUnlessProcessesAreIsolated() {
        for (SeccompFilter filter : allFilters()) {
            boolean isolated = filter.isolated().contains(Isolation.PROCESSES);
            assertEquals(ALLOW, answer(filter, "prlimit64", 0, 7));
            assertEquals(isolated ? ALLOW : EPERM, answer(filter, "prlimit64", 4711, 0));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"inotify_add_watch", "fanotify_mark"})
    void filesAreNotWatchedUnlessTheTreeIsIsolated(String call) {
        for (SeccompFilter filter : allFilters()) {
            assertEquals(filter.isolated().contains(Isolation.FILES) ? ALLOW : EACCES, answer(filter, call));
        }
    }
}
