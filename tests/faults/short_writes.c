// Loaded before the C library: writes accept half of what they are given, as they may on a full
// pipe, over a network or when a signal comes. The calls are counted from umask(), with which privpfc
// begins.
//
//   SHORT_WRITES_FROM     the first call that falls short (none by default)
//   SHORT_WRITES_TO       the last one (default: no end)
//   SHORT_WRITES_REPORT   a file that gets the number of calls, and of those that fell short

#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static int begun = 0;
static long calls = 0;
static long short_calls = 0;

static long number(const char* name, long otherwise) {
  const char* text = getenv(name);
  return text ? atol(text) : otherwise;
}

static size_t accepted(size_t size) {
  if (!__atomic_load_n(&begun, __ATOMIC_RELAXED)) return size;
  const long call = __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED);
  const long from = number("SHORT_WRITES_FROM", 0);
  const int falls_short =
      from > 0 && call >= from && call <= number("SHORT_WRITES_TO", call) && size > 1;
  if (!falls_short) return size;
  __atomic_add_fetch(&short_calls, 1, __ATOMIC_RELAXED);
  return size / 2;
}

mode_t umask(mode_t mask) {
  __atomic_store_n(&begun, 1, __ATOMIC_RELAXED);
  return (mode_t)syscall(SYS_umask, mask);
}

ssize_t write(int file, const void* bytes, size_t size) {
  return syscall(SYS_write, file, bytes, accepted(size));
}

ssize_t pwrite64(int file, const void* bytes, size_t size, off64_t at) {
  return syscall(SYS_pwrite64, file, bytes, accepted(size), at);
}

ssize_t pwrite(int file, const void* bytes, size_t size, off_t at) {
  return pwrite64(file, bytes, size, at);
}

// Only the first of its parts, and of that a half.
ssize_t writev(int file, const struct iovec* parts, int count) {
  size_t size = 0;
  for (int i = 0; i < count; ++i) size += parts[i].iov_len;
  if (count == 0 || accepted(size) == size) return syscall(SYS_writev, file, parts, count);
  const size_t first = parts[0].iov_len;
  return syscall(SYS_write, file, parts[0].iov_base, first > 1 ? first / 2 : first);
}

__attribute__((destructor)) static void report(void) {
  const char* name = getenv("SHORT_WRITES_REPORT");
  FILE* file = name ? fopen(name, "w") : NULL;
  if (!file) return;
  fprintf(file, "%ld %ld", calls, short_calls);
  fclose(file);
}
