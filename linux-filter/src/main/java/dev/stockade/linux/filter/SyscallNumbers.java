package dev.stockade.linux.filter;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.StringTokenizer;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The numbers of the calls that some policy names, from the kernel's headers asm/unistd_64.h (x86-64) and
 * asm-generic/unistd.h (aarch64). A dash stands where an architecture does not have the call.
 */
final class SyscallNumbers {

    private static final int ABSENT = -1;

    private static final String TABLE = """
            io_uring_setup      425  425
            io_uring_enter      426  426
            io_uring_register   427  427

            add_key             248  217
            request_key         249  218
            keyctl              250  219

            clone                56  220
            clone3              435  435
            unshare             272   97
            setns               308  268
            listns              470  470

            mount               165   40
            umount2             166   39
            pivot_root          155   41
            chroot              161   51
            mount_setattr       442  442
            move_mount          429  429
            open_tree           428  428
            open_tree_attr      467  467
            fsopen              430  430
            fsconfig            431  431
            fsmount             432  432
            fspick              433  433
            open_by_handle_at   304  265

            init_module         175  105
            finit_module        313  273
            delete_module       176  106
            kexec_load          246  104
            kexec_file_load     320  294
            bpf                 321  280
            perf_event_open     298  241
            userfaultfd         323  282
            lookup_dcookie      212   18

            reboot              169  142
            swapon              167  224
            swapoff             168  225
            acct                163   89
            quotactl            179   60
            quotactl_fd         443  443
            settimeofday        164  170
            clock_settime       227  112
            sethostname         170  161
            setdomainname       171  162
            iopl                172    -
            ioperm              173    -
            syslog              103  116
            vhangup             153   58

            ioctl                16   29
            socket               41  198
            socketpair           53  199

            chmod                90    -
            fchmod               91   52
            fchmodat            268   53
            fchmodat2           452  452
            mknod               133    -
            mknodat             259   33
            creat                85    -
            open                  2    -
            openat              257   56
            openat2             437  437

            shmget               29  194
            shmat                30  196
            shmctl               31  195
            semget               64  190
            semop                65  193
            semtimedop          220  192
            semctl               66  191
            msgget               68  186
            msgsnd               69  189
            msgrcv               70  188
            msgctl               71  187
            mq_open             240  180
            mq_unlink           241  181
            prlimit64           302  261
            inotify_add_watch   254   27
            fanotify_mark       301  263
            """;

    /** Read when first asked for: few programs need both. */
    private static final Map<Architecture, Map<String, Integer>> NUMBERS = new ConcurrentHashMap<>();

    /**
     * The newest call a policy has looked at: {@code rseq_slice_yield}, Linux 7.0. Both architectures number what was
     * added since Linux 5.1 alike.
     */
    static final int NEWEST = 471;

    private SyscallNumbers() {}

    /** Call numbers from {@code first} to {@code last}, both included. */
    record Range(int first, int last) {}

    /** Numbers up to {@link #NEWEST} that no call has yet; kernels do fill such gaps (x86-64's 335 and 336). */
    static List<Range> unassigned(Architecture architecture) {
        return switch (architecture) {
            case X86_64 -> List.of(new Range(337, 423));
            case AARCH64 -> List.of(new Range(244, 259), new Range(295, 423));
        };
    }

    private static Map<String, Integer> column(Architecture architecture) {
        int column = switch (architecture) {
            case X86_64 -> 1;
            case AARCH64 -> 2;
        };
        Map<String, Integer> numbers = new HashMap<>();
        StringTokenizer words = new StringTokenizer(TABLE);
        while (words.hasMoreTokens()) {
            String[] row = {words.nextToken(), words.nextToken(), words.nextToken()};
            numbers.put(row[0], row[column].equals("-") ? ABSENT : Integer.parseInt(row[column]));
        }
        return numbers;
    }

    /** The number of a call, empty where the architecture does not have it. */
    static OptionalInt of(Architecture architecture, String call) {
        Integer number =
                NUMBERS.computeIfAbsent(architecture, SyscallNumbers::column).get(call);
        if (number == null) {
            throw new IllegalArgumentException("no number is known for the call " + call);
        }
        return number == ABSENT ? OptionalInt.empty() : OptionalInt.of(number);
    }
}
