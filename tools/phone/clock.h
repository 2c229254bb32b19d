/*
 * What time it is on the phone. Its time is virtual: nothing in tools/phone
 * asks the computer's clock, everything asks this one.
 */
#ifndef PHONE_CLOCK_H
#define PHONE_CLOCK_H

#include <stdint.h>

#define PHONE_SECOND INT64_C(1000000000)

struct phone_clock {
    int64_t (*now)(void *context); /* nanoseconds since 1970; from any thread */
    void *context;
};

static inline int64_t phone_now(const struct phone_clock *clock)
{
    return clock->now(clock->context);
}

#endif
