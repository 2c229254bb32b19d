/*
 * When a service that did not answer is asked again, and how long to wait:
 * twice as long each time, by chance up to a half less, and never shorter than
 * the service wants.
 */
#ifndef RUNNER_RETRY_H
#define RUNNER_RETRY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "runner/http.h"
#include "runner/pace.h"

struct retry_rules {
    int tries; /* questions in all */
    int64_t first_ms;
    int64_t longest_ms; /* but a service may ask for longer */
};

#define RETRY_RULES                                                            \
    {                                                                          \
        .tries = 8, .first_ms = 500, .longest_ms = 60000                       \
    }

/* May this status go away by itself? */
bool retry_status(long status);

/* May this failure to reach the service? */
bool retry_code(enum err_code code);

/* How long the head of an answer wants one to wait; 0: it does not say. */
int64_t retry_floor_ns(const struct http_reply *reply, const struct pace *pace);

/* How long to wait after so many tries. */
int64_t retry_wait_ns(const struct retry_rules *rules, int tries,
                      int64_t floor_ns, double chance);

/* "6m0s", "1.5s", "250ms", "20": as nanoseconds. */
MUST_USE bool retry_duration(const char *text, int64_t *ns);

#endif
