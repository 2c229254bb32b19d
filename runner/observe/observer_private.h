/* Declarations shared by the files of the observer. */
#ifndef RUNNER_OBSERVE_OBSERVER_PRIVATE_H
#define RUNNER_OBSERVE_OBSERVER_PRIVATE_H

#include "runner/device/phone_clock.h"
#include "runner/observe/frame_tracker.h"
#include "runner/observe/observer.h"
#include "runner/observe/screen_signals.h"
#include "runner/observe/settle.h"

struct observer {
    struct device *device; /* borrowed, as all pointers of the options */
    const struct cancel *cancel;
    struct frame_pool *frames;
    bool own_frames;
    struct device_info facts;
    struct phone_clock clock;
    /* duration of the first command; 0 where time is virtual */
    int64_t latency_ms;
    int64_t slowness; /* factor for all times; 1: a normal phone */
    struct settle_options settle;
    struct frame_tracker tracker;
    struct buf text;
    bool counts; /* the signals include frame counts */
    struct screen_signals signals;
    struct screen_signals last_signals; /* of the last observation */
    struct screen_helper *helper;       /* borrowed; NULL: none */
    uint64_t last_changes; /* the helper's, at the last observation */
    int64_t shot_ms; /* what the last screenshot at rest took; 0: unknown */
    bool acted;
};

/* Take a screenshot; *frame: how it differs from the one before. */
MUST_USE bool observer_take_frame(struct observer *observer, struct deadline by,
                                  enum settle_frame *frame, struct err *err);

/* Read the signals; *equal: as those before. */
MUST_USE bool observer_read_signals(struct observer *observer,
                                    struct deadline by, bool *equal,
                                    struct err *err);

/* Do they differ from those of the last observation? */
bool observer_signals_differ(const struct observer *observer);

/*
 * Wait until the screen has settled, and take its screenshot, which the
 * tracker has then; *still is false when it has not. observer_settle chooses
 * the best way that the phone has: the helper's video, its signals, or
 * screenshots that are compared, as observer_settle_by_frames does.
 */
MUST_USE bool observer_settle(struct observer *observer, struct settle *settle,
                              struct deadline by, bool *still, struct err *err);
MUST_USE bool observer_settle_by_frames(struct observer *observer,
                                        struct settle *settle,
                                        struct deadline by, bool *still,
                                        struct err *err);

#endif
