/* A phone's clock that stands still until the test moves it. */
#ifndef TESTS_PHONE_STILL_CLOCK_H
#define TESTS_PHONE_STILL_CLOCK_H

#include "tools/phone/clock.h"

#define STILL_CLOCK_START (INT64_C(1700000000) * PHONE_SECOND)

static inline int64_t still_clock_now(void *context)
{
    int64_t *at = context;

    return *at;
}

static inline struct phone_clock still_clock(int64_t *at)
{
    return (struct phone_clock){.now = still_clock_now, .context = at};
}

#endif
