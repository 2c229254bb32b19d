#include "tools/live/rung_cost.h"

/* A video has up to so many frames a second. */
#define VIDEO_FPS 60.0

/* Before so many frames have come, the screen may have moved too little for a
 * rate. */
#define FRAMES_MIN 30

/* Screenshots of a screen at rest are taken at intervals, of which a change
 * waits for half of one on average (source_screencap.c). */
#define SCREENCAP_WAIT_MS 200.0

/* Without scrcpy's server each touch starts a Java process on the phone. */
#define INPUT_MS 300.0

/* A page is opened once, and then touched many times. */
#define FIRST_SHARE 10.0

static double first_ms(const struct live_rung_status *measured)
{
    return measured->first_ms > 0 ? (double)measured->first_ms : 0;
}

static double ms_per_picture(enum live_rung rung,
                             const struct live_rung_status *measured)
{
    if (measured->fps > 0 && measured->frames >= FRAMES_MIN)
        return 1000 / measured->fps;
    return rung == LIVE_RUNG_SCREENCAP ? first_ms(measured) : 1000 / VIDEO_FPS;
}

double rung_cost(enum live_rung rung, const struct live_rung_status *measured)
{
    double cost =
        ms_per_picture(rung, measured) + first_ms(measured) / FIRST_SHARE;

    if (rung == LIVE_RUNG_SCREENCAP)
        cost += SCREENCAP_WAIT_MS;
    if (rung == LIVE_RUNG_SCREENCAP || rung == LIVE_RUNG_SCREENRECORD)
        cost += INPUT_MS;
    return cost;
}

enum live_rung rung_cost_best(const struct live_rung_status rungs[LIVE_RUNGS],
                              const bool may_use[LIVE_RUNGS])
{
    enum live_rung best = LIVE_RUNG_AUTO;

    for (int i = LIVE_RUNG_AUTO + 1; i < LIVE_RUNGS; i++) {
        const enum live_rung rung = (enum live_rung)i;

        if (may_use[i] &&
            (best == LIVE_RUNG_AUTO ||
             rung_cost(rung, &rungs[i]) < rung_cost(best, &rungs[best])))
            best = rung;
    }
    return best;
}
