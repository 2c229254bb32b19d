/*
 * Limits the parallel requests to an endpoint, and adapts: half as many when
 * the endpoint reports overload, one more after each successful round.
 *
 *     concurrency_limit_enter: waits while the limit is reached, or while the
 *                              endpoint asked for a pause; first come, first
 *                              served
 *     concurrency_limit_leave: CONCURRENCY_OK          ──▶ one more
 *                              CONCURRENCY_OVERLOADED  ──▶ half as many
 */
#ifndef RUNNER_MODELS_CONCURRENCY_LIMIT_H
#define RUNNER_MODELS_CONCURRENCY_LIMIT_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/cancel.h"
#include "base/deadline.h"
#include "base/err.h"
#include "runner/models/clock_ops.h"

struct concurrency_limit {
    pthread_mutex_t lock; /* guards all below */
    double width;         /* current limit */
    double max_parallel;
    int inside;
    int64_t shut_until_ns; /* no request before that time */
    int64_t narrowed_ns;   /* when the limit was last reduced */
    struct concurrency_waiter *first;
};

void concurrency_limit_init(struct concurrency_limit *limit, int max_parallel);
void concurrency_limit_release(struct concurrency_limit *limit);

/*
 * Wait until another request is allowed. Fails with ERR_TIMEOUT when that is
 * not before `by`, at once if that is known, and with ERR_CANCELLED or ERR_IO.
 */
MUST_USE bool concurrency_limit_enter(struct concurrency_limit *limit,
                                      const struct clock_ops *clock_ops,
                                      struct deadline by,
                                      const struct cancel *cancel,
                                      struct err *err);

enum concurrency_result {
    CONCURRENCY_OK,
    CONCURRENCY_OVERLOADED,
    CONCURRENCY_UNRELATED, /* not related to the load */
};

/*
 * A request ended. entered_ns: when it entered; shut_ns: how long no other
 * request may enter.
 */
void concurrency_limit_leave(struct concurrency_limit *limit,
                             const struct clock_ops *clock_ops,
                             enum concurrency_result result, int64_t entered_ns,
                             int64_t shut_ns);

#endif
