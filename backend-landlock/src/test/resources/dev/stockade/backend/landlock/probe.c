/* Tries one thing and says how it went: exit 0 if it worked, 1 if it was refused (with errno on stdout). */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <netinet/in.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef MOUNT_ATTR_RDONLY
struct mount_attr { uint64_t attr_set, attr_clr, propagation, userns_fd; };
#define MOUNT_ATTR_RDONLY 1
#endif

static int said(long result) {
  if (result >= 0) { puts("worked"); return 0; }
  printf("errno %d\n", errno);
  return 1;
}

static int i386_socket(void) {
#ifdef __x86_64__
  /* socketcall(SYS_SOCKET, {AF_INET, SOCK_STREAM, 0}); its pointers have 32 bits */
  uint32_t *args = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
  args[0] = AF_INET; args[1] = SOCK_STREAM; args[2] = 0;
  long result;
  __asm__ volatile("int $0x80" : "=a"(result) : "a"(102), "b"(1), "c"(args) : "memory", "r8", "r9", "r10", "r11");
  if ((int) result < 0) { errno = -(int) result; return -1; }
  return (int) result;
#else
  errno = ENOSYS; return -1;
#endif
}

static int to(const char *port, int type, int protocol) {
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(atoi(port)), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int fd = socket(AF_INET, type, protocol);
  if (fd < 0) return fd;
  if (type == SOCK_DGRAM) return sendto(fd, "x", 1, 0, (struct sockaddr *) &at, sizeof at);
  return connect(fd, (struct sockaddr *) &at, sizeof at);
}

static int unix_to(const char *path, int abstract) {
  struct sockaddr_un at = {.sun_family = AF_UNIX};
  size_t length = strlen(path);
  memcpy(at.sun_path + abstract, path, length);
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  if (fd < 0) return fd;
  return connect(fd, (struct sockaddr *) &at, offsetof(struct sockaddr_un, sun_path) + abstract + length + (abstract ? 0 : 1));
}

static long word = 42;

int main(int n, char **a) {
  const char *what = a[1], *arg = n > 2 ? a[2] : "", *arg2 = n > 3 ? a[3] : "";
  if (!strcmp(what, "tcp")) return said(to(arg, SOCK_STREAM, 0));
  if (!strcmp(what, "udp")) return said(to(arg, SOCK_DGRAM, 0));
  if (!strcmp(what, "mptcp")) return said(socket(AF_INET, SOCK_STREAM, 262));
  if (!strcmp(what, "unix")) return said(unix_to(arg, 0));
  if (!strcmp(what, "abstract")) return said(unix_to(arg, 1));
  if (!strcmp(what, "pair")) { int p[2]; return said(socketpair(AF_UNIX, SOCK_STREAM, 0, p)); }
  if (!strcmp(what, "dgrampair")) { int p[2]; return said(socketpair(AF_UNIX, SOCK_DGRAM, 0, p)); }
  if (!strcmp(what, "route")) return said(socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE));
  if (!strcmp(what, "uevent")) return said(socket(AF_NETLINK, SOCK_RAW, NETLINK_KOBJECT_UEVENT));
  if (!strcmp(what, "vsock")) return said(socket(AF_VSOCK, SOCK_STREAM, 0));
  if (!strcmp(what, "packet")) return said(socket(AF_PACKET, SOCK_RAW, 0));
  if (!strcmp(what, "raw")) return said(socket(AF_INET, SOCK_RAW, IPPROTO_ICMP));
  if (!strcmp(what, "iouring")) { char p[256] = {0}; return said(syscall(425, 1, p)); }
  if (!strcmp(what, "x32")) return said(syscall(0x40000000 + 41, AF_INET, SOCK_STREAM, 0));
  if (!strcmp(what, "x32pid")) return said(syscall(0x40000000 + 39));
  if (!strcmp(what, "i386")) return said(i386_socket());
  if (!strcmp(what, "highbits")) return said(syscall(SYS_socket, 0x100000000L + AF_INET, SOCK_STREAM, 0));
  if (!strcmp(what, "chmod")) return said(chmod(arg, 0777));
  if (!strcmp(what, "tiocsti")) return said(ioctl(0, TIOCSTI, "x"));
  if (!strcmp(what, "highsti")) return said(syscall(SYS_ioctl, 0, 0x100000000UL + TIOCSTI, "x"));
  if (!strcmp(what, "userns")) return said(syscall(SYS_unshare, 0x10000000));
  if (!strcmp(what, "signal")) return said(kill(atoi(arg), 0));
  if (!strcmp(what, "reopen")) {
    struct mount_attr attr = {.attr_clr = MOUNT_ATTR_RDONLY};
    return said(syscall(442, AT_FDCWD, arg, 0, &attr, sizeof attr));
  }
  if (!strcmp(what, "caps")) {
    struct { uint32_t version; int pid; } h = {0x20080522, 0};
    uint32_t d[6] = {0};
    syscall(SYS_capget, &h, d);
    printf("%08x%08x%08x\n", d[0] | d[3], d[1] | d[4], d[2] | d[5]);
    return (d[0] | d[1] | d[2] | d[3] | d[4] | d[5]) ? 0 : 1;
  }
  if (!strcmp(what, "threads")) { /* signal, read the memory of, and trace every thread of a process, for a while */
    int pid = atoi(arg), hit = 0;
    char path[64];
    sprintf(path, "/proc/%d/task", pid);
    for (int round = 0; round < atoi(arg2); round++) {
      DIR *tasks = opendir(path);
      struct dirent *task;
      while (tasks && (task = readdir(tasks))) {
        int tid = atoi(task->d_name);
        if (!tid) continue;
        if (!syscall(SYS_tgkill, pid, tid, 0) || !kill(tid, 0)) hit |= 1;
        struct iovec mine = {&word, sizeof word}, theirs = {&word, sizeof word};
        if (process_vm_readv(tid, &mine, 1, &theirs, 1, 0) >= 0 || errno == EFAULT) hit |= 2;
        if (!ptrace(PTRACE_SEIZE, tid, 0, 0)) hit |= 4;
      }
      if (tasks) closedir(tasks);
    }
    printf("hit %d\n", hit);
    return hit ? 0 : 1;
  }
  if (!strcmp(what, "bomb")) { /* daemons that leave the process tree, for ten seconds: some change their number all the time */
    for (int i = 0; i < 8; i++)
      if (!fork()) {
        setsid();
        if (fork()) _exit(0);
        setsid(); close(0); close(1); close(2);
        for (int hop = 0; hop < 300; hop++) {
          int child = fork();
          if (i % 2 ? child : !child) _exit(0);
          usleep(30000);
          waitpid(-1, 0, WNOHANG);
        }
        _exit(0);
      }
    usleep(100000);
    return 0;
  }
  return 99;
}
