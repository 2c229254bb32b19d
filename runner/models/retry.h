/*
 * When to send a request again, and how long to wait: twice as long each time,
 * randomly up to half less, and never less than the service asks for.
 */
#ifndef RUNNER_MODELS_RETRY_H
#define RUNNER_MODELS_RETRY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "runner/models/clock_ops.h"
#include "runner/models/http.h"

struct retry_rules {
    int tries; /* number of tries in all */
    int64_t first_ms;
    int64_t longest_ms; /* unless the service asks for more */
};

#define RETRY_RULES                                                            \
    {                                                                          \
        .tries = 8, .first_ms = 500, .longest_ms = 60000                       \
    }

/* Is this HTTP status temporary? */
bool retry_status(long status);

/* Is this connection error temporary? */
bool retry_code(enum err_code code);

/* The wait that the headers of a reply ask for; 0: none. */
int64_t retry_floor_ns(const struct http_reply *reply,
                       const struct clock_ops *clock_ops);

/* The wait after this many tries. */
int64_t retry_wait_ns(const struct retry_rules *rules, int tries,
                      int64_t floor_ns, double chance);

/* Parse "6m0s", "1.5s", "250ms" or "20" (seconds) to nanoseconds. */
MUST_USE bool retry_duration(const char *text, int64_t *ns);

#endif
