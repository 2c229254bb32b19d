/*
 * The phone's clock while its time is virtual: it stands still until somebody
 * moves it, so the same inputs always see the same times. Safe from any thread.
 */
#ifndef PHONE_VIRTUAL_CLOCK_H
#define PHONE_VIRTUAL_CLOCK_H

#include <stdint.h>

#include "tools/phone/clock.h"

struct virtual_clock {
    _Atomic int64_t now; /* nanoseconds since 1970 */
    int64_t booted;
};

/* A phone that was switched on an hour before its first moment. */
static inline void virtual_clock_init(struct virtual_clock *clock,
                                      int64_t start)
{
    clock->now = start;
    clock->booted = start - 3600 * PHONE_SECOND;
}

static inline int64_t virtual_clock_now(void *clock)
{
    return ((struct virtual_clock *)clock)->now;
}

static inline struct phone_clock virtual_clock_view(struct virtual_clock *clock)
{
    return (struct phone_clock){virtual_clock_now, clock};
}

static inline void virtual_clock_advance(struct virtual_clock *clock,
                                         int64_t nanoseconds)
{
    clock->now += nanoseconds;
}

#endif
