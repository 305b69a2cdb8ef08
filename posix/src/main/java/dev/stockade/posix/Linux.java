package dev.stockade.posix;

/**
 * System calls under their C names. Pointers and lengths are {@code long}; a call returns its result, or the negated
 * number of its error as the kernel itself does. Not thread-safe: each thread uses one of its own.
 *
 * <p>Numbers of constants are those of x86-64 and of the generic ABI alike, unless said otherwise.
 */
public interface Linux {

    // errno(3)
    int EPERM = 1;
    int ENOENT = 2;
    int ESRCH = 3;
    int EINTR = 4;
    int E2BIG = 7;
    int ENOEXEC = 8;
    int ECHILD = 10;
    int EAGAIN = 11;
    int EACCES = 13;
    int EINVAL = 22;
    int EROFS = 30;
    int ENOSYS = 38;
    int EAFNOSUPPORT = 97;
    int ENETUNREACH = 101;
    int EOPNOTSUPP = 95;

    // open(2)
    int O_RDONLY = 0;
    int O_WRONLY = 1;
    int O_RDWR = 2;
    int O_CREAT = 0x40;
    int O_TRUNC = 0x200;
    int O_APPEND = 0x400;
    int O_NONBLOCK = 0x800;
    int O_CLOEXEC = 0x80000;
    int O_PATH = 0x200000;
    int AT_FDCWD = -100;

    /** openat2(2), since Linux 5.6. */
    int RESOLVE_NO_SYMLINKS = 4;

    // signal(7)
    int SIGHUP = 1;
    int SIGINT = 2;
    int SIGQUIT = 3;
    int SIGKILL = 9;
    int SIGTERM = 15;
    int SIGCHLD = 17;
    int SIGNALS = 64;

    // fcntl(2)
    int F_DUPFD_CLOEXEC = 1030;
    int F_SETFL = 4;

    /** close_range(2), since Linux 5.11. */
    int CLOSE_RANGE_CLOEXEC = 4;

    /** memfd_create(2), since Linux 3.17. */
    int MFD_CLOEXEC = 1;

    /** eventfd(2): each read takes one, however often was written in between. */
    int EFD_SEMAPHORE = 1;

    int POLLIN = 1;
    int EPOLL_CTL_ADD = 1;
    int EPOLL_CTL_DEL = 2;

    // prctl(2)
    int PR_GET_DUMPABLE = 3;
    int PR_SET_DUMPABLE = 4;
    int PR_SET_SECCOMP = 22;
    int PR_SET_SECUREBITS = 28;
    /** Since Linux 3.5. */
    int PR_SET_NO_NEW_PRIVS = 38;

    int PR_GET_NO_NEW_PRIVS = 39;
    /** Since Linux 4.3. */
    int PR_CAP_AMBIENT = 47;

    int PR_CAP_AMBIENT_CLEAR_ALL = 4;
    int SECCOMP_MODE_FILTER = 2;

    /** capabilities(7): uid 0 gains no capability by execve, and this cannot be undone. */
    int SECBIT_NOROOT = 1;

    int SECBIT_NOROOT_LOCKED = 2;

    // unshare(2), setns(2)
    int CLONE_FS = 0x200;
    int CLONE_NEWNS = 0x20000;
    int CLONE_NEWNET = 0x40000000;

    // mount(2), mount_setattr(2) since Linux 5.12, open_tree(2) and move_mount(2) since Linux 5.2
    int MS_REC = 0x4000;
    int MS_PRIVATE = 0x40000;
    int MOUNT_ATTR_RDONLY = 1;
    int AT_RECURSIVE = 0x8000;
    int AT_EMPTY_PATH = 0x1000;
    int OPEN_TREE_CLONE = 1;
    int OPEN_TREE_CLOEXEC = O_CLOEXEC;
    int MOVE_MOUNT_F_EMPTY_PATH = 4;
    int MOVE_MOUNT_T_EMPTY_PATH = 0x40;

    // socket(2), address_families(7)
    int AF_UNIX = 1;
    int AF_INET = 2;
    int AF_NETLINK = 16;
    int AF_VSOCK = 40;
    int SOCK_STREAM = 1;
    int SOCK_DGRAM = 2;
    int SOCK_RAW = 3;
    int SOCK_CLOEXEC = O_CLOEXEC;
    int IPPROTO_MPTCP = 262;

    // netdevice(7)
    int SIOCSIFFLAGS = 0x8914;
    int IFF_UP = 1;

    /**
     * Makes any system call.
     *
     * @param call which
     * @param a its first argument; those it does not have are 0
     * @param b its second
     * @param c its third
     * @param d its fourth
     * @param e its fifth
     * @param f its sixth
     * @return the result, or the negated error
     * @see <a href="https://man7.org/linux/man-pages/man2/syscall.2.html">syscall(2)</a>
     */
    long syscall(Syscall call, long a, long b, long c, long d, long e, long f);

    /** <a href="https://man7.org/linux/man-pages/man2/read.2.html">read(2)</a> */
    default long read(int fd, long buffer, long count) {
        return syscall(Syscall.READ, fd, buffer, count, 0, 0, 0);
    }

    /** <a href="https://man7.org/linux/man-pages/man2/write.2.html">write(2)</a> */
    default long write(int fd, long buffer, long count) {
        return syscall(Syscall.WRITE, fd, buffer, count, 0, 0, 0);
    }

    /** <a href="https://man7.org/linux/man-pages/man2/close.2.html">close(2)</a> */
    default long close(int fd) {
        return syscall(Syscall.CLOSE, fd, 0, 0, 0, 0, 0);
    }

    /** <a href="https://man7.org/linux/man-pages/man2/lseek.2.html">lseek(2)</a> */
    default long lseek(int fd, long offset, int whence) {
        return syscall(Syscall.LSEEK, fd, offset, whence, 0, 0, 0);
    }

    /** <a href="https://man7.org/linux/man-pages/man2/openat.2.html">openat(2)</a> */
    default long openat(int dirfd, long path, int flags, int mode) {
        return syscall(Syscall.OPENAT, dirfd, path, flags, mode, 0, 0);
    }

    /** <a href="https://man7.org/linux/man-pages/man2/openat2.2.html">openat2(2)</a> */
    default long openat2(int dirfd, long path, long how, long size) {
        return syscall(Syscall.OPENAT2, dirfd, path, how, size, 0, 0);
    }

    /** <a href="https://man7.org/linux/man-pages/man2/pipe2.2.html">pipe2(2)</a> */
    default long pipe2(long fds, int flags) {
        return syscall(Syscall.PIPE2, fds, flags, 0, 0, 0, 0);
    }

    /** <a href="https://man7.org/linux/man-pages/man2/dup3.2.html">dup3(2)</a> */
    default long dup3(int from, int to, int flags) {
        return syscall(Syscall.DUP3, from, to, flags, 0, 0, 0);
    }

    /** <a href="https://man7.org/linux/man-pages/man2/fcntl.2.html">fcntl(2)</a> */
    default long fcntl(int fd, int op, long argument) {
        return syscall(Syscall.FCNTL, fd, op, argument, 0, 0, 0);
    }

    /** <a href="https://man7.org/linux/man-pages/man2/memfd_create.2.html">memfd_create(2)</a> */
    default long memfd_create(long name, int flags) {
        return syscall(Syscall.MEMFD_CREATE, name, flags, 0, 0, 0, 0);
    }

    /** <a href="https://man7.org/linux/man-pages/man2/close_range.2.html">close_range(2)</a> */
    default long close_range(int first, int last, int flags) {
        return syscall(Syscall.CLOSE_RANGE, first, last, flags, 0, 0, 0);
    }

    /** <a href="https://man7.org/linux/man-pages/man2/eventfd.2.html">eventfd(2)</a> */
    default long eventfd(int initial, int flags) {
        return syscall(Syscall.EVENTFD2, initial, flags, 0, 0, 0, 0);
    }

    /** <a href="https://man7.org/linux/man-pages/man2/epoll_create.2.html">epoll_create1(2)</a> */
    default long epoll_create1(int flags) {
        return syscall(Syscall.EPOLL_CREATE1, flags, 0, 0, 0, 0, 0);
    }

    /** <a href="https://man7.org/linux/man-pages/man2/epoll_ctl.2.html">epoll_ctl(2)</a> */
    default long epoll_ctl(int epoll, int op, int fd, long event) {
        return syscall(Syscall.EPOLL_CTL, epoll, op, fd, event, 0, 0);
    }

    /** <a href="https://man7.org/linux/man-pages/man2/wait4.2.html">wait4(2)</a> */
    default long wait4(int pid, long status, int options, long usage) {
        return syscall(Syscall.WAIT4, pid, status, options, usage, 0, 0);
    }

    /** <a href="https://man7.org/linux/man-pages/man2/pidfd_open.2.html">pidfd_open(2)</a> */
    default long pidfd_open(int pid, int flags) {
        return syscall(Syscall.PIDFD_OPEN, pid, flags, 0, 0, 0, 0);
    }

    /** <a href="https://man7.org/linux/man-pages/man2/pidfd_send_signal.2.html">pidfd_send_signal(2)</a> */
    default long pidfd_send_signal(int pidfd, int signal, long info, int flags) {
        return syscall(Syscall.PIDFD_SEND_SIGNAL, pidfd, signal, info, flags, 0, 0);
    }

    /** <a href="https://man7.org/linux/man-pages/man2/kill.2.html">kill(2)</a> */
    default long kill(int pid, int signal) {
        return syscall(Syscall.KILL, pid, signal, 0, 0, 0, 0);
    }

    /** <a href="https://man7.org/linux/man-pages/man2/tgkill.2.html">tgkill(2)</a> */
    default long tgkill(int pid, int tid, int signal) {
        return syscall(Syscall.TGKILL, pid, tid, signal, 0, 0, 0);
    }

    /** <a href="https://man7.org/linux/man-pages/man2/getpid.2.html">getpid(2)</a> */
    default long getpid() {
        return syscall(Syscall.GETPID, 0, 0, 0, 0, 0, 0);
    }

    /** <a href="https://man7.org/linux/man-pages/man2/gettid.2.html">gettid(2)</a> */
    default long gettid() {
        return syscall(Syscall.GETTID, 0, 0, 0, 0, 0, 0);
    }

    /** <a href="https://man7.org/linux/man-pages/man2/sched_yield.2.html">sched_yield(2)</a> */
    default long sched_yield() {
        return syscall(Syscall.SCHED_YIELD, 0, 0, 0, 0, 0, 0);
    }

    /** <a href="https://man7.org/linux/man-pages/man2/execve.2.html">execve(2)</a> */
    default long execve(long path, long argv, long envp) {
        return syscall(Syscall.EXECVE, path, argv, envp, 0, 0, 0);
    }

    /** <a href="https://man7.org/linux/man-pages/man2/chdir.2.html">chdir(2)</a> */
    default long chdir(long path) {
        return syscall(Syscall.CHDIR, path, 0, 0, 0, 0, 0);
    }

    /** <a href="https://man7.org/linux/man-pages/man2/prctl.2.html">prctl(2)</a> */
    default long prctl(int op, long a, long b, long c, long d) {
        return syscall(Syscall.PRCTL, op, a, b, c, d, 0);
    }

    /** <a href="https://man7.org/linux/man-pages/man2/capset.2.html">capset(2)</a> */
    default long capset(long header, long data) {
        return syscall(Syscall.CAPSET, header, data, 0, 0, 0, 0);
    }

    /** <a href="https://man7.org/linux/man-pages/man2/capget.2.html">capget(2)</a> */
    default long capget(long header, long data) {
        return syscall(Syscall.CAPGET, header, data, 0, 0, 0, 0);
    }

    /** <a href="https://man7.org/linux/man-pages/man2/setgroups.2.html">setgroups(2)</a>. The system call, as {@link #setresuid}. */
    default long setgroups(long size, long list) {
        return syscall(Syscall.SETGROUPS, size, list, 0, 0, 0, 0);
    }

    /** <a href="https://man7.org/linux/man-pages/man2/setresuid.2.html">setresuid(2)</a>. The system call: of the calling thread alone. libc's function of this name changes all threads. */
    default long setresuid(int real, int effective, int saved) {
        return syscall(Syscall.SETRESUID, real, effective, saved, 0, 0, 0);
    }

    /** <a href="https://man7.org/linux/man-pages/man2/setresgid.2.html">setresgid(2)</a>. The system call, as {@link #setresuid}. */
    default long setresgid(int real, int effective, int saved) {
        return syscall(Syscall.SETRESGID, real, effective, saved, 0, 0, 0);
    }

    /** <a href="https://man7.org/linux/man-pages/man2/unshare.2.html">unshare(2)</a> */
    default long unshare(int flags) {
        return syscall(Syscall.UNSHARE, flags, 0, 0, 0, 0, 0);
    }

    /** <a href="https://man7.org/linux/man-pages/man2/setns.2.html">setns(2)</a> */
    default long setns(int fd, int type) {
        return syscall(Syscall.SETNS, fd, type, 0, 0, 0, 0);
    }

    /** <a href="https://man7.org/linux/man-pages/man2/mount.2.html">mount(2)</a> */
    default long mount(long source, long target, long type, long flags, long data) {
        return syscall(Syscall.MOUNT, source, target, type, flags, data, 0);
    }

    /** <a href="https://man7.org/linux/man-pages/man2/open_tree.2.html">open_tree(2)</a> */
    default long open_tree(int dirfd, long path, int flags) {
        return syscall(Syscall.OPEN_TREE, dirfd, path, flags, 0, 0, 0);
    }

    /** <a href="https://man7.org/linux/man-pages/man2/move_mount.2.html">move_mount(2)</a> */
    default long move_mount(int fromFd, long from, int toFd, long to, int flags) {
        return syscall(Syscall.MOVE_MOUNT, fromFd, from, toFd, to, flags, 0);
    }

    /** <a href="https://man7.org/linux/man-pages/man2/mount_setattr.2.html">mount_setattr(2)</a> */
    default long mount_setattr(int dirfd, long path, int flags, long attr, long size) {
        return syscall(Syscall.MOUNT_SETATTR, dirfd, path, flags, attr, size, 0);
    }

    /** <a href="https://man7.org/linux/man-pages/man2/landlock_create_ruleset.2.html">landlock_create_ruleset(2)</a> */
    default long landlock_create_ruleset(long attr, long size, int flags) {
        return syscall(Syscall.LANDLOCK_CREATE_RULESET, attr, size, flags, 0, 0, 0);
    }

    /** <a href="https://man7.org/linux/man-pages/man2/landlock_add_rule.2.html">landlock_add_rule(2)</a> */
    default long landlock_add_rule(int ruleset, int type, long attr, int flags) {
        return syscall(Syscall.LANDLOCK_ADD_RULE, ruleset, type, attr, flags, 0, 0);
    }

    /** <a href="https://man7.org/linux/man-pages/man2/landlock_restrict_self.2.html">landlock_restrict_self(2)</a> */
    default long landlock_restrict_self(int ruleset, int flags) {
        return syscall(Syscall.LANDLOCK_RESTRICT_SELF, ruleset, flags, 0, 0, 0, 0);
    }

    /** <a href="https://man7.org/linux/man-pages/man2/socket.2.html">socket(2)</a> */
    default long socket(int domain, int type, int protocol) {
        return syscall(Syscall.SOCKET, domain, type, protocol, 0, 0, 0);
    }

    /** <a href="https://man7.org/linux/man-pages/man2/connect.2.html">connect(2)</a> */
    default long connect(int fd, long address, int length) {
        return syscall(Syscall.CONNECT, fd, address, length, 0, 0, 0);
    }

    /** <a href="https://man7.org/linux/man-pages/man2/ioctl.2.html">ioctl(2)</a> */
    default long ioctl(int fd, long op, long argument) {
        return syscall(Syscall.IOCTL, fd, op, argument, 0, 0, 0);
    }

    /** <a href="https://man7.org/linux/man-pages/man2/socketpair.2.html">socketpair(2)</a> */
    default long socketpair(int domain, int type, int protocol, long fds) {
        return syscall(Syscall.SOCKETPAIR, domain, type, protocol, fds, 0, 0);
    }

    /** <a href="https://man7.org/linux/man-pages/man2/io_uring_setup.2.html">io_uring_setup(2)</a> */
    default long io_uring_setup(int entries, long params) {
        return syscall(Syscall.IO_URING_SETUP, entries, params, 0, 0, 0, 0);
    }

    /** <a href="https://man7.org/linux/man-pages/man2/poll.2.html">ppoll(2)</a>, without a signal mask */
    default long ppoll(long fds, int count, long timeout) {
        return syscall(Syscall.PPOLL, fds, count, timeout, 0, 0, 0);
    }

    /** <a href="https://man7.org/linux/man-pages/man2/epoll_wait.2.html">epoll_pwait(2)</a>, without a signal mask */
    default long epoll_wait(int epoll, long events, int most, int timeout) {
        return syscall(Syscall.EPOLL_PWAIT, epoll, events, most, timeout, 0, 0);
    }

    /** <a href="https://man7.org/linux/man-pages/man2/sigprocmask.2.html">rt_sigprocmask(2)</a> */
    default long sigprocmask(int how, long set, long old) {
        return syscall(Syscall.RT_SIGPROCMASK, how, set, old, SIGNALS / 8, 0, 0);
    }

    /** <a href="https://man7.org/linux/man-pages/man2/sigaction.2.html">rt_sigaction(2)</a> */
    default long sigaction(int signal, long act, long old) {
        return syscall(Syscall.RT_SIGACTION, signal, act, old, SIGNALS / 8, 0, 0);
    }
}
