/*
 * Thumbnails of screens for a page: each screen once, and not more than the
 * page should have.
 */
#ifndef TOOLS_REPORT_HTML_THUMBNAILS_H
#define TOOLS_REPORT_HTML_THUMBNAILS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/cancel.h"
#include "base/sha256.h"
#include "tasks/trajectory/trajectory.h"

/* The maximum size of one picture; larger ones are left out. */
#define THUMBNAIL_BYTES_MAX ((size_t)1 << 20)

struct thumbnail {
    char sha256[SHA256_HEX_SIZE];
    const struct trajectory *trajectory; /* borrowed: where to find it */
    struct trajectory_file file;
    struct buf jpeg; /* empty: it could not be read */
};

struct thumbnails {
    struct thumbnail *items; /* owned */
    size_t count;
    size_t *slots; /* owned: a table of hashes, of index + 1 */
    size_t slot_count;
};

#define THUMBNAILS_NONE ((size_t)-1)

void thumbnails_init(struct thumbnails *thumbnails);
void thumbnails_release(struct thumbnails *thumbnails);

/*
 * Request a screen. The trajectory must stay valid until thumbnails_make has
 * returned.
 */
void thumbnails_add(struct thumbnails *thumbnails,
                    const struct trajectory *trajectory,
                    const struct trajectory_file *file);

/* Its index; THUMBNAILS_NONE if it was not requested. */
size_t thumbnails_find(const struct thumbnails *thumbnails, const char *sha256);

/*
 * Make them all, about that wide, on all processors. Blocks until it is done,
 * or cancelled (NULL: never). Unreadable ones stay empty.
 */
void thumbnails_make(struct thumbnails *thumbnails, unsigned width,
                     const struct cancel *cancel);

#endif
