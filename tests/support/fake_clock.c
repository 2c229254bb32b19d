#include "tests/support/fake_clock.h"

static int64_t now(void *context)
{
    struct fake_clock *fake = context;
    int64_t jumped;

    pthread_mutex_lock(&fake->lock);
    jumped = fake->skipped_ns;
    pthread_mutex_unlock(&fake->lock);
    return clock_ns() + jumped;
}

static int64_t date(void *context)
{
    struct fake_clock *fake = context;
    int64_t jumped;

    pthread_mutex_lock(&fake->lock);
    jumped = fake->skipped_ns;
    pthread_mutex_unlock(&fake->lock);
    return FAKE_CLOCK_DATE + jumped / 1000000000;
}

static bool jump(void *context, int64_t until_ns, const struct cancel *cancel,
                 struct err *err)
{
    struct fake_clock *fake = context;
    int64_t wait = until_ns - now(context);

    if (cancel_fired(cancel))
        return err_set(err, ERR_CANCELLED, "cancelled");
    if (wait <= 0)
        return true;
    pthread_mutex_lock(&fake->lock);
    fake->skipped_ns += wait;
    if (fake->count < FAKE_CLOCK_WAITS_MAX)
        fake->waits_s[fake->count++] = (double)wait / 1e9;
    pthread_mutex_unlock(&fake->lock);
    return true;
}

static double chance(void *context)
{
    return ((struct fake_clock *)context)->chance;
}

void fake_clock_init(struct fake_clock *fake)
{
    *fake = (struct fake_clock){
        .clock_ops = {now, date, jump, chance, fake},
    };
    pthread_mutex_init(&fake->lock, NULL);
}
