#include "runner/hand/frame_ring.h"

void frame_ring_init(struct frame_ring *ring)
{
    *ring = (struct frame_ring){.added = 0};
    for (size_t i = 0; i < FRAME_RING_SIZE; i++)
        record_screen_init(&ring->frames[i].screen);
}

void frame_ring_release(struct frame_ring *ring)
{
    for (size_t i = 0; i < FRAME_RING_SIZE; i++) {
        record_screen_release(&ring->frames[i].screen);
        tree_release(&ring->frames[i].tree);
    }
    ring->added = 0;
}

void frame_ring_add(struct frame_ring *ring, struct record_screen *screen,
                    int64_t begin_ms, int64_t end_ms)
{
    struct ring_frame *frame = &ring->frames[ring->added++ % FRAME_RING_SIZE];
    struct err ignored;

    record_screen_move(&frame->screen, screen);
    frame->has_tree = frame->screen.xml.length &&
                      tree_read(&frame->tree, frame->screen.xml.data,
                                frame->screen.xml.length, &ignored);
    frame->begin_ms = begin_ms;
    frame->end_ms = end_ms;
}

const struct ring_frame *frame_ring_newest(const struct frame_ring *ring)
{
    return ring->added ? &ring->frames[(ring->added - 1) % FRAME_RING_SIZE]
                       : NULL;
}

/* The n-th frame, from the newest on; NULL: it is not there any more. */
static const struct ring_frame *frame_at(const struct frame_ring *ring,
                                         size_t n)
{
    if (n >= ring->added || n >= FRAME_RING_SIZE)
        return NULL;
    return &ring->frames[(ring->added - 1 - n) % FRAME_RING_SIZE];
}

const struct ring_frame *frame_ring_find(const struct frame_ring *ring,
                                         struct event_moment down,
                                         int64_t since_ms, const char **flag)
{
    const struct ring_frame *older = NULL;
    const struct ring_frame *late = NULL;
    const struct ring_frame *frame;

    *flag = NULL;
    for (size_t n = 0; (frame = frame_at(ring, n)); n++) {
        if (frame->end_ms <= down.earliest && frame->begin_ms >= since_ms)
            return frame;
        if (frame->end_ms <= down.earliest && !older)
            older = frame;
        /* The earliest of those that may be too late. */
        if (frame->end_ms > down.earliest && frame->begin_ms >= since_ms)
            late = frame;
    }
    if (late && (late->begin_ms <= down.latest || !older)) {
        *flag = "the screen was read while the finger came down: it may show "
                "what came after";
        return late;
    }
    if (older)
        *flag = "the finger came down before the screen was read: it is that "
                "of an earlier step";
    return older;
}
