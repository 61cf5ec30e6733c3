/*
 * Stands between the program and the C library, and makes the n-th call that touches a file under a folder go wrong.
 *
 *   FAULT_UNDER  folders, with a colon between: only calls on paths below one of them are counted. Connections over the
 *                network are below /inet: connect, send and receive are counted where that is named
 *   FAULT_PLAN   a file "<serial> <ops> <at> <count> <what> <errno>", read anew at each call, so that it can be changed
 *                under a running process; without the file nothing is counted. A new serial begins the count again
 *   FAULT_LOG    a line for each call that was counted: "<serial> <n> <op> <path> [hit]"
 *
 * ops: names with a comma between, or all. at: the first call that goes wrong, from 1; 0 only counts. count: how many do.
 * what: kill (before the call), killafter, error (the call does not happen), after (it happens, and an error is told),
 * torn (half of a write happens, and an error is told), short (half of a write happens, and that is told).
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

enum what { NOTHING, KILL, KILLAFTER, ERROR, AFTER, TORN, SHORT };

static long serial_seen = -1;
static int counted;

static int is_under(const char *path) {
  const char *under = getenv("FAULT_UNDER");
  if (under == NULL || path == NULL) return 0;
  while (*under != 0) {
    size_t length = strcspn(under, ":");
    if (length > 0 && strncmp(path, under, length) == 0 && (path[length] == '/' || path[length] == 0)) return 1;
    under += length + (under[length] == ':');
  }
  return 0;
}

static int read_plan(char *text, size_t size) {
  const char *file = getenv("FAULT_PLAN");
  if (file == NULL) return 0;
  long fd = syscall(SYS_openat, AT_FDCWD, file, O_RDONLY | O_CLOEXEC, 0);
  if (fd < 0) return 0;
  long got = syscall(SYS_read, fd, text, size - 1);
  syscall(SYS_close, fd);
  if (got <= 0) return 0;
  text[got] = 0;
  return 1;
}

static int has_op(const char *ops, const char *op) {
  if (strcmp(ops, "all") == 0) return 1;
  size_t length = strlen(op);
  for (const char *at = ops; (at = strstr(at, op)) != NULL; at += length)
    if ((at == ops || at[-1] == ',') && (at[length] == 0 || at[length] == ',')) return 1;
  return 0;
}

static void note(long serial, int n, const char *op, const char *path, int hit) {
  const char *file = getenv("FAULT_LOG");
  if (file == NULL) return;
  long fd = syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) return;
  char line[4300];
  int length = snprintf(line, sizeof line, "%ld %d %s %.4000s%s\n", serial, n, op, path, hit ? " hit" : "");
  syscall(SYS_write, fd, line, (size_t)length);
  syscall(SYS_close, fd);
}

static enum what look(const char *op, const char *path, int *error) {
  if (!is_under(path)) return NOTHING;
  char text[256], ops[128], what[16];
  long serial;
  int at, count, code;
  if (!read_plan(text, sizeof text)) return NOTHING;
  if (sscanf(text, "%ld %127s %d %d %15s %d", &serial, ops, &at, &count, what, &code) != 6) return NOTHING;
  if (!has_op(ops, op)) return NOTHING;
  if (serial != serial_seen) {
    serial_seen = serial;
    counted = 0;
  }
  int n = __sync_add_and_fetch(&counted, 1);
  int hit = at > 0 && n >= at && n - at < count;
  note(serial, n, op, path, hit);
  if (!hit) return NOTHING;
  *error = code;
  if (strcmp(what, "kill") == 0) {
    kill(getpid(), SIGKILL);
    return KILL;
  }
  if (strcmp(what, "killafter") == 0) return KILLAFTER;
  if (strcmp(what, "after") == 0) return AFTER;
  if (strcmp(what, "torn") == 0) return TORN;
  if (strcmp(what, "short") == 0) return SHORT;
  return ERROR;
}

/* A connection to another program over the network is a path of its own: /inet/<port>. */
static enum what look_socket(const char *op, const struct sockaddr_storage *to, int *error) {
  char path[32];
  if (to->ss_family == AF_INET)
    snprintf(path, sizeof path, "/inet/%d", ntohs(((const struct sockaddr_in *)to)->sin_port));
  else if (to->ss_family == AF_INET6)
    snprintf(path, sizeof path, "/inet/%d", ntohs(((const struct sockaddr_in6 *)to)->sin6_port));
  else return NOTHING;
  return look(op, path, error);
}

static enum what look_peer(const char *op, int fd, int *error) {
  struct sockaddr_storage to;
  socklen_t size = sizeof to;
  if (getenv("FAULT_PLAN") == NULL || getpeername(fd, (struct sockaddr *)&to, &size) != 0) return NOTHING;
  return look_socket(op, &to, error);
}

static enum what look_fd(const char *op, int fd, int *error) {
  if (getenv("FAULT_PLAN") == NULL) return NOTHING;
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  long length = syscall(SYS_readlinkat, AT_FDCWD, link, path, sizeof path - 1);
  if (length <= 0) return NOTHING;
  path[length] = 0;
  return look(op, path, error);
}

/* The call, unless it goes wrong. `call` must leave its result in `result`. */
#define STAGE(looked, call)                                   \
  int code = 0;                                               \
  enum what what = looked;                                    \
  if (what == ERROR || what == TORN || what == SHORT) {       \
    errno = code;                                             \
    return -1;                                                \
  }                                                           \
  __typeof__(call) result = call;                             \
  if (what == KILLAFTER) kill(getpid(), SIGKILL);             \
  if (what == AFTER) {                                        \
    errno = code;                                             \
    return -1;                                                \
  }                                                           \
  return result;

static ssize_t half_write(enum what what, int fd, const void *bytes, size_t size, int code) {
  ssize_t written = size > 1 ? syscall(SYS_write, fd, bytes, size / 2) : 0;
  if (what == SHORT && written > 0) return written;
  errno = code;
  return -1;
}

ssize_t write(int fd, const void *bytes, size_t size) {
  int code = 0;
  enum what what = look_fd("write", fd, &code);
  if (what == NOTHING) what = look_peer("send", fd, &code);
  if (what == TORN || what == SHORT) return half_write(what, fd, bytes, size, code);
  if (what == ERROR) {
    errno = code;
    return -1;
  }
  ssize_t result = REAL(write)(fd, bytes, size);
  if (what == KILLAFTER) kill(getpid(), SIGKILL);
  if (what == AFTER) {
    errno = code;
    return -1;
  }
  return result;
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t at) { STAGE(look_fd("write", fd, &code), REAL(pwrite64)(fd, bytes, size, at)) }

static enum what look_writev(int fd, int *error) {
  enum what what = look_fd("write", fd, error);
  return what == NOTHING ? look_peer("send", fd, error) : what;
}

ssize_t writev(int fd, const struct iovec *parts, int count) { STAGE(look_writev(fd, &code), REAL(writev)(fd, parts, count)) }
ssize_t sendmsg(int fd, const struct msghdr *message, int flags) { STAGE(look_peer("send", fd, &code), REAL(sendmsg)(fd, message, flags)) }
ssize_t read(int fd, void *bytes, size_t size) { STAGE(look_peer("receive", fd, &code), REAL(read)(fd, bytes, size)) }

static enum what look_connect(const struct sockaddr *to, socklen_t size, int *error) {
  struct sockaddr_storage copy;
  memset(&copy, 0, sizeof copy);
  memcpy(&copy, to, size < sizeof copy ? size : sizeof copy);
  return look_socket("connect", &copy, error);
}

int connect(int fd, const struct sockaddr *to, socklen_t size) { STAGE(look_connect(to, size, &code), REAL(connect)(fd, to, size)) }
int fsync(int fd) { STAGE(look_fd("sync", fd, &code), REAL(fsync)(fd)) }
int fdatasync(int fd) { STAGE(look_fd("sync", fd, &code), REAL(fdatasync)(fd)) }
int ftruncate64(int fd, off64_t size) { STAGE(look_fd("truncate", fd, &code), REAL(ftruncate64)(fd, size)) }
int mkdir(const char *path, mode_t mode) { STAGE(look("mkdir", path, &code), REAL(mkdir)(path, mode)) }
int rmdir(const char *path) { STAGE(look("remove", path, &code), REAL(rmdir)(path)) }
int unlink(const char *path) { STAGE(look("remove", path, &code), REAL(unlink)(path)) }
int rename(const char *from, const char *to) { STAGE(look("rename", is_under(to) ? to : from, &code), REAL(rename)(from, to)) }
int link(const char *from, const char *to) { STAGE(look("link", to, &code), REAL(link)(from, to)) }

int open64(const char *path, int flags, ...) {
  mode_t mode = 0;
  if (flags & (O_CREAT | __O_TMPFILE)) {
    va_list rest;
    va_start(rest, flags);
    mode = va_arg(rest, mode_t);
    va_end(rest);
  }
  const char *op = flags & O_CREAT ? "create" : (flags & O_ACCMODE) == O_RDONLY ? "open" : "openwrite";
  STAGE(look(op, path, &code), REAL(open64)(path, flags, mode))
}
