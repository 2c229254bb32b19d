#include "tools/phone/core/clock_follower.h"

#include "base/deadline.h"

void clock_follower_init(struct clock_follower *follower,
                         struct virtual_clock *clock)
{
    *follower = (struct clock_follower){.clock = clock};
    pthread_mutex_init(&follower->lock, NULL);
}

void clock_follower_release(struct clock_follower *follower)
{
    pthread_mutex_destroy(&follower->lock);
}

void clock_follower_join(struct clock_follower *follower)
{
    pthread_mutex_lock(&follower->lock);
    if (!follower->viewers++)
        follower->last_ns = clock_ns();
    pthread_mutex_unlock(&follower->lock);
}

void clock_follower_leave(struct clock_follower *follower)
{
    pthread_mutex_lock(&follower->lock);
    follower->viewers--;
    pthread_mutex_unlock(&follower->lock);
}

void clock_follower_move(struct clock_follower *follower)
{
    int64_t now = clock_ns();
    int64_t passed;

    pthread_mutex_lock(&follower->lock);
    passed = now > follower->last_ns ? now - follower->last_ns : 0;
    follower->last_ns += passed;
    pthread_mutex_unlock(&follower->lock);
    virtual_clock_advance(follower->clock,
                          passed < PHONE_SECOND ? passed : PHONE_SECOND);
}
