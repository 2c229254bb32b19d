/* A screenshot in the size and format that a model gets. */
#ifndef RUNNER_PROMPT_MODEL_IMAGE_H
#define RUNNER_PROMPT_MODEL_IMAGE_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/extent.h"
#include "runner/observe/element_list.h"
#include "runner/observe/frame_pool.h"
#include "runner/prompt/profile.h"

#define MODEL_IMAGE_MAX ((size_t)64 << 20)

struct model_image {
    const void *bytes; /* a file of that type, in own or borrowed */
    size_t length;
    const char *type; /* "image/png" or "image/jpeg" */
    struct extent size;
    struct buf own;
};

#define MODEL_IMAGE_INIT                                                       \
    {                                                                          \
        .type = "image/png", .own = BUF_INIT(MODEL_IMAGE_MAX)                  \
    }

void model_image_release(struct model_image *image);

/*
 * Convert a screenshot; if it already fits, it is borrowed. Numbered boxes are
 * drawn around elements; NULL: none. frames provides memory; NULL: own memory.
 *
 * Fails as picture_file_decode, picture_scale and png_encode; image is then
 * unchanged.
 */
MUST_USE bool model_image_make(struct frame_pool *frames,
                               const struct profile_picture *wanted,
                               const struct buf *png, struct extent screen,
                               const struct element_list *elements,
                               struct model_image *image, struct err *err);

/* Copy the bytes if they are borrowed. */
void model_image_keep(struct model_image *image);

#endif
