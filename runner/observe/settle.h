/*
 * Decides when a screen has settled, from signals and frames and their times
 * only: it has no clock and no phone.
 *
 *     settle_begin ──▶ settle_signals ─┐
 *           │     ◀─── (again) ◀───────┤
 *           └────────▶ settle_frame ───┴──▶ SETTLE_STILL, SETTLE_GIVE_UP
 *
 * A small area that changes forever (a stopwatch, an advertisement) does not
 * keep a screen from settling: the rest is compared.
 *
 * Most actions change something. So while nothing has changed since the
 * action, it waits longer: the phone may be slow.
 */
#ifndef RUNNER_OBSERVE_SETTLE_H
#define RUNNER_OBSERVE_SETTLE_H

#include <stdbool.h>
#include <stdint.h>

enum settle_next {
    SETTLE_AGAIN,   /* observe again */
    SETTLE_PICTURE, /* the signals are stable: take a screenshot */
    SETTLE_STILL,
    SETTLE_GIVE_UP, /* it does not settle: take it as it is */
};

struct settle_options {
    int64_t quiet_ms;   /* nothing may change for this time */
    int64_t timeout_ms; /* how long an action may take to show any effect */
    int64_t signals_ms; /* how long to wait for stable signals */
    int64_t part_ms;    /* how long to wait for a small animated area to stop */
    int64_t bound_ms;   /* the upper bound of all */
};

/* How a frame differs from the one before. */
enum settle_frame {
    SETTLE_SAME,
    SETTLE_KNOWN_ANIMATION, /* only the known animated area changed */
    SETTLE_SMALL_CHANGE,    /* only a small area changed */
    SETTLE_CHANGED,
};

struct settle {
    struct settle_options options;
    int64_t began_ms;
    int64_t quiet_since_ms; /* since when nothing has changed, */
    int64_t known_since_ms; /* or only a known animated area, */
    int64_t part_since_ms;  /* or only a small area */
    bool seen;              /* there was a frame */
    bool changed; /* something changed since the action, or there was no action
                   */
};

/* Begin; acted: an action was just performed. */
void settle_begin(struct settle *settle, const struct settle_options *options,
                  int64_t now_ms, bool acted);

/*
 * Signals were read. equal: to those before in this round; differ_from_last:
 * from those of the last observation.
 */
enum settle_next settle_signals(struct settle *settle, int64_t now_ms,
                                bool equal, bool differ_from_last);

/*
 * A frame was captured. differs_from_last: from that of the last observation.
 */
enum settle_next settle_frame(struct settle *settle, int64_t now_ms,
                              enum settle_frame frame, bool differs_from_last);

/* The screen changed after it seemed stable. */
void settle_moved(struct settle *settle, int64_t now_ms);

/* Has the whole screen settled, not only all but an animated area? */
bool settle_all_still(const struct settle *settle, int64_t now_ms);

/* Did the signals not become stable in time? Then compare frames. */
bool settle_signals_failed(const struct settle *settle, int64_t now_ms);
void settle_by_frames(struct settle *settle);

#endif
