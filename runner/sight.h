/* A screen as a model gets to see it: of the size and in the format it wants.
 */
#ifndef RUNNER_SIGHT_H
#define RUNNER_SIGHT_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"
#include "runner/coords.h"
#include "runner/elements.h"
#include "runner/frames.h"
#include "runner/profile.h"

#define SIGHT_MAX ((size_t)64 << 20)

struct sight {
    const void *bytes; /* a file of that type: own, or the screenshot itself */
    size_t length;
    const char *type; /* "image/png" or "image/jpeg" */
    struct extent size;
    struct buf own;
};

#define SIGHT_INIT                                                             \
    {                                                                          \
        .type = "image/png", .own = BUF_INIT(SIGHT_MAX)                        \
    }

void sight_release(struct sight *sight);

/*
 * Make one of a screenshot; one that is fine as it is, is only borrowed.
 * elements are drawn around with their numbers; NULL: none. frames lend memory
 * meanwhile; NULL: it has its own.
 *
 * Fails as image_decode, picture_scale and png_encode do; sight is then as it
 * was.
 */
MUST_USE bool sight_make(struct frames *frames,
                         const struct profile_picture *wanted,
                         const struct buf *png, struct extent screen,
                         const struct elements *elements, struct sight *sight,
                         struct err *err);

/* Have the bytes for oneself, if they are borrowed. */
void sight_keep(struct sight *sight);

#endif
