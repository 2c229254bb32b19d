/* When the newest frames came: how many per second, and how old one is. */
#ifndef TOOLS_LIVE_FRAME_TIMES_H
#define TOOLS_LIVE_FRAME_TIMES_H

#include <stddef.h>
#include <stdint.h>

#define FRAME_TIMES_KEPT 128

struct frame_times {
    struct frame_time {
        uint32_t frame;
        int64_t at_ns;
    } kept[FRAME_TIMES_KEPT]; /* a ring */
    uint64_t count;           /* of all frames */
    int64_t first;            /* when the first one came */
    double best;              /* the highest rate so far */
};

void frame_times_init(struct frame_times *times);
void frame_times_add(struct frame_times *times, uint32_t frame, int64_t now_ns);

/* Frames in the last second. */
double frame_times_rate(const struct frame_times *times, int64_t now_ns);

/*
 * For how long there has been a frame after this one, in nanoseconds; 0: there
 * is none.
 */
int64_t frame_times_age(const struct frame_times *times, uint32_t frame,
                        int64_t now_ns);

#endif
