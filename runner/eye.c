#include "runner/eye.h"

#include <string.h>

#include "base/png.h"

#define PNG_MAX (2 * PICTURE_BYTES_MAX)
#define PICTURE_ATTEMPTS 3

/* Of the screen: what moves in no more of it need not come to rest. */
#define SMALL_PART 8

void eye_init(struct eye *eye, struct frames *frames)
{
    *eye = (struct eye){
        .frames = frames,
        .way = SCREENSHOT_PNG,
        .shot = SCREENSHOT_INIT,
        .png = BUF_INIT(PNG_MAX),
    };
}

void eye_release(struct eye *eye)
{
    screenshot_release(&eye->shot);
    buf_release(&eye->png);
    tiles_release(&eye->now);
    tiles_release(&eye->fresh);
    tiles_release(&eye->last);
}

/* Fill `fresh` from the PNG that was taken. */
static bool take_tiles_of_png(struct eye *eye, struct err *err)
{
    struct picture picture = frames_take(eye->frames);
    bool done =
        png_decode(eye->shot.bytes.data, eye->shot.bytes.length, &picture, err);

    if (done)
        tiles_take(&eye->fresh, &picture);
    frames_give(eye->frames, &picture);
    return done;
}

/* A frame that is equal in bytes is not decoded: nothing is different. */
static bool is_same_png(const struct eye *eye)
{
    const struct buf *bytes = &eye->shot.bytes;

    return eye->shot.way == SCREENSHOT_PNG && eye->now.width &&
           bytes->length == eye->png.length &&
           !memcmp(bytes->data, eye->png.data, bytes->length);
}

/* Take one. A picture that is damaged is taken anew, and in the end some other
 * way. */
static bool take_shot(struct eye *eye, struct device *device,
                      struct deadline by, struct err *err)
{
    for (int i = 0;; i++) {
        bool last = i + 1 == PICTURE_ATTEMPTS;

        eye->looks++;
        if (screenshot_take(device, last ? SCREENSHOT_ANY : eye->way, by,
                            &eye->shot, err)) {
            if (eye->shot.way != SCREENSHOT_PNG) {
                tiles_take(&eye->fresh, &eye->shot.picture);
                return true;
            }
            if (is_same_png(eye) || take_tiles_of_png(eye, err))
                return true;
        }
        if (last || err->code == ERR_LOST || err->code == ERR_TIMEOUT ||
            err->code == ERR_CANCELLED)
            return err_wrap(err, "taking a picture of the screen");
    }
}

static void swap_bufs(struct buf *a, struct buf *b)
{
    struct buf kept = *a;

    *a = *b;
    *b = kept;
}

static struct box join(struct box a, struct box b)
{
    return box_is_empty(a) ? b : box_is_empty(b) ? a : box_join(a, b);
}

static bool is_small(const struct eye *eye, struct box box)
{
    int64_t whole = (int64_t)eye->now.width * eye->now.height;

    return (int64_t)box_width(box) * box_height(box) <= whole / SMALL_PART;
}

static bool is_within(struct box inner, struct box outer)
{
    return inner.left >= outer.left && inner.top >= outer.top &&
           inner.right <= outer.right && inner.bottom <= outer.bottom;
}

/* What the fresh frame is to the one before; the restless part grows by it. */
static enum settle_frame compare(struct eye *eye)
{
    const struct tiles_mask mask = {.top = eye->clock};
    struct box where, all;

    if (!tiles_differ(&eye->now, &eye->fresh, &mask, &where))
        return SETTLE_SAME;
    all = join(eye->restless, where);
    if (!is_small(eye, all)) {
        eye->restless = (struct box){0};
        return SETTLE_OTHER;
    }
    eye->restless = all;
    return is_within(where, eye->last_restless) ? SETTLE_KNOWN_PART
                                                : SETTLE_PART;
}

bool eye_look(struct eye *eye, struct device *device, struct deadline by,
              enum settle_frame *frame, struct err *err)
{
    if (!take_shot(eye, device, by, err))
        return false;
    *frame = SETTLE_SAME;
    if (is_same_png(eye))
        return true;
    *frame = compare(eye);
    tiles_swap(&eye->now, &eye->fresh);
    if (eye->shot.way == SCREENSHOT_PNG)
        swap_bufs(&eye->png, &eye->shot.bytes);
    else
        buf_clear(&eye->png);
    return true;
}

/* Neither the clock counts, nor what moves all the time now or did before. */
static struct tiles_mask mask_of(const struct eye *eye)
{
    return (struct tiles_mask){eye->clock,
                               join(eye->restless, eye->last_restless)};
}

bool eye_sees_other(const struct eye *eye)
{
    const struct tiles_mask mask = mask_of(eye);

    return tiles_differ(&eye->now, &eye->last, &mask, NULL);
}

uint64_t eye_keep(struct eye *eye)
{
    const struct tiles_mask mask = mask_of(eye);

    if (eye_sees_other(eye)) {
        eye->last_hash = tiles_hash(&eye->now, &mask);
        tiles_copy(&eye->last, &eye->now);
    }
    eye->last_restless = eye->restless;
    return eye->last_hash;
}

bool eye_png(struct eye *eye, struct buf *png, struct err *err)
{
    if (!eye->png.length &&
        !png_encode(&eye->shot.picture, PNG_QUICK, &eye->png, err))
        return false;
    buf_append(png, eye->png.data, eye->png.length);
    return true;
}
