/*
 * All files below a directory, local or on the device.
 *
 * A plain list, parents before their children, with limits, so that a device
 * cannot make it arbitrarily large.
 */
#ifndef ADB_SYNC_SYNC_SCAN_H
#define ADB_SYNC_SYNC_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adb/sync/sync.h"
#include "base/buf.h"

/* The size of all paths together. */
#define SYNC_SCAN_NAMES_MAX ((size_t)128 << 20)

struct sync_scan_entry {
    size_t path;   /* below the root: offset in names */
    size_t parent; /* index of its directory */
    unsigned depth;
    bool has_children; /* not counting files that are left out */
    bool exists;       /* a directory that existed before the pull */
    struct sync_stat stat;
};

struct sync_scan {
    struct sync_scan_entry *entries; /* owned; the first is the root, "" */
    size_t count;
    size_t capacity;
    struct buf names;
    const char *root;   /* borrowed during the scan */
    sync_skip_fn *skip; /* may be NULL */
    void *context;      /* for skip */
    uint64_t skipped;   /* as in struct sync_totals */
    uint64_t unread;
};

#define SYNC_SCAN_INIT                                                         \
    {                                                                          \
        .names = BUF_INIT(SYNC_SCAN_NAMES_MAX)                                 \
    }

void sync_scan_release(struct sync_scan *tree);

/* The path of an entry below the root; valid until the list changes. */
const char *sync_scan_path(const struct sync_scan *tree,
                           const struct sync_scan_entry *entry);

/*
 * Scan the local directory root; links stay links. On failure it contains the
 * entries found so far.
 */
MUST_USE bool sync_scan_local(struct sync_scan *tree, const char *root,
                              struct err *err);

/*
 * Scan the device's directory root, which stat describes. A link to a file or a
 * directory counts as its target. Left out are links to nothing and links to a
 * directory that contains them; on a device without stat_v2, which does not
 * report the target, all links.
 */
MUST_USE bool sync_scan_remote(struct sync_scan *tree, struct sync *sync,
                               const char *root, const struct sync_stat *stat,
                               struct deadline by, struct err *err);

/*
 * Set joined to "root/path", or to root if path is empty. Fails with
 * ERR_INVALID when it does not fit.
 */
MUST_USE bool sync_scan_join(struct buf *joined, const char *root,
                             const char *path, struct err *err);

/* The last component of path, without slashes; "" for ".", ".." and "/". */
void sync_scan_base_name(const char *path, struct buf *name);

#endif
