/* A phone's clock that only the test advances. */
#ifndef TESTS_TOOLS_PHONE_CORE_STILL_CLOCK_H
#define TESTS_TOOLS_PHONE_CORE_STILL_CLOCK_H

#include "tools/phone/core/clock.h"

#define STILL_CLOCK_START (INT64_C(1700000000) * PHONE_SECOND)

static inline int64_t still_clock_now(void *context)
{
    int64_t *at = context;

    return *at;
}

static inline struct phone_time_source still_clock(int64_t *at)
{
    return (struct phone_time_source){.now = still_clock_now, .context = at};
}

#endif
