/* A clock that jumps over every wait, and remembers them. */
#ifndef TESTS_SUPPORT_JUMPING_PACE_H
#define TESTS_SUPPORT_JUMPING_PACE_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#include "runner/pace.h"

#define JUMPS_MAX 256
#define JUMPING_DATE 1794830400 /* 2026-11-16 12:00:00 UTC */

struct jumping_pace {
    struct pace pace;
    pthread_mutex_t lock; /* guards the rest */
    int64_t jumped_ns;    /* in all */
    double waits_s[JUMPS_MAX];
    size_t count;
    double chance; /* always the same */
};

void jumping_pace_init(struct jumping_pace *jumping);

#endif
