#include "runner/hand/event_clock.h"

/* /proc/uptime has hundredths of a second, and is rounded down. */
#define UPTIME_STEP_MS 10

/* The clocks of readings and events are the same if they differ by less. */
#define SAME_CLOCK_MS 2000

/* Assumed between an event and its arrival where no reading tells. */
#define DELAY_MS 100

/* A reading may take long; the least delay of many events does not. */
#define DOUBT_MAX_MS 200

/* A phone that was suspended may stop the clock: the difference jumps. */
#define JUMP_MS 5000

void event_clock_read(struct event_clock *clock, int64_t uptime_ms,
                      int64_t before_ms)
{
    int64_t least = before_ms - uptime_ms - UPTIME_STEP_MS;

    if (!clock->has_reading || least > clock->least)
        clock->least = least;
    clock->has_reading = true;
}

void event_clock_arrived(struct event_clock *clock, int64_t event_ms,
                         int64_t now_ms)
{
    int64_t difference = now_ms - event_ms;

    if (!clock->has_events || difference < clock->most ||
        difference > clock->most + JUMP_MS)
        clock->most = difference;
    clock->has_events = true;
}

struct event_moment event_clock_moment(const struct event_clock *clock,
                                       int64_t event_ms)
{
    int64_t doubt = DELAY_MS;

    if (clock->has_reading && clock->most - clock->least >= 0 &&
        clock->most - clock->least <= SAME_CLOCK_MS)
        doubt = clock->most - clock->least < DOUBT_MAX_MS
                    ? clock->most - clock->least
                    : DOUBT_MAX_MS;
    return (struct event_moment){event_ms + clock->most - doubt,
                                 event_ms + clock->most};
}
