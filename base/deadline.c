#include "base/deadline.h"

#include <limits.h>

#define NS_PER_MS 1000000
#define NS_PER_S 1000000000

int64_t clock_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * NS_PER_S + now.tv_nsec;
}

int64_t clock_wall_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / NS_PER_MS;
}

struct deadline deadline_in_ms(int64_t ms)
{
    int64_t now = clock_ns();

    if (ms <= 0)
        return (struct deadline){now};
    if (ms >= (INT64_MAX - now) / NS_PER_MS)
        return DEADLINE_NEVER;
    return (struct deadline){now + ms * NS_PER_MS};
}

bool deadline_passed(struct deadline by)
{
    return by.at_ns != INT64_MAX && clock_ns() >= by.at_ns;
}

int deadline_left_ms(struct deadline by)
{
    int64_t left;

    if (by.at_ns == INT64_MAX)
        return -1;
    left = by.at_ns - clock_ns();
    if (left <= 0)
        return 0;
    left = (left - 1) / NS_PER_MS + 1;
    return left > INT_MAX ? INT_MAX : (int)left;
}

void deadline_cond_init(pthread_cond_t *cond)
{
    pthread_condattr_t attributes;

    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(cond, &attributes);
    pthread_condattr_destroy(&attributes);
}

struct timespec deadline_timespec(struct deadline by)
{
    return (struct timespec){.tv_sec = (time_t)(by.at_ns / NS_PER_S),
                             .tv_nsec = (long)(by.at_ns % NS_PER_S)};
}

struct deadline deadline_sooner(struct deadline a, struct deadline b)
{
    return a.at_ns < b.at_ns ? a : b;
}

struct deadline deadline_later(struct deadline a, struct deadline b)
{
    return a.at_ns > b.at_ns ? a : b;
}
