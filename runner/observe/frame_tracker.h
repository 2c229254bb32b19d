/*
 * Takes screenshots of one phone and compares each with those before. Frames
 * are not kept, only their tile hashes.
 */
#ifndef RUNNER_OBSERVE_FRAME_TRACKER_H
#define RUNNER_OBSERVE_FRAME_TRACKER_H

#include <stdbool.h>
#include <stdint.h>

#include "adb/services/screenshot.h"
#include "base/picture/box.h"
#include "runner/observe/frame_pool.h"
#include "runner/observe/settle.h"
#include "runner/observe/tile_hashes.h"

struct frame_tracker {
    struct frame_pool *frames; /* borrowed */
    enum screenshot_way way;
    uint32_t clock; /* height of the status bar in pixels, which is ignored */
    int64_t capture_count; /* number of screenshots taken */

    struct buf png;           /* the screenshot of `now` */
    struct buf next;          /* memory for the next one */
    struct tile_hashes now;   /* of the last frame */
    struct tile_hashes fresh; /* memory for the next one */
    struct tile_hashes last;  /* of the last observation */
    /* the area that changes all the time, as far as known */
    struct box animated;
    struct box last_animated; /* of the last observation */
    uint64_t last_hash;
};

void frame_tracker_init(struct frame_tracker *tracker,
                        struct frame_pool *frames);
void frame_tracker_release(struct frame_tracker *tracker);

/*
 * Take one screenshot; a damaged one is taken again, a few times. *frame says
 * how it differs from the one before. Blocks while too many other phones
 * transfer screenshots. Fails as screenshot_take.
 */
MUST_USE bool frame_tracker_capture(struct frame_tracker *tracker,
                                    struct device *device, struct deadline by,
                                    enum settle_frame *frame, struct err *err);

/*
 * The same with a PNG that was taken before, instead of a new screenshot. Fails
 * as png_decode; the last frame is then unchanged.
 */
MUST_USE bool frame_tracker_use_png(struct frame_tracker *tracker,
                                    const void *png, size_t size,
                                    enum settle_frame *frame, struct err *err);

/*
 * Does the last frame differ from the last observation? The status bar and
 * areas that change all the time are ignored.
 */
bool frame_tracker_has_changed(const struct frame_tracker *tracker);

/*
 * Make the last frame the observation to compare with. Returns its hash, which
 * is that of the previous observation if they look the same.
 */
uint64_t frame_tracker_keep(struct frame_tracker *tracker);

/* Append the PNG of the last frame. */
void frame_tracker_png(const struct frame_tracker *tracker, struct buf *png);

#endif
