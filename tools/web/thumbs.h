/*
 * Small pictures of screens for a page: each screen once, however often it was
 * seen, and not more than the page should hold.
 */
#ifndef TOOLS_WEB_THUMBS_H
#define TOOLS_WEB_THUMBS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/cancel.h"
#include "base/sha256.h"
#include "tasks/trajectory.h"

/* What one picture takes at most; larger ones are left out. */
#define THUMB_BYTES_MAX ((size_t)1 << 20)

struct thumb {
    char sha256[SHA256_HEX_SIZE];
    const struct trajectory *trajectory; /* borrowed: where to find it */
    struct trajectory_file file;
    struct buf jpeg; /* empty: it could not be read */
};

struct thumbs {
    struct thumb *items; /* owned */
    size_t count;
    size_t *slots; /* owned: a table of hashes, of index + 1 */
    size_t slot_count;
};

#define THUMBS_NONE ((size_t)-1)

void thumbs_init(struct thumbs *thumbs);
void thumbs_release(struct thumbs *thumbs);

/* Want a screen. The trajectory stays until thumbs_make has returned. */
void thumbs_add(struct thumbs *thumbs, const struct trajectory *trajectory,
                const struct trajectory_file *file);

/* Its index; THUMBS_NONE if nobody wanted it. */
size_t thumbs_find(const struct thumbs *thumbs, const char *sha256);

/*
 * Make them all, about so wide, on all processors. Blocks until it is done,
 * or cancelled (NULL: never). What cannot be read stays empty.
 */
void thumbs_make(struct thumbs *thumbs, unsigned width,
                 const struct cancel *cancel);

#endif
