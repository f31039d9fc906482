/* Looks at what was unpacked: whether it is whole; and removes what is not. */
#include "stub.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A line of the list is: f or l, mode in octal, size, time, path; the time of links is not looked at. */
static int as_listed(int tree, char *line) {
  struct stat s;
  char kind;
  unsigned mode;
  long long size, time;
  int path;
  if (sscanf(line, "%c %o %lld %lld %n", &kind, &mode, &size, &time, &path) != 4) return 0;
  if (fstatat(tree, line + path, &s, AT_SYMLINK_NOFOLLOW) != 0 || s.st_uid != geteuid() || s.st_size != size) return 0;
  if (kind == 'l') return S_ISLNK(s.st_mode);
  return S_ISREG(s.st_mode) && (s.st_mode & 07777) == mode && s.st_mtime == time;
}

int tree_whole(const struct pack *pack, int folder, const char *name) {
  struct stat s;
  int tree = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (tree < 0) return 0;
  int whole = fstat(tree, &s) == 0 && s.st_uid == geteuid() && (s.st_mode & 022) == 0;
  char *list = malloc(pack->list_length + 1);
  if (list == NULL) fail("there is no memory");
  read_at(pack, list, pack->list_length, pack->list_at);
  list[pack->list_length] = 0;
  for (char *line = strtok(list, "\n"); whole && line != NULL; line = strtok(NULL, "\n")) whole = as_listed(tree, line);
  free(list);
  close(tree);
  return whole;
}

void tree_remove(int folder, const char *name) {
  if (unlinkat(folder, name, 0) == 0) return;
  int tree = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  DIR *entries = tree < 0 ? NULL : fdopendir(tree);
  if (entries == NULL) return;
  for (struct dirent *e = readdir(entries); e != NULL; e = readdir(entries)) {
    if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0) tree_remove(dirfd(entries), e->d_name);
  }
  closedir(entries);
  unlinkat(folder, name, AT_REMOVEDIR);
}
