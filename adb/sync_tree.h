/*
 * What a directory holds, all the way down, here or on the device.
 *
 * A plain list, parents before their children, with limits that no tree a
 * device makes up can exceed.
 */
#ifndef ADB_SYNC_TREE_H
#define ADB_SYNC_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adb/sync.h"
#include "base/buf.h"

/* All paths of a tree together. */
#define SYNC_TREE_NAMES_MAX ((size_t)128 << 20)

struct sync_entry {
    size_t path; /* below the root: where it starts in names */
    unsigned depth;
    bool has_children; /* not counting what is skipped */
    struct sync_stat stat;
};

struct sync_tree {
    struct sync_entry *entries; /* owned; the first is the root itself, "" */
    size_t count;
    size_t capacity;
    struct buf names;
    uint64_t skipped; /* what is neither file, directory nor link */
};

#define SYNC_TREE_INIT                                                         \
    {                                                                          \
        .names = BUF_INIT(SYNC_TREE_NAMES_MAX)                                 \
    }

void sync_tree_release(struct sync_tree *tree);

/* The path of an entry below the root; valid until the tree changes. */
const char *sync_tree_path(const struct sync_tree *tree,
                           const struct sync_entry *entry);

/*
 * Fill an empty tree from the local directory root; links stay links.
 * On failure it holds what was found until then.
 */
MUST_USE bool sync_tree_scan_local(struct sync_tree *tree, const char *root,
                                   struct err *err);

/*
 * Fill an empty tree from the device. A link to a file counts as that file,
 * any other is skipped, as are all of them where the device lacks stat_v2.
 */
MUST_USE bool sync_tree_scan_remote(struct sync_tree *tree, struct sync *sync,
                                    const char *root, struct deadline by,
                                    struct err *err);

/*
 * "root/path", or root when path is empty; at most limit bytes (ERR_INVALID).
 * joined is cleared first.
 */
MUST_USE bool sync_tree_join(struct buf *joined, const char *root,
                             const char *path, struct err *err);

/* The name that path ends with, without slashes; "" for ".", ".." and "/". */
void sync_tree_base_name(const char *path, struct buf *name);

#endif
