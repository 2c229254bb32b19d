/*
 * The phone's snapshots by name: files in a directory of the user, or in memory
 * while the phone runs. Safe from any thread.
 */
#ifndef TOOLS_PHONE_CORE_SNAPSHOT_STORE_H
#define TOOLS_PHONE_CORE_SNAPSHOT_STORE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "tools/phone/core/snapshot.h"

/* A snapshot in memory, or listed from the directory. */
#define SNAPSHOT_STORE_COUNT_MAX 32U
#define SNAPSHOT_STORE_BYTES_MAX ((size_t)256 << 20)
#define SNAPSHOT_STORE_NAME_SIZE 65

struct snapshot_store_entry {
    char name[SNAPSHOT_STORE_NAME_SIZE];
    int64_t saved; /* seconds since 1970 */
    uint64_t size;
    struct buf bytes; /* empty if it is a file */
};

struct snapshot_store {
    const struct snapshot_state *state;   /* borrowed */
    const char *directory;                /* borrowed; NULL: in memory */
    pthread_mutex_t lock;                 /* guards everything below */
    struct snapshot_store_entry *entries; /* owned; sorted by name */
    size_t count;
};

void snapshot_store_init(struct snapshot_store *snapshot_store,
                         const struct snapshot_state *state,
                         const char *directory);
void snapshot_store_release(struct snapshot_store *snapshot_store);

/*
 * Save the phone under a name, and replace an older snapshot of that name.
 * Names consist of letters, digits, "_", "-" and ".", which is not allowed
 * first: ERR_INVALID. Fails with ERR_LIMIT when the store is full.
 */
MUST_USE bool snapshot_store_save(struct snapshot_store *snapshot_store,
                                  const char *name, struct err *err);

/* Load a snapshot. Fails with ERR_NOT_FOUND, or as snapshot_load does. */
MUST_USE bool snapshot_store_load(struct snapshot_store *snapshot_store,
                                  const char *name, struct err *err);
MUST_USE bool snapshot_store_delete(struct snapshot_store *snapshot_store,
                                    const char *name, struct err *err);

/* Append a line for each (name, size, date), and return their number. */
MUST_USE bool snapshot_store_list(struct snapshot_store *snapshot_store,
                                  struct buf *text, size_t *count,
                                  struct err *err);

#endif
