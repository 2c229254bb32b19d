/*
 * Pictures of one phone's screen, and what each is to those before it. The
 * frames themselves are not kept: tiles.h is what remains of them.
 */
#ifndef RUNNER_EYE_H
#define RUNNER_EYE_H

#include <stdbool.h>
#include <stdint.h>

#include "adb/screenshot.h"
#include "base/box.h"
#include "runner/frames.h"
#include "runner/settle.h"
#include "runner/tiles.h"

struct eye {
    struct frames *frames; /* borrowed */
    enum screenshot_way way;
    uint32_t clock; /* pixels at the top that do not count */
    int64_t looks;  /* how many pictures were taken */

    struct buf png;           /* the picture that `now` is of */
    struct buf next;          /* memory for the next */
    struct tiles now;         /* the frame that was seen last */
    struct tiles fresh;       /* memory for the next */
    struct tiles last;        /* of the last observation */
    struct box restless;      /* what moves all the time, as far as is known */
    struct box last_restless; /* of the last observation */
    uint64_t last_hash;
};

void eye_init(struct eye *eye, struct frames *frames);
void eye_release(struct eye *eye);

/*
 * Look once. A picture that is damaged is taken anew, a few times. *frame is
 * what it is to the one before it. Fails as screenshot_take does; waits
 * while as many phones as may send pixels.
 */
MUST_USE bool eye_look(struct eye *eye, struct device *device,
                       struct deadline by, enum settle_frame *frame,
                       struct err *err);

/*
 * Does what was seen differ from the last observation? Neither the clock
 * counts, nor what moves all the time or did so then.
 */
bool eye_sees_other(const struct eye *eye);

/* This is an observation. Its hash is that of the last one if it looks like
 * it. */
uint64_t eye_keep(struct eye *eye);

/* The PNG of what was seen last, appended. */
void eye_png(const struct eye *eye, struct buf *png);

#endif
