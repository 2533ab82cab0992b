// System calls that the Swift overlays of the C library do not show.
#pragma once
#include <errno.h>
#include <fcntl.h>
#ifdef __linux__
#include <malloc.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
#endif

// Asks for a pipe buffer of `bytes`; 0 or an error number. Here because F_SETPIPE_SZ is a GNU
// extension: the C library's module is built without _GNU_SOURCE, so Swift never sees the constant.
static inline int msSetPipeSize(int descriptor, int bytes) {
#ifdef __linux__
#ifndef F_SETPIPE_SZ
#define F_SETPIPE_SZ 1031
#endif
  return fcntl(descriptor, F_SETPIPE_SZ, bytes) < 0 ? errno : 0;
#else
  (void)descriptor;
  (void)bytes;
  return ENOTSUP;
#endif
}

// Puts what stands in memory into a pipe without copying it: the reader sees what is in those pages
// when it reads them. Returns the bytes taken, or -1 with errno. Here because vmsplice is a GNU
// extension.
static inline long msHandOver(int descriptor, const void *start, size_t count) {
#ifdef SYS_vmsplice
  struct iovec part = {(void *)start, count};
  return syscall(SYS_vmsplice, descriptor, &part, 1, 0);
#else
  errno = ENOSYS;
  return -1;
#endif
}

// Gives blocks of 4 MiB and more back to the system as soon as they are freed. glibc would raise
// that limit to 32 MiB by itself, and the planes that layers are made of would then stay with the
// process for good. Here because the C library's module does not show malloc.h.
static inline void msReturnLargeBlocks(void) {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 4 << 20);
#endif
}
