/*
 * Time, waiting and chance, as an option: tests have a clock that jumps.
 */
#ifndef RUNNER_PACE_H
#define RUNNER_PACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cancel.h"
#include "base/deadline.h"
#include "base/err.h"

struct pace {
    int64_t (*now_ns)(void *context); /* on the monotonic clock */
    int64_t (*date_s)(void *context); /* since 1970 */
    /* Wait until then. Fails with ERR_CANCELLED. */
    bool (*wait)(void *context, int64_t until_ns, const struct cancel *cancel,
                 struct err *err);
    double (*chance)(void *context); /* from 0 up to 1 */
    void *context;
};

/* The real ones. */
extern const struct pace pace_real;

#endif
