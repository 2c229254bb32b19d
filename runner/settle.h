/*
 * When is a screen still? Decided from what was seen when, and nothing else:
 * no clock and no phone here.
 *
 *     settle_begin ──▶ settle_signals ─┐
 *           │     ◀─── (again) ◀───────┤
 *           └────────▶ settle_frame ───┴──▶ SETTLE_STILL, SETTLE_GIVE_UP
 *
 * What moves in one small place for ever (a stopwatch, an advertisement) keeps
 * nobody waiting: the rest is looked at.
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
    int64_t part_ms;     /* so long what moves in one place alone may stop */
    int64_t bound_ms;    /* so long at most */
};

/* What a frame is to the one before it. */
enum settle_frame {
    SETTLE_SAME,
    SETTLE_KNOWN_PART, /* only what moved all the time before moved */
    SETTLE_PART,       /* only a small part moved */
    SETTLE_OTHER,
};

struct settle {
    struct settle_options options;
    int64_t began_ms;
    int64_t quiet_since_ms; /* since then nothing changed, */
    int64_t known_since_ms; /* or nothing but a known part, */
    int64_t part_since_ms;  /* or nothing but a small part */
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

/* A frame was seen. Does it differ from that of the last observation? */
enum settle_next settle_frame(struct settle *settle, int64_t now_ms,
                              enum settle_frame frame, bool differs_from_last);

/* Something moved after all. */
void settle_moved(struct settle *settle, int64_t now_ms);

/* Was it all of it that came to rest, and not all but a part? */
bool settle_all_still(const struct settle *settle, int64_t now_ms);

/* The signals did not rest in time: count frames from here on. */
bool settle_signals_failed(const struct settle *settle, int64_t now_ms);
void settle_by_frames(struct settle *settle);

#endif
