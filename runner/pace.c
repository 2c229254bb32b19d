#include "runner/pace.h"

#include <errno.h>
#include <poll.h>
#include <sys/random.h>
#include <time.h>

static int64_t real_now(void *context)
{
    (void)context;
    return clock_ns();
}

static int64_t real_date(void *context)
{
    (void)context;
    return (int64_t)time(NULL);
}

static bool real_wait(void *context, int64_t until_ns,
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

static double real_chance(void *context)
{
    uint32_t number = 0;

    (void)context;
    if (getrandom(&number, sizeof(number), 0) != sizeof(number))
        return 0.5;
    return number / 4294967296.0;
}

const struct pace pace_real = {
    .now_ns = real_now,
    .date_s = real_date,
    .wait = real_wait,
    .chance = real_chance,
};
