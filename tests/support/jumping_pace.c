#include "tests/support/jumping_pace.h"

static int64_t now(void *context)
{
    struct jumping_pace *jumping = context;
    int64_t jumped;

    pthread_mutex_lock(&jumping->lock);
    jumped = jumping->jumped_ns;
    pthread_mutex_unlock(&jumping->lock);
    return clock_ns() + jumped;
}

static int64_t date(void *context)
{
    struct jumping_pace *jumping = context;
    int64_t jumped;

    pthread_mutex_lock(&jumping->lock);
    jumped = jumping->jumped_ns;
    pthread_mutex_unlock(&jumping->lock);
    return JUMPING_DATE + jumped / 1000000000;
}

static bool jump(void *context, int64_t until_ns, const struct cancel *cancel,
                 struct err *err)
{
    struct jumping_pace *jumping = context;
    int64_t wait = until_ns - now(context);

    if (cancel_fired(cancel))
        return err_set(err, ERR_CANCELLED, "cancelled");
    if (wait <= 0)
        return true;
    pthread_mutex_lock(&jumping->lock);
    jumping->jumped_ns += wait;
    if (jumping->count < JUMPS_MAX)
        jumping->waits_s[jumping->count++] = (double)wait / 1e9;
    pthread_mutex_unlock(&jumping->lock);
    return true;
}

static double chance(void *context)
{
    return ((struct jumping_pace *)context)->chance;
}

void jumping_pace_init(struct jumping_pace *jumping)
{
    *jumping = (struct jumping_pace){
        .pace = {now, date, jump, chance, jumping},
    };
    pthread_mutex_init(&jumping->lock, NULL);
}
