/* How often something may happen: a bucket that fills with time. */
#ifndef TOOLS_HTTP_SERVER_RATE_LIMIT_H
#define TOOLS_HTTP_SERVER_RATE_LIMIT_H

#include <stdbool.h>
#include <stdint.h>

struct rate_limit {
    double per_second;
    double burst;     /* how many may come at once */
    double allowance; /* that may come now */
    int64_t counted_ns;
};

void rate_limit_init(struct rate_limit *limit, double per_second, double burst);

/* May one more come now? It counts if it may. */
bool rate_limit_take(struct rate_limit *limit);

#endif
