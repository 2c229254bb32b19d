/*
 * Lets a phone's virtual clock follow the computer's while its screen is
 * watched as video: otherwise nothing would move. Any number of viewers share
 * one; together they move the clock as one does. Does nothing to a real clock.
 */
#ifndef TOOLS_PHONE_CORE_CLOCK_FOLLOWER_H
#define TOOLS_PHONE_CORE_CLOCK_FOLLOWER_H

#include <pthread.h>
#include <stdint.h>

#include "tools/phone/core/virtual_clock.h"

struct clock_follower {
    struct virtual_clock *clock; /* borrowed */
    pthread_mutex_t lock;        /* guards everything below */
    unsigned viewers;
    int64_t last_ns; /* the computer's time of the last move */
};

void clock_follower_init(struct clock_follower *follower,
                         struct virtual_clock *clock);
void clock_follower_release(struct clock_follower *follower);

/* A viewer comes or goes. */
void clock_follower_join(struct clock_follower *follower);
void clock_follower_leave(struct clock_follower *follower);

/*
 * Move the clock by the time since the last move, at most a second. The caller
 * must be a viewer, and must not hold the screen's lock.
 */
void clock_follower_move(struct clock_follower *follower);

#endif
