/*
 * The last screens of the phone, with the times at which they were captured,
 * and which of them a finger saw. Pure; times in milliseconds of our clock.
 */
#ifndef RUNNER_HAND_FRAME_RING_H
#define RUNNER_HAND_FRAME_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "process_provider/tree/tree.h"
#include "runner/hand/event_clock.h"
#include "runner/record/record_phone.h"

#define FRAME_RING_SIZE 4

struct ring_frame {
    struct record_screen screen;
    struct tree tree; /* of screen.xml */
    bool has_tree;
    int64_t begin_ms; /* screen and tree were captured between these times */
    int64_t end_ms;
};

struct frame_ring {
    struct ring_frame frames[FRAME_RING_SIZE];
    size_t added; /* so far; the newest is added - 1 */
};

void frame_ring_init(struct frame_ring *ring);
void frame_ring_release(struct frame_ring *ring);

/* The screen is moved out of screen. Frames come in the order of their times.
 */
void frame_ring_add(struct frame_ring *ring, struct record_screen *screen,
                    int64_t begin_ms, int64_t end_ms);

/* NULL: there is none. */
const struct ring_frame *frame_ring_newest(const struct frame_ring *ring);

/*
 * The newest frame before a finger came down, or another one with a flag that
 * says why it may be wrong (NULL: it is right). since_ms is when the last touch
 * ended: frames from before it show an older screen. NULL: there is no frame.
 */
const struct ring_frame *frame_ring_find(const struct frame_ring *ring,
                                         struct event_moment down,
                                         int64_t since_ms, const char **flag);

#endif
