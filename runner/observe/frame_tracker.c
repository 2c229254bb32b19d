#include "runner/observe/frame_tracker.h"

#include <string.h>

#include "base/picture/png.h"

#define PNG_MAX (2 * PICTURE_BYTES_MAX)
#define PICTURE_ATTEMPTS 3

/* An animated area of at most this part of the screen is ignored. */
#define SMALL_PART 8

void frame_tracker_init(struct frame_tracker *tracker,
                        struct frame_pool *frames)
{
    *tracker = (struct frame_tracker){
        .frames = frames,
        .way = SCREENSHOT_PNG,
        .png = BUF_INIT(PNG_MAX),
        .next = BUF_INIT(PNG_MAX),
    };
}

void frame_tracker_release(struct frame_tracker *tracker)
{
    buf_release(&tracker->png);
    buf_release(&tracker->next);
    tile_hashes_release(&tracker->now);
    tile_hashes_release(&tracker->fresh);
    tile_hashes_release(&tracker->last);
}

static void swap_bufs(struct buf *a, struct buf *b)
{
    struct buf kept = *a;

    *a = *b;
    *b = kept;
}

/* Fill `fresh` from a PNG. */
static bool take_tiles_of_png(struct frame_tracker *tracker,
                              const struct buf *png, struct err *err)
{
    struct pool_frame *frame = frame_pool_take(tracker->frames);
    bool done = png_decode(png->data, png->length, &frame->shot.picture, err);

    if (done)
        tile_hashes_compute(&tracker->fresh, &frame->shot.picture);
    frame_pool_give(tracker->frames, frame);
    return done;
}

/* A PNG with equal bytes is not decoded. */
static bool is_same_png(const struct frame_tracker *tracker)
{
    return tracker->now.width && tracker->next.length == tracker->png.length &&
           !memcmp(tracker->next.data, tracker->png.data, tracker->next.length);
}

/* Raw pixels are encoded as PNG at once, and dropped. */
static bool keep_pixels(struct frame_tracker *tracker, struct pool_frame *frame,
                        bool *same, struct err *err)
{
    tile_hashes_compute(&tracker->fresh, &frame->shot.picture);
    *same = tile_hashes_equal(&tracker->fresh, &tracker->now);
    buf_clear(&tracker->next);
    return *same ||
           pool_frame_encode(frame, &frame->shot.picture, &tracker->next, err);
}

static bool keep_png(struct frame_tracker *tracker, bool *same, struct err *err)
{
    *same = is_same_png(tracker);
    return *same || take_tiles_of_png(tracker, &tracker->next, err);
}

/* PNG files are small: each tracker has its own memory. */
static bool shoot_png(struct frame_tracker *tracker, struct device *device,
                      struct deadline by, bool *same, struct err *err)
{
    struct screenshot shot = {.bytes = tracker->next, .packed = BUF_INIT(0)};
    bool done = screenshot_take(device, SCREENSHOT_PNG, by, &shot, err);

    tracker->next = shot.bytes;
    return done && keep_png(tracker, same, err);
}

/* Compressed data is small until it is unpacked. */
static bool shoot_packed(struct frame_tracker *tracker, struct device *device,
                         struct deadline by, bool *same, struct err *err)
{
    struct screenshot wire = {.bytes = BUF_INIT(0), .packed = tracker->next};
    bool done = screenshot_fetch_packed(device, by, &wire, err);
    struct pool_frame *frame;

    tracker->next = wire.packed;
    if (!done)
        return false;
    frame = frame_pool_take(tracker->frames);
    swap_bufs(&frame->shot.packed, &tracker->next);
    done = screenshot_unpack(&frame->shot, err);
    swap_bufs(&frame->shot.packed, &tracker->next);
    done = done && keep_pixels(tracker, frame, same, err);
    frame_pool_give(tracker->frames, frame);
    return done;
}

/* All others use the shared pool. */
static bool shoot_pixels(struct frame_tracker *tracker, enum screenshot_way way,
                         struct device *device, struct deadline by, bool *same,
                         struct err *err)
{
    struct pool_frame *frame = frame_pool_take_for_transfer(tracker->frames);
    struct screenshot *shot = &frame->shot;
    bool png;
    bool done = screenshot_take(device, way, by, shot, err);

    if (done && shot->way != SCREENSHOT_PNG) {
        done = keep_pixels(tracker, frame, same, err);
    } else if (done) {
        buf_clear(&tracker->next);
        buf_append(&tracker->next, shot->bytes.data, shot->bytes.length);
    }
    png = done && shot->way == SCREENSHOT_PNG;
    frame_pool_give_from_transfer(tracker->frames, frame);
    return png ? keep_png(tracker, same, err) : done;
}

static bool shoot(struct frame_tracker *tracker, enum screenshot_way way,
                  struct device *device, struct deadline by, bool *same,
                  struct err *err)
{
    if (way == SCREENSHOT_PNG)
        return shoot_png(tracker, device, by, same, err);
    if (way == SCREENSHOT_GZIP)
        return shoot_packed(tracker, device, by, same, err);
    return shoot_pixels(tracker, way, device, by, same, err);
}

/*
 * Take a screenshot into `next` and `fresh`, unless it is equal. A damaged one
 * is taken again, and the last time with any method.
 */
static bool take_shot(struct frame_tracker *tracker, struct device *device,
                      struct deadline by, bool *same, struct err *err)
{
    for (int i = 0;; i++) {
        bool last = i + 1 == PICTURE_ATTEMPTS;
        enum screenshot_way way = last ? SCREENSHOT_ANY : tracker->way;

        tracker->capture_count++;
        if (shoot(tracker, way, device, by, same, err))
            return true;
        if (last || err->code == ERR_LOST || err->code == ERR_TIMEOUT ||
            err->code == ERR_CANCELLED)
            return err_wrap(err, "taking a screenshot");
    }
}

static struct box join(struct box a, struct box b)
{
    return box_is_empty(a) ? b : box_is_empty(b) ? a : box_join(a, b);
}

static bool is_small(const struct frame_tracker *tracker, struct box box)
{
    int64_t whole = (int64_t)tracker->now.width * tracker->now.height;

    return (int64_t)box_width(box) * box_height(box) <= whole / SMALL_PART;
}

static bool is_within(struct box inner, struct box outer)
{
    return inner.left >= outer.left && inner.top >= outer.top &&
           inner.right <= outer.right && inner.bottom <= outer.bottom;
}

/* Compare the fresh frame with the one before, and extend the animated area. */
static enum settle_frame compare(struct frame_tracker *tracker)
{
    const struct tile_hash_mask mask = {.top = tracker->clock};
    struct box where, all;

    if (!tile_hashes_differ(&tracker->now, &tracker->fresh, &mask, &where))
        return SETTLE_SAME;
    all = join(tracker->animated, where);
    if (!is_small(tracker, all)) {
        tracker->animated = (struct box){0};
        return SETTLE_CHANGED;
    }
    tracker->animated = all;
    return is_within(where, tracker->last_animated) ? SETTLE_KNOWN_ANIMATION
                                                    : SETTLE_SMALL_CHANGE;
}

/* Make the fresh frame the last one. */
static enum settle_frame advance(struct frame_tracker *tracker)
{
    enum settle_frame frame = compare(tracker);

    tile_hashes_swap(&tracker->now, &tracker->fresh);
    swap_bufs(&tracker->png, &tracker->next);
    return frame;
}

bool frame_tracker_capture(struct frame_tracker *tracker, struct device *device,
                           struct deadline by, enum settle_frame *frame,
                           struct err *err)
{
    bool same = false;

    if (!take_shot(tracker, device, by, &same, err))
        return false;
    *frame = same ? SETTLE_SAME : advance(tracker);
    return true;
}

bool frame_tracker_use_png(struct frame_tracker *tracker, const void *png,
                           size_t size, enum settle_frame *frame,
                           struct err *err)
{
    bool same = false;

    buf_clear(&tracker->next);
    buf_append(&tracker->next, png, size);
    if (tracker->next.overflow)
        return err_set(err, ERR_LIMIT, "the screenshot is too large");
    if (!keep_png(tracker, &same, err))
        return false;
    *frame = same ? SETTLE_SAME : advance(tracker);
    return true;
}

/* Ignored are the status bar and animated areas, current and previous. */
static struct tile_hash_mask mask_of(const struct frame_tracker *tracker)
{
    return (struct tile_hash_mask){
        tracker->clock, join(tracker->animated, tracker->last_animated)};
}

bool frame_tracker_has_changed(const struct frame_tracker *tracker)
{
    const struct tile_hash_mask mask = mask_of(tracker);

    return tile_hashes_differ(&tracker->now, &tracker->last, &mask, NULL);
}

uint64_t frame_tracker_keep(struct frame_tracker *tracker)
{
    const struct tile_hash_mask mask = mask_of(tracker);

    if (frame_tracker_has_changed(tracker)) {
        tracker->last_hash = tile_hashes_digest(&tracker->now, &mask);
        tile_hashes_copy(&tracker->last, &tracker->now);
    }
    tracker->last_animated = tracker->animated;
    return tracker->last_hash;
}

void frame_tracker_png(const struct frame_tracker *tracker, struct buf *png)
{
    buf_append(png, tracker->png.data, tracker->png.length);
}
