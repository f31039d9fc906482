/*
 * The one file: this program, then the list of what is packed, the pack (tar, zstd), and a line that says how long each
 * is.
 */
#ifndef STUB_H
#define STUB_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* What the last line of the one file says. */
struct pack {
  int file;             /* the one file, open */
  char name[128];       /* of the folder that it unpacks to */
  char digest[65];      /* SHA-256 of list and pack, in hex */
  int glibc;            /* the minor version of glibc 2 that the JDK needs */
  long long list_at, list_length, pack_at, pack_length;
};

/* Ends the program with a message in one line and exit status 78. */
__attribute__((noreturn, format(printf, 1, 2))) void fail(const char *form, ...);

/* Reads exactly so many bytes at that place of the one file, or ends the program. */
void read_at(const struct pack *pack, void *to, size_t length, long long at);

/* sha256.c */
struct sha256 {
  uint32_t state[8];
  uint64_t length;
  uint8_t block[64];
};
void sha256_begin(struct sha256 *sum);
void sha256_add(struct sha256 *sum, const void *bytes, size_t length);
void sha256_end(struct sha256 *sum, char hex[65]);

/* place.c */
/*
 * Opens the first folder that may hold what is unpacked; its path goes to `path`. Ends the program where there is none.
 */
int open_place(char path[PATH_MAX]);

/* tree.c */
/* Whether all that the list names lies in `name` of the folder as it was unpacked. */
int tree_whole(const struct pack *pack, int folder, const char *name);
/* Removes a file or a folder with all that is in it, as far as it can. */
void tree_remove(int folder, const char *name);

/* unpack.c */
/*
 * Unpacks to the new folder `name`. Returns 0, or -1 with errno set where writing failed; ends the program on damage.
 */
int unpack(const struct pack *pack, int folder, const char *name);

#endif
