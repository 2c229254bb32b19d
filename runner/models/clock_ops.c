#include "runner/models/clock_ops.h"

#include <errno.h>
#include <poll.h>
#include <sys/random.h>
#include <time.h>

static int64_t clock_ops_real_now(void *context)
{
    (void)context;
    return clock_ns();
}

static int64_t clock_ops_real_date(void *context)
{
    (void)context;
    return (int64_t)time(NULL);
}

static bool clock_ops_real_wait(void *context, int64_t until_ns,
                                const struct cancel *cancel, struct err *err)
{
    struct deadline until = {until_ns};
    struct pollfd fd = {.fd = cancel_fd(cancel), .events = POLLIN};

    (void)context;
    while (!deadline_passed(until)) {
        if (poll(&fd, 1, deadline_left_ms(until)) < 0 && errno != EINTR)
            return err_errno(err, errno, "wait");
        if (cancel_fired(cancel))
            return err_set(err, ERR_CANCELLED, "cancelled");
    }
    return true;
}

static double clock_ops_real_chance(void *context)
{
    uint32_t number = 0;

    (void)context;
    if (getrandom(&number, sizeof(number), 0) != sizeof(number))
        return 0.5;
    return number / 4294967296.0;
}

const struct clock_ops clock_ops_real = {
    .now_ns = clock_ops_real_now,
    .date_s = clock_ops_real_date,
    .wait = clock_ops_real_wait,
    .chance = clock_ops_real_chance,
};
