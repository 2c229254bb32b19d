/*
 * When an event of the phone happened, by the clock of this computer.
 *
 * getevent prints times of the phone's clock, and no command tells which one.
 * An event arrives after it happened: the least delay that was seen bounds the
 * difference of the clocks from above. A reading of the phone's clock bounds it
 * from below. Pure; times in milliseconds.
 */
#ifndef RUNNER_HAND_EVENT_CLOCK_H
#define RUNNER_HAND_EVENT_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

struct event_clock {
    bool has_events;
    int64_t most; /* ours - the phone's, at most */
    bool has_reading;
    int64_t least; /* and at least */
};

/* The moment of an event by our clock, between two times. */
struct event_moment {
    int64_t earliest;
    int64_t latest;
};

/*
 * The phone's uptime, as read from /proc/uptime after this time of ours. It is
 * used only if it fits the events: they may count by another clock.
 */
void event_clock_read(struct event_clock *clock, int64_t uptime_ms,
                      int64_t before_ms);

/* An event with this time of the phone has arrived now. */
void event_clock_arrived(struct event_clock *clock, int64_t event_ms,
                         int64_t now_ms);

/* When did it happen? Some event must have arrived. */
struct event_moment event_clock_moment(const struct event_clock *clock,
                                       int64_t event_ms);

#endif
