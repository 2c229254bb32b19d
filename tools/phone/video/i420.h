/*
 * A picture as video encoders take it: brightness in full size, colour in half
 * the size (4:2:0), ITU-R BT.709 in the limited range.
 */
#ifndef TOOLS_PHONE_VIDEO_I420_H
#define TOOLS_PHONE_VIDEO_I420_H

#include <stdbool.h>
#include <stdint.h>

#include "base/extent.h"
#include "base/picture/picture.h"

struct i420 {
    struct extent size; /* both sides are even */
    uint8_t *planes[3]; /* Y, U, V; owned, in one piece of memory */
};

/* Make room for size, whose sides are even. The content is undefined. */
void i420_resize(struct i420 *i420, struct extent size);
void i420_release(struct i420 *i420);

/* Convert a picture; one of another size is scaled to fit exactly. */
void i420_from_picture(struct i420 *i420, const struct picture *picture);

#endif
