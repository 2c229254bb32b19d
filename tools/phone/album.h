/*
 * The phone's snapshots, by name: files in one directory of the owner's, or
 * kept in memory while the phone is on. Safe from any thread.
 */
#ifndef PHONE_ALBUM_H
#define PHONE_ALBUM_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "tools/phone/snapshot.h"

/* In memory, or listed. */
#define ALBUM_COUNT_MAX 32U
#define ALBUM_BYTES_MAX ((size_t)256 << 20)
#define ALBUM_NAME_SIZE 65

struct album_entry {
    char name[ALBUM_NAME_SIZE];
    int64_t saved; /* seconds since 1970 */
    uint64_t size;
    struct buf bytes; /* empty where it is a file */
};

struct album {
    const struct snapshot_state *state; /* borrowed */
    const char *directory;              /* borrowed; NULL: in memory */
    pthread_mutex_t lock;               /* guards all below */
    struct album_entry *entries;        /* owned; sorted by name */
    size_t count;
};

void album_init(struct album *album, const struct snapshot_state *state,
                const char *directory);
void album_release(struct album *album);

/*
 * Save the phone under a name, in place of the one that has it. Names are of
 * letters, digits, "_", "-" and ".", which does not come first: ERR_INVALID.
 * Fails with ERR_LIMIT where too much is kept already.
 */
MUST_USE bool album_save(struct album *album, const char *name,
                         struct err *err);

/* Let the phone be as it was. ERR_NOT_FOUND, or as snapshot_load fails. */
MUST_USE bool album_load(struct album *album, const char *name,
                         struct err *err);
MUST_USE bool album_delete(struct album *album, const char *name,
                           struct err *err);

/* Append a line for each: its name, size and date. How many are there? */
MUST_USE bool album_list(struct album *album, struct buf *text, size_t *count,
                         struct err *err);

#endif
