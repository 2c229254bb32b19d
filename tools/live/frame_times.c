#include "tools/live/frame_times.h"

#define SECOND INT64_C(1000000000)

void frame_times_init(struct frame_times *times)
{
    *times = (struct frame_times){.count = 0};
}

/* The frame that came back frames before the newest. */
static const struct frame_time *back(const struct frame_times *times,
                                     uint64_t back)
{
    return &times->kept[(times->count - 1 - back) % FRAME_TIMES_KEPT];
}

static uint64_t kept(const struct frame_times *times)
{
    return times->count < FRAME_TIMES_KEPT ? times->count : FRAME_TIMES_KEPT;
}

void frame_times_add(struct frame_times *times, uint32_t frame, int64_t now_ns)
{
    double rate;

    if (!times->count)
        times->first = now_ns;
    times->kept[times->count++ % FRAME_TIMES_KEPT] =
        (struct frame_time){frame, now_ns};
    rate = frame_times_rate(times, now_ns);
    if (rate > times->best)
        times->best = rate;
}

double frame_times_rate(const struct frame_times *times, int64_t now_ns)
{
    uint64_t count = 0;

    while (count < kept(times) && now_ns - back(times, count)->at_ns < SECOND)
        count++;
    return (double)count;
}

int64_t frame_times_age(const struct frame_times *times, uint32_t frame,
                        int64_t now_ns)
{
    int64_t age = 0;

    for (uint64_t i = 0; i < kept(times) && back(times, i)->frame > frame; i++)
        age = now_ns - back(times, i)->at_ns;
    return age;
}
