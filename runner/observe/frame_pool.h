/*
 * A pool of memory for whole frames, shared by all phones of a program. A frame
 * has about ten megabytes and is needed for some milliseconds of a step, so
 * nothing holds one while it waits for an agent or a model.
 */
#ifndef RUNNER_OBSERVE_FRAME_POOL_H
#define RUNNER_OBSERVE_FRAME_POOL_H

#include "adb/services/screenshot.h"
#include "base/picture/picture.h"

struct frame_pool;

struct frame_pool *frame_pool_open(void);
void frame_pool_close(
    struct frame_pool *frames); /* NULL is fine; all frames must be back */

/* A screenshot while it is decoded or encoded. */
struct pool_frame {
    struct screenshot shot; /* as received, and decoded */
    struct picture scaled;
};

#define POOL_FRAME_INIT                                                        \
    {                                                                          \
        .shot = SCREENSHOT_INIT, .scaled = PICTURE_INIT                        \
    }

void pool_frame_release(struct pool_frame *frame);

/*
 * Append picture, which belongs to the frame, to png as a PNG. The intermediate
 * data overwrites the received bytes. Fails as png_encode.
 */
MUST_USE bool pool_frame_encode(struct pool_frame *frame,
                                const struct picture *picture, struct buf *png,
                                struct err *err);

/*
 * Take a frame, with the memory of its last use. There are as many as cores;
 * blocks until one is free, so the caller must not wait for anything else while
 * it has one. Safe from any thread.
 */
struct pool_frame *frame_pool_take(struct frame_pool *frames);
void frame_pool_give(struct frame_pool *frames, struct pool_frame *frame);

/*
 * The same for receiving a screenshot from a phone, which may take long. There
 * are two more frames than cores, and one is always left for frame_pool_take: a
 * slow phone cannot block the processing for others.
 */
struct pool_frame *frame_pool_take_for_transfer(struct frame_pool *frames);
void frame_pool_give_from_transfer(struct frame_pool *frames,
                                   struct pool_frame *frame);

#endif
