#include "tools/phone/core/virtual_clock.h"

#include <time.h>

#include "base/deadline.h"

/* Limit of timers that one move fires; the rest fires with the next. */
#define FIRINGS_MAX 100000

/* Uptime of a phone when it is created. */
#define UP_SINCE (3600 * PHONE_SECOND)

void virtual_clock_init(struct virtual_clock *clock, int64_t start)
{
    *clock = (struct virtual_clock){.real = false};
    clock->now = start;
    clock->booted = start - UP_SINCE;
    timers_init(&clock->timers);
    pthread_mutex_init(&clock->moving, NULL);
}

void virtual_clock_stop(struct virtual_clock *clock)
{
    if (!clock->real || clock->done)
        return;
    clock->done = true;
    timers_wake(&clock->timers);
    pthread_join(clock->driver, NULL);
}

void virtual_clock_release(struct virtual_clock *clock)
{
    virtual_clock_stop(clock);
    timers_release(&clock->timers);
    pthread_mutex_destroy(&clock->moving);
}

int64_t virtual_clock_now(struct virtual_clock *clock)
{
    return clock->real ? clock_ns() + clock->ahead : clock->now;
}

static int64_t view_now(void *clock)
{
    return virtual_clock_now(clock);
}

struct phone_time_source virtual_clock_view(struct virtual_clock *clock)
{
    return (struct phone_time_source){view_now, clock};
}

/* ---- moving ---- */

static void fire_until(struct virtual_clock *clock, int64_t until)
{
    struct phone_timer timer;

    for (int i = 0; i < FIRINGS_MAX; i++) {
        if (!timers_take(&clock->timers, until, &timer))
            return;
        if (timer.due > clock->now)
            clock->now = timer.due;
        timers_fire(&clock->timers, &timer);
    }
}

void virtual_clock_advance(struct virtual_clock *clock, int64_t nanoseconds)
{
    int64_t until;

    if (clock->real)
        return;
    pthread_mutex_lock(&clock->moving);
    until = nanoseconds < CLOCK_END - clock->now ? clock->now + nanoseconds
                                                 : CLOCK_END;
    fire_until(clock, until);
    clock->now = until;
    pthread_mutex_unlock(&clock->moving);
}

void virtual_clock_look(struct virtual_clock *clock)
{
    virtual_clock_advance(clock, CLOCK_LOOK);
}

bool virtual_clock_set_timer(struct virtual_clock *clock,
                             struct phone_timer timer, uint64_t *id)
{
    int64_t now = virtual_clock_now(clock);
    int64_t wait =
        timer.due > CLOCK_MILLISECOND ? timer.due : CLOCK_MILLISECOND;

    timer.due = wait < CLOCK_END - now ? now + wait : CLOCK_END;
    return timers_set(&clock->timers, &timer, id);
}

void virtual_clock_hold(struct virtual_clock *clock)
{
    pthread_mutex_lock(&clock->moving);
}

void virtual_clock_let_go(struct virtual_clock *clock)
{
    pthread_mutex_unlock(&clock->moving);
}

/* ---- the computer's time ---- */

static void *drive(void *context)
{
    struct virtual_clock *clock = context;

    while (!clock->done) {
        timers_sleep(&clock->timers, clock->ahead);
        pthread_mutex_lock(&clock->moving);
        fire_until(clock, virtual_clock_now(clock));
        pthread_mutex_unlock(&clock->moving);
    }
    return NULL;
}

bool virtual_clock_be_real(struct virtual_clock *clock, struct err *err)
{
    struct timespec today;
    int number;

    clock_gettime(CLOCK_REALTIME, &today);
    clock->ahead =
        (int64_t)today.tv_sec * PHONE_SECOND + today.tv_nsec - clock_ns();
    clock->real = true;
    clock->booted = virtual_clock_now(clock) - UP_SINCE;
    number = pthread_create(&clock->driver, NULL, drive, clock);
    if (!number)
        return true;
    clock->real = false;
    return err_errno(err, number, "starting the phone's clock");
}

/* ---- snapshots ---- */

void virtual_clock_save(struct virtual_clock *clock, struct buf *out)
{
    saved_state_put_i64(out, virtual_clock_now(clock));
    saved_state_put_i64(out, clock->booted);
    timers_save(&clock->timers, out);
}

void virtual_clock_load(struct virtual_clock *clock, struct saved_state *in)
{
    int64_t now = saved_state_i64(in, 0, CLOCK_END);
    int64_t booted = saved_state_i64(in, 0, CLOCK_END);

    timers_load(&clock->timers,
                clock->real ? virtual_clock_now(clock) - now : 0, in);
    if (in->trial || in->broken || clock->real)
        return;
    clock->now = now;
    clock->booted = booted;
}
