/*
 * When is a screen still? Decided from what was seen when, and nothing else:
 * no clock and no phone here.
 *
 *     settle_begin ──▶ settle_signals ─┐
 *           │     ◀─── (again) ◀───────┤
 *           └────────▶ settle_frame ───┴──▶ SETTLE_STILL, SETTLE_GIVE_UP
 *
 * Most actions change something. So while nothing at all has changed since
 * before the action, it is looked at longer: the phone may be slow.
 */
#ifndef RUNNER_SETTLE_H
#define RUNNER_SETTLE_H

#include <stdbool.h>
#include <stdint.h>

enum settle_next {
    SETTLE_AGAIN,   /* look again */
    SETTLE_PICTURE, /* signals say that it is still: take its picture */
    SETTLE_STILL,
    SETTLE_GIVE_UP, /* it does not come to rest: take it as it is */
};

struct settle_options {
    int64_t quiet_ms;    /* so long nothing may change */
    int64_t patience_ms; /* so long an action may take to change anything */
    int64_t signals_ms;  /* so long signals are trusted to come to rest */
    int64_t bound_ms;    /* so long at most */
};

struct settle {
    struct settle_options options;
    int64_t began_ms;
    int64_t quiet_since_ms; /* of the frame or signals that were seen last */
    bool seen;              /* there was one */
    bool changed; /* since the action, or there was none to wait for */
};

/* Begin; acted says that something was just done to the phone. */
void settle_begin(struct settle *settle, const struct settle_options *options,
                  int64_t now_ms, bool acted);

/* Signals were read: equal to those before them in this round? And do they
 * differ from those of the last observation? */
enum settle_next settle_signals(struct settle *settle, int64_t now_ms,
                                bool equal, bool differ_from_last);

/* A frame was seen; the same two questions. */
enum settle_next settle_frame(struct settle *settle, int64_t now_ms, bool equal,
                              bool differs_from_last);

/* The signals did not rest in time: count frames from here on. */
bool settle_signals_failed(const struct settle *settle, int64_t now_ms);
void settle_by_frames(struct settle *settle);

#endif
