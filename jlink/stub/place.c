/* Where the one file may unpack: a folder that is ours alone, that nobody else can swap, and that programs run from. */
#include "stub.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

static char reasons[8192];

/* Notes why a folder will not do. */
__attribute__((format(printf, 2, 3))) static int refused(const char *path, const char *form, ...) {
  size_t used = strlen(reasons);
  char why[512];
  va_list rest;
  va_start(rest, form);
  vsnprintf(why, sizeof why, form, rest);
  va_end(rest);
  snprintf(reasons + used, sizeof reasons - used, "\n  %s: %s", path, why);
  return -1;
}

/*
 * Who may write to a folder above ours can put another in its place: only we, or who owns `/`, or all if it is sticky.
 */
static int guarded(const char *path) {
  char up[PATH_MAX + 2];
  struct stat root, s;
  if (stat("/", &root) != 0) return refused(path, "%s", strerror(errno));
  strcpy(up, path);
  while (strcmp(up, "/") != 0) {
    char *slash = strrchr(up, '/');
    *(slash == up ? slash + 1 : slash) = 0;
    if (stat(up, &s) != 0) return refused(path, "%s: %s", up, strerror(errno));
    if (s.st_uid != geteuid() && s.st_uid != root.st_uid) {
      return refused(path, "%s belongs to user %u", up, (unsigned) s.st_uid);
    }
    if ((s.st_mode & 022) && !(s.st_mode & S_ISVTX)) return refused(path, "others may write to %s", up);
  }
  return 0;
}

/*
 * Makes the folder and those above it that are missing. Nothing is made in a folder of somebody else, as in a home
 * under sudo.
 */
static int make_folders(char *path) {
  char above[PATH_MAX], real[PATH_MAX + 2];
  int found = 0;
  strcpy(above, path);
  if (access(path, F_OK) == 0) return 0;
  do {
    char *slash = strrchr(above, '/');
    if (slash == NULL) strcpy(above, ".");
    else *(slash == above ? slash + 1 : slash) = 0;
    found = realpath(above, real) != NULL;
  } while (!found && errno == ENOENT && strcmp(above, "/") != 0 && strcmp(above, ".") != 0);
  if (!found) return refused(path, "%s: %s", above, strerror(errno));
  strncat(real, "/.", sizeof real - 1 - strlen(real));
  if (guarded(real) != 0) return -1;
  for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
    *slash = 0;
    int made = mkdir(path, 0700) == 0 || errno == EEXIST;
    *slash = '/';
    if (!made && errno != EROFS && errno != EACCES) return refused(path, "cannot be made: %s", strerror(errno));
  }
  return mkdir(path, 0700) == 0 || errno == EEXIST ? 0 : refused(path, "cannot be made: %s", strerror(errno));
}

/*
 * A name in a folder that all may write to must be no link; one that the user has named may be, and is followed once.
 */
static int try_place(const char *parent, const char *name, char path[PATH_MAX]) {
  char asked[PATH_MAX];
  struct stat s;
  struct statvfs on;
  if (snprintf(asked, PATH_MAX, "%s%s", parent, name) >= PATH_MAX) return refused(parent, "too long");
  if (make_folders(asked) != 0) return -1;
  if (*name != 0 && (lstat(asked, &s) != 0 || S_ISLNK(s.st_mode))) return refused(asked, "is a link");
  if (realpath(asked, path) == NULL) return refused(asked, "%s", strerror(errno));
  int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder < 0) return refused(path, errno == ENOTDIR || errno == ELOOP ? "is no folder" : "%s", strerror(errno));
  int good = -1;
  if (fstat(folder, &s) != 0 || fstatvfs(folder, &on) != 0) refused(path, "%s", strerror(errno));
  else if (s.st_uid != geteuid()) refused(path, "belongs to user %u, not to %u", (unsigned) s.st_uid,
      (unsigned) geteuid());
  else if (s.st_mode & 077) refused(path, "its mode is %o: others must have no access (chmod 700)",
      (unsigned) s.st_mode & 07777);
  else if (on.f_flag & ST_NOEXEC) refused(path, "no program may run from there (noexec)");
  else good = guarded(path);
  if (good == 0) return folder;
  close(folder);
  return -1;
}

int open_place(char path[PATH_MAX]) {
  const char *home = getenv("PORTCULLIS_HOME"), *cache = getenv("XDG_CACHE_HOME");
  const char *user = getenv("HOME"), *tmp = getenv("TMPDIR");
  char named[64];
  snprintf(named, sizeof named, "/portcullis-%u", (unsigned) geteuid());
  int set = home != NULL && *home != 0;
  const char *places[][2] = {
    {cache, "/portcullis"}, {user, "/.cache/portcullis"}, {tmp, named},
    {"/var/tmp", named}, {"/tmp", named}, {"/dev/shm", named},
  };
  int folder = set ? try_place(home, "", path) : -1;
  for (size_t i = 0; !set && folder < 0 && i < sizeof places / sizeof *places; i++) {
    if (places[i][0] != NULL && places[i][0][0] == '/') folder = try_place(places[i][0], places[i][1], path);
  }
  if (folder >= 0) return folder;
  fail("there is no folder to unpack to:%s\n%s", reasons, set
    ? "PORTCULLIS_HOME has to name another; or use the .tar.gz, which is unpacked already"
    : "set PORTCULLIS_HOME to a folder of this user where programs may run; "
      "or use the .tar.gz, which is unpacked already");
}
