/* Time, waiting and random numbers for retries; tests replace them. */
#ifndef RUNNER_MODELS_CLOCK_OPS_H
#define RUNNER_MODELS_CLOCK_OPS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cancel.h"
#include "base/deadline.h"
#include "base/err.h"

struct clock_ops {
    int64_t (*now_ns)(void *context); /* monotonic */
    int64_t (*date_s)(void *context); /* seconds since 1970 */
    /* Wait until that time. Fails with ERR_CANCELLED. */
    bool (*wait)(void *context, int64_t until_ns, const struct cancel *cancel,
                 struct err *err);
    double (*chance)(void *context); /* random, from 0 up to 1 */
    void *context;
};

/* The real clock. */
extern const struct clock_ops clock_ops_real;

#endif
