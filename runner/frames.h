/*
 * Memory for whole frames, which all phones of a program take turns in using.
 * A frame is ten megabytes, and is needed for some milliseconds of a step:
 * whoever waits for an agent or a model holds none.
 */
#ifndef RUNNER_FRAMES_H
#define RUNNER_FRAMES_H

#include "adb/screenshot.h"
#include "base/picture.h"

struct frames;

struct frames *frames_open(void);
void frames_close(
    struct frames *frames); /* NULL is fine; all were given back */

/* A screen on its way to being a picture, or from there to a PNG. */
struct frame {
    struct screenshot shot; /* as it came, and its picture */
    struct picture scaled;
};

#define FRAME_INIT                                                             \
    {                                                                          \
        .shot = SCREENSHOT_INIT, .scaled = PICTURE_INIT                        \
    }

void frame_release(struct frame *frame);

/*
 * Append picture, one of the frame's, to png as a PNG. What is made on the way
 * is as large as the picture, and takes the place of what came. Fails as
 * png_encode does.
 */
MUST_USE bool frame_encode(struct frame *frame, const struct picture *picture,
                           struct buf *png, struct err *err);

/*
 * One to use, with the memory of its last use, by as many as there are cores:
 * who comes later waits, so nobody may wait for anything else who has one. Safe
 * from any thread.
 */
struct frame *frames_take(struct frames *frames);
void frames_give(struct frames *frames, struct frame *frame);

/*
 * The same for who waits for pixels that come over a wire. There are two more
 * than cores in all, and one is always left for those above: no phone can hold
 * up what is seen of the others.
 */
struct frame *frames_take_for_wire(struct frames *frames);
void frames_give_from_wire(struct frames *frames, struct frame *frame);

#endif
