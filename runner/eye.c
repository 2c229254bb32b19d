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
        .png = BUF_INIT(PNG_MAX),
        .next = BUF_INIT(PNG_MAX),
    };
}

void eye_release(struct eye *eye)
{
    buf_release(&eye->png);
    buf_release(&eye->next);
    tiles_release(&eye->now);
    tiles_release(&eye->fresh);
    tiles_release(&eye->last);
}

static void swap_bufs(struct buf *a, struct buf *b)
{
    struct buf kept = *a;

    *a = *b;
    *b = kept;
}

/* Fill `fresh` from a PNG. */
static bool take_tiles_of_png(struct eye *eye, const struct buf *png,
                              struct err *err)
{
    struct frame *frame = frames_take(eye->frames);
    bool done = png_decode(png->data, png->length, &frame->shot.picture, err);

    if (done)
        tiles_take(&eye->fresh, &frame->shot.picture);
    frames_give(eye->frames, frame);
    return done;
}

/* A frame that is equal in bytes is not decoded: nothing is different. */
static bool is_same_png(const struct eye *eye)
{
    return eye->now.width && eye->next.length == eye->png.length &&
           !memcmp(eye->next.data, eye->png.data, eye->next.length);
}

/* What came as pixels becomes a PNG at once, and the pixels are forgotten. */
static bool keep_pixels(struct eye *eye, struct frame *frame, bool *same,
                        struct err *err)
{
    tiles_take(&eye->fresh, &frame->shot.picture);
    *same = tiles_equal(&eye->fresh, &eye->now);
    buf_clear(&eye->next);
    return *same || frame_encode(frame, &frame->shot.picture, &eye->next, err);
}

static bool keep_png(struct eye *eye, bool *same, struct err *err)
{
    *same = is_same_png(eye);
    return *same || take_tiles_of_png(eye, &eye->next, err);
}

/* The way that sends small files: each eye has memory for its own. */
static bool shoot_png(struct eye *eye, struct device *device,
                      struct deadline by, bool *same, struct err *err)
{
    struct screenshot shot = {.bytes = eye->next, .packed = BUF_INIT(0)};
    bool done = screenshot_take(device, SCREENSHOT_PNG, by, &shot, err);

    eye->next = shot.bytes;
    return done && keep_png(eye, same, err);
}

/* What the phone compresses is small until it is unpacked. */
static bool shoot_packed(struct eye *eye, struct device *device,
                         struct deadline by, bool *same, struct err *err)
{
    struct screenshot wire = {.bytes = BUF_INIT(0), .packed = eye->next};
    bool done = screenshot_fetch_packed(device, by, &wire, err);
    struct frame *frame;

    eye->next = wire.packed;
    if (!done)
        return false;
    frame = frames_take(eye->frames);
    swap_bufs(&frame->shot.packed, &eye->next);
    done = screenshot_unpack(&frame->shot, err);
    swap_bufs(&frame->shot.packed, &eye->next);
    done = done && keep_pixels(eye, frame, same, err);
    frames_give(eye->frames, frame);
    return done;
}

/* All others: the memory is everybody's. */
static bool shoot_pixels(struct eye *eye, enum screenshot_way way,
                         struct device *device, struct deadline by, bool *same,
                         struct err *err)
{
    struct frame *frame = frames_take_for_wire(eye->frames);
    struct screenshot *shot = &frame->shot;
    bool png;
    bool done = screenshot_take(device, way, by, shot, err);

    if (done && shot->way != SCREENSHOT_PNG) {
        done = keep_pixels(eye, frame, same, err);
    } else if (done) {
        buf_clear(&eye->next);
        buf_append(&eye->next, shot->bytes.data, shot->bytes.length);
    }
    png = done && shot->way == SCREENSHOT_PNG;
    frames_give_from_wire(eye->frames, frame);
    return png ? keep_png(eye, same, err) : done;
}

static bool shoot(struct eye *eye, enum screenshot_way way,
                  struct device *device, struct deadline by, bool *same,
                  struct err *err)
{
    if (way == SCREENSHOT_PNG)
        return shoot_png(eye, device, by, same, err);
    if (way == SCREENSHOT_GZIP)
        return shoot_packed(eye, device, by, same, err);
    return shoot_pixels(eye, way, device, by, same, err);
}

/* Take one into `next` and `fresh`, unless it is the same. A picture that is
 * damaged is taken anew, and in the end some other way. */
static bool take_shot(struct eye *eye, struct device *device,
                      struct deadline by, bool *same, struct err *err)
{
    for (int i = 0;; i++) {
        bool last = i + 1 == PICTURE_ATTEMPTS;
        enum screenshot_way way = last ? SCREENSHOT_ANY : eye->way;

        eye->looks++;
        if (shoot(eye, way, device, by, same, err))
            return true;
        if (last || err->code == ERR_LOST || err->code == ERR_TIMEOUT ||
            err->code == ERR_CANCELLED)
            return err_wrap(err, "taking a picture of the screen");
    }
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
    bool same = false;

    if (!take_shot(eye, device, by, &same, err))
        return false;
    *frame = SETTLE_SAME;
    if (same)
        return true;
    *frame = compare(eye);
    tiles_swap(&eye->now, &eye->fresh);
    swap_bufs(&eye->png, &eye->next);
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

void eye_png(const struct eye *eye, struct buf *png)
{
    buf_append(png, eye->png.data, eye->png.length);
}
