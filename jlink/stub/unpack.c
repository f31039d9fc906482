/* Unpacks the pack: zstd around a tar in GNU's format, made by our own build with folders, files and links only. */
#include "stub.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

/*
 * A stream of tar blocks. `left` bytes of the file that is open are still to come, then `padding` up to a whole block.
 */
struct tar {
  int tree, file;
  char head[512];
  size_t have;
  long long left, padding;
  mode_t mode;
  time_t time;
  int ended, error;
  /* A name of more than 100 bytes is the content of an entry of its own, before that of its file. */
  char name[260];
  size_t named;
};

static void damaged(const char *what) {
  fail("this file is damaged: %s; fetch it again and compare it with SHA256SUMS", what);
}

/* The path below the top folder; our own build packs neither absolute ones nor `..`, and nothing else is taken. */
static const char *inner_path(struct tar *tar, char path[260]) {
  if (tar->named > 0) snprintf(path, 260, "%.*s", (int) tar->named, tar->name);
  else snprintf(path, 260, "%.100s", tar->head);
  tar->named = 0;
  size_t length = strlen(path);
  if (length > 0 && path[length - 1] == '/') path[length - 1] = 0;
  if (path[0] == '/' || strstr(path, "..") != NULL) damaged("an odd path");
  const char *inner = strchr(path, '/');
  return inner == NULL ? "" : inner + 1;
}

static int finish(struct tar *tar) {
  struct timespec times[2] = {{.tv_sec = tar->time}, {.tv_sec = tar->time}};
  int bad = fchmod(tar->file, tar->mode) != 0 || futimens(tar->file, times) != 0;
  bad |= close(tar->file) != 0;
  tar->file = -1;
  return bad ? -1 : 0;
}

static int entry(struct tar *tar) {
  char path[260], target[101];
  if (tar->head[0] == 0) return tar->ended = 1, 0;
  if (memcmp(tar->head + 257, "ustar", 5) != 0) damaged("no tar");
  tar->left = strtoll(tar->head + 124, NULL, 8);
  tar->padding = (512 - tar->left % 512) % 512;
  if (tar->head[156] == 'L') {
    if (tar->named > 0 || tar->left <= 0 || tar->left >= (long long) sizeof tar->name) damaged("an odd name");
    return 0;
  }
  const char *inner = inner_path(tar, path);
  tar->mode = strtol(tar->head + 100, NULL, 8) & 0755;
  tar->time = strtoll(tar->head + 136, NULL, 8);
  switch (tar->head[156]) {
    case '5': return *inner == 0 ? 0 : mkdirat(tar->tree, inner, 0755);
    case '2':
      snprintf(target, sizeof target, "%.100s", tar->head + 157);
      return symlinkat(target, tar->tree, inner);
    case '0':
      tar->file = openat(tar->tree, inner, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
      if (tar->file < 0) return -1;
      return tar->left == 0 ? finish(tar) : 0;
    default: damaged("an odd entry");
  }
  return 0;
}

static int take(struct tar *tar, const char *from, size_t length) {
  while (length > 0 && !tar->ended) {
    size_t part;
    if (tar->left > 0) {
      part = (long long) length < tar->left ? length : (size_t) tar->left;
      if (tar->file < 0) {
        memcpy(tar->name + tar->named, from, part);
        tar->named += part;
        tar->left -= (long long) part;
      } else {
        ssize_t written = write(tar->file, from, part);
        if (written <= 0) return -1;
        part = (size_t) written;
        tar->left -= written;
        if (tar->left == 0 && finish(tar) != 0) return -1;
      }
    } else if (tar->padding > 0) {
      part = (long long) length < tar->padding ? length : (size_t) tar->padding;
      tar->padding -= part;
    } else {
      part = length < 512 - tar->have ? length : 512 - tar->have;
      memcpy(tar->head + tar->have, from, part);
      tar->have += part;
      if (tar->have == 512) {
        tar->have = 0;
        if (entry(tar) != 0) return -1;
      }
    }
    from += part;
    length -= part;
  }
  return 0;
}

static int unpack_into(const struct pack *pack, struct tar *tar) {
  size_t in_size = 1 << 17, out_size = ZSTD_DStreamOutSize();
  char *in = malloc(in_size), *out = malloc(out_size), digest[65];
  ZSTD_DStream *stream = ZSTD_createDStream();
  struct sha256 sum;
  if (in == NULL || out == NULL || stream == NULL) fail("there is no memory");
  sha256_begin(&sum);
  for (long long at = pack->list_at; at < pack->pack_at + pack->pack_length;) {
    long long end = at < pack->pack_at ? pack->pack_at : pack->pack_at + pack->pack_length;
    size_t part = (long long) in_size < end - at ? in_size : (size_t) (end - at);
    read_at(pack, in, part, at);
    sha256_add(&sum, in, part);
    ZSTD_inBuffer from = {in, at < pack->pack_at ? 0 : part, 0};
    at += part;
    while (from.pos < from.size) {
      ZSTD_outBuffer to = {out, out_size, 0};
      if (ZSTD_isError(ZSTD_decompressStream(stream, &to, &from))) damaged("it cannot be decompressed");
      if (take(tar, out, to.pos) != 0) return -1;
    }
  }
  sha256_end(&sum, digest);
  if (strcmp(digest, pack->digest) != 0 || !tar->ended) damaged("its check sum is not what it has to be");
  ZSTD_freeDStream(stream);
  free(in);
  free(out);
  return 0;
}

int unpack(const struct pack *pack, int folder, const char *name) {
  struct tar tar = {.file = -1};
  if (mkdirat(folder, name, 0755) != 0) return -1;
  tar.tree = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (tar.tree < 0) return -1;
  int result = unpack_into(pack, &tar), error = errno;
  if (tar.file >= 0) close(tar.file);
  close(tar.tree);
  errno = error;
  return result;
}
