#include "tools/http_server/rate_limit.h"

#include "base/deadline.h"

void rate_limit_init(struct rate_limit *limit, double per_second, double burst)
{
    *limit = (struct rate_limit){.per_second = per_second,
                                 .burst = burst,
                                 .allowance = burst,
                                 .counted_ns = clock_ns()};
}

bool rate_limit_take(struct rate_limit *limit)
{
    int64_t now = clock_ns();

    limit->allowance +=
        (double)(now - limit->counted_ns) / 1e9 * limit->per_second;
    limit->counted_ns = now;
    if (limit->allowance > limit->burst)
        limit->allowance = limit->burst;
    if (limit->allowance < 1)
        return false;
    limit->allowance -= 1;
    return true;
}
