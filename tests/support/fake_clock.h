/* A clock that skips every wait, and records them. */
#ifndef TESTS_SUPPORT_FAKE_CLOCK_H
#define TESTS_SUPPORT_FAKE_CLOCK_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#include "runner/models/clock_ops.h"

#define FAKE_CLOCK_WAITS_MAX 256
#define FAKE_CLOCK_DATE 1794830400 /* 2026-11-16 12:00:00 UTC */

struct fake_clock {
    struct clock_ops clock_ops;
    pthread_mutex_t lock; /* guards the rest */
    int64_t skipped_ns;   /* in all */
    double waits_s[FAKE_CLOCK_WAITS_MAX];
    size_t count;
    double chance; /* always the same */
};

void fake_clock_init(struct fake_clock *fake);

#endif
