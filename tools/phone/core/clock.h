/*
 * The phone's time, which is virtual: code in tools/phone reads this clock,
 * never the computer's.
 */
#ifndef TOOLS_PHONE_CORE_CLOCK_H
#define TOOLS_PHONE_CORE_CLOCK_H

#include <stdint.h>

#define PHONE_SECOND INT64_C(1000000000)

struct phone_time_source {
    int64_t (*now)(void *context); /* nanoseconds since 1970; from any thread */
    void *context;
};

static inline int64_t phone_now(const struct phone_time_source *clock)
{
    return clock->now(clock->context);
}

#endif
