package dev.stockade.linux.filter;

import dev.stockade.linux.filter.Decision.Test;
import java.util.Set;

/**
 * What Docker's own profile allows a container without capabilities.
 *
 * <p>The facts are those of {@code seccomp/default.json} of the Moby project (github.com/moby/profiles, before that
 * github.com/moby/moby), licensed under Apache-2.0, as of Docker 28. Left out are the calls that only 32-bit
 * architectures have, and those the engine allows along with a capability.
 */
final class DockerDefaults {

    /** In full, but for {@code clone} and {@code socket}: the engine restricts them, and so does every policy here. */
    static final Set<String> ALLOWED = Set.of("""
            accept accept4 access adjtimex alarm bind brk cachestat capget capset chdir chmod chown clock_adjtime
            clock_getres clock_gettime clock_nanosleep clone close close_range connect copy_file_range creat dup
            dup2 dup3 epoll_create epoll_create1 epoll_ctl epoll_ctl_old epoll_pwait epoll_pwait2 epoll_wait
            epoll_wait_old eventfd eventfd2 execve execveat exit exit_group faccessat faccessat2 fadvise64 fallocate
            fanotify_mark fchdir fchmod fchmodat fchmodat2 fchown fchownat fcntl fdatasync fgetxattr flistxattr
            flock fork fremovexattr fsetxattr fstat fstatfs fsync ftruncate futex futex_requeue futex_wait
            futex_waitv futex_wake futimesat get_robust_list get_thread_area getcpu getcwd getdents getdents64
            getegid geteuid getgid getgroups getitimer getpeername getpgid getpgrp getpid getppid getpriority
            getrandom getresgid getresuid getrlimit getrusage getsid getsockname getsockopt gettid gettimeofday
            getuid getxattr getxattrat inotify_add_watch inotify_init inotify_init1 inotify_rm_watch io_cancel
            io_destroy io_getevents io_pgetevents io_setup io_submit ioctl ioprio_get ioprio_set kill
            landlock_add_rule landlock_create_ruleset landlock_restrict_self lchown lgetxattr link linkat listen
            listmount listxattr listxattrat llistxattr lremovexattr lseek lsetxattr lstat madvise map_shadow_stack
            membarrier memfd_create memfd_secret mincore mkdir mkdirat mknod mknodat mlock mlock2 mlockall mmap
            mprotect mq_getsetattr mq_notify mq_open mq_timedreceive mq_timedsend mq_unlink mremap mseal msgctl
            msgget msgrcv msgsnd msync munlock munlockall munmap name_to_handle_at nanosleep newfstatat open openat
            openat2 pause pidfd_open pidfd_send_signal pipe pipe2 pkey_alloc pkey_free pkey_mprotect poll ppoll
            prctl pread64 preadv preadv2 prlimit64 process_mrelease pselect6 pwrite64 pwritev pwritev2 read
            readahead readlink readlinkat readv recvfrom recvmmsg recvmsg remap_file_pages removexattr removexattrat
            rename renameat renameat2 restart_syscall rmdir rseq rt_sigaction rt_sigpending rt_sigprocmask
            rt_sigqueueinfo rt_sigreturn rt_sigsuspend rt_sigtimedwait rt_tgsigqueueinfo sched_get_priority_max
            sched_get_priority_min sched_getaffinity sched_getattr sched_getparam sched_getscheduler
            sched_rr_get_interval sched_setaffinity sched_setattr sched_setparam sched_setscheduler sched_yield
            seccomp select semctl semget semop semtimedop sendfile sendmmsg sendmsg sendto set_robust_list
            set_thread_area set_tid_address setfsgid setfsuid setgid setgroups setitimer setpgid setpriority
            setregid setresgid setresuid setreuid setrlimit setsid setsockopt setuid setxattr setxattrat shmat
            shmctl shmdt shmget shutdown sigaltstack signalfd signalfd4 socket socketpair splice stat statfs
            statmount statx symlink symlinkat sync sync_file_range syncfs sysinfo tee tgkill time timer_create
            timer_delete timer_getoverrun timer_gettime timer_settime timerfd_create timerfd_gettime timerfd_settime
            times tkill truncate umask uname unlink unlinkat uretprobe utime utimensat utimes vfork vmsplice wait4
            waitid write writev
            """.split("\\s+"));

    /** Calls that let a tracer change another call after the filter on kernels before 4.8. */
    static final Set<String> ALLOWED_SINCE_4_8 = Set.of("ptrace", "process_vm_readv", "process_vm_writev");

    /** Calls that only x86-64 has. */
    static final Set<String> ALLOWED_ON_X86_64 = Set.of("arch_prctl", "modify_ldt");

    /** personality(2): PER_LINUX, PER_LINUX32, either with UNAME26, and the question what it is. */
    static final Decision PERSONALITY = Decision.always(Verdict.EPERM)
            .when(Verdict.ALLOW, Test.is(0, 0))
            .when(Verdict.ALLOW, Test.is(0, 0x8))
            .when(Verdict.ALLOW, Test.is(0, 0x20000))
            .when(Verdict.ALLOW, Test.is(0, 0x20008))
            .when(Verdict.ALLOW, Test.is(0, 0xFFFFFFFF));

    private DockerDefaults() {}
}
