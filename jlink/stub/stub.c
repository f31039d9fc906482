/*
 * What runs when the one file is started: it unpacks what is packed behind it, once, to a folder of the user's own, and
 * starts the program there. Linked statically, so that it can tell what is missing on any Linux.
 */
#include "stub.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define LAST_LINE 256

/* What is half unpacked, and must not be left when the program fails. */
static char fresh[64];
static int fresh_in;

void fail(const char *form, ...) {
  va_list rest;
  va_start(rest, form);
  fputs("portcullis: ", stderr);
  vfprintf(stderr, form, rest);
  fputc('\n', stderr);
  va_end(rest);
  if (*fresh != 0) tree_remove(fresh_in, fresh);
  exit(78);
}

void read_at(const struct pack *pack, void *to, size_t length, long long at) {
  for (char *next = to; length > 0;) {
    ssize_t got = pread(pack->file, next, length, at);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail("this file cannot be read: %s", strerror(errno));
    if (got == 0) fail("this file is damaged: it is too short; fetch it again and compare it with SHA256SUMS");
    next += got;
    at += got;
    length -= got;
  }
}

/* The last line, filled up with blanks: portcullis-one-file 1 NAME GLIBC-MINOR LIST-LENGTH PACK-LENGTH SHA-256 */
static struct pack read_pack(void) {
  struct pack pack = {.file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC)};
  struct stat s;
  char line[LAST_LINE + 1] = {0};
  if (pack.file < 0) pack.file = open((const char *) getauxval(AT_EXECFN), O_RDONLY | O_CLOEXEC);
  if (pack.file < 0 || fstat(pack.file, &s) != 0) fail("it cannot read its own file: %s", strerror(errno));
  if (s.st_size > LAST_LINE) read_at(&pack, line, LAST_LINE, s.st_size - LAST_LINE);
  if (sscanf(line, "portcullis-one-file 1 %127s %d %lld %lld %64s", pack.name, &pack.glibc, &pack.list_length,
      &pack.pack_length, pack.digest) != 5) {
    fail("this file is damaged: its end is missing; fetch it again and compare it with SHA256SUMS");
  }
  pack.pack_at = s.st_size - LAST_LINE - pack.pack_length;
  pack.list_at = pack.pack_at - pack.list_length;
  if (pack.list_length <= 0 || pack.pack_length <= 0 || pack.list_at <= 0) {
    fail("this file is damaged: its lengths do not fit");
  }
  return pack;
}

/* The newest version of glibc 2 that the library there says it has, as in `GLIBC_2.36`; 0 where there is none. */
static int glibc_at(const char *path) {
  struct stat s;
  int newest = 0, file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0 || fstat(file, &s) != 0) return 0;
  const char *bytes = mmap(NULL, s.st_size, PROT_READ, MAP_PRIVATE, file, 0);
  const char *at = bytes, *end = bytes + s.st_size - 16;
  close(file);
  if (bytes == MAP_FAILED) return 0;
  while (at < end && (at = memmem(at, end - at, "GLIBC_2.", 8)) != NULL) {
    int minor = atoi(at += 8);
    if (minor > newest) newest = minor;
  }
  return newest;
}

/* The JDK is linked to glibc; without it, or with an old one, its own message would be hard to understand. */
static void need_glibc(int needed) {
  static const char *const libraries[] = {
    "/lib/x86_64-linux-gnu/libc.so.6", "/lib/aarch64-linux-gnu/libc.so.6", "/lib64/libc.so.6",
    "/usr/lib64/libc.so.6", "/usr/lib/libc.so.6", "/lib/libc.so.6",
  };
#ifdef __aarch64__
  static const char loader[] = "/lib/ld-linux-aarch64.so.1";
#else
  static const char loader[] = "/lib64/ld-linux-x86-64.so.2";
#endif
  if (access(loader, F_OK) != 0) {
    fail("this host has no glibc (%s is missing), and glibc 2.%d or newer is needed", loader, needed);
  }
  for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
    int found = glibc_at(libraries[i]);
    if (found >= needed) return;
    if (found > 0) fail("this host has glibc 2.%d (%s), and 2.%d or newer is needed", found, libraries[i], needed);
  }
}

/* What starts that were cut short have left; only who holds the lock may look. */
static void sweep(int folder) {
  DIR *entries = fdopendir(dup(folder));
  if (entries == NULL) return;
  for (struct dirent *e = readdir(entries); e != NULL; e = readdir(entries)) {
    if (strncmp(e->d_name, ".new-", 5) == 0 || strncmp(e->d_name, ".old-", 5) == 0) tree_remove(folder, e->d_name);
  }
  closedir(entries);
}

/* Of several starts at once one unpacks and the others wait. What is half done never bears the name. */
static void provide(const struct pack *pack, int folder, const char *path) {
  char old[64];
  int lock = openat(folder, ".lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (lock < 0 || flock(lock, LOCK_EX) != 0) fail("it cannot write to %s: %s", path, strerror(errno));
  if (tree_whole(pack, folder, pack->name)) return;
  need_glibc(pack->glibc);
  sweep(folder);
  fresh_in = folder;
  snprintf(fresh, sizeof fresh, ".new-%d", (int) getpid());
  snprintf(old, sizeof old, ".old-%d", (int) getpid());
  if (unpack(pack, folder, fresh) != 0) fail("it cannot unpack to %s, which takes 130 MB: %s", path, strerror(errno));
  if (!tree_whole(pack, folder, fresh)) {
    fail("what it unpacked to %s is not what is packed: the disk may be faulty", path);
  }
  renameat(folder, pack->name, folder, old);
  if (renameat(folder, fresh, folder, pack->name) != 0) fail("it cannot unpack to %s: %s", path, strerror(errno));
  *fresh = 0;
  tree_remove(folder, old);
  close(lock);
}

int main(int count, char **words) {
  (void) count;
  static char path[PATH_MAX], program[PATH_MAX + 256];
  struct pack pack = read_pack();
  int folder = open_place(path);
  if (!tree_whole(&pack, folder, pack.name)) provide(&pack, folder, path);
  snprintf(program, sizeof program, "%s/%s/bin/portcullis", path, pack.name);
  words[0] = program;
  execv(program, words);
  fail("it cannot start %s: %s%s", program, strerror(errno), errno == ENOENT ? " (is there a /bin/sh?)" : "");
}
