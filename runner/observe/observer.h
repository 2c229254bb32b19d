/*
 * Observations of a phone: a screenshot and a UI tree of the same settled
 * screen.
 *
 *     act ──▶ observer_capture: wait until it settles, take a screenshot
 *                 │
 *                 ├──▶ the agent decides
 *                 └──▶ observer_read_tree, at the same time or before
 *
 * Which screenshot method is the fastest is measured once per device and saved.
 * There are no fixed waits.
 */
#ifndef RUNNER_OBSERVE_OBSERVER_H
#define RUNNER_OBSERVE_OBSERVER_H

#include <stdbool.h>
#include <stdint.h>

#include "adb/device/device.h"
#include "base/buf.h"
#include "base/cancel.h"
#include "base/extent.h"
#include "process_provider/tree/tree.h"
#include "runner/device/device_info.h"
#include "runner/device/screen_helper.h"
#include "runner/observe/frame_pool.h"

#define OBSERVATION_NAME_MAX 256

struct observation {
    struct buf png;       /* the phone's own bytes, where it made a PNG */
    struct extent screen; /* size of the screen in pixels */
    bool has_tree;
    struct buf xml;                     /* the output of uiautomator */
    struct tree tree;                   /* parsed from xml */
    char package[OBSERVATION_NAME_MAX]; /* the app in front; "": unknown */
    char activity[OBSERVATION_NAME_MAX];
    char doubt[OBSERVATION_NAME_MAX]; /* what may be wrong with it; "": nothing
                                       */
    bool changed; /* the screen changed between screenshot and tree */
    bool black;   /* all of the screen is black, such as a protected window */
    uint64_t screen_hash; /* a hash without the status bar and carets: equal for
                             screens that look the same */
    int64_t settle_ms;    /* how long the screen took to settle */
};

void observation_init(struct observation *observation);
void observation_release(struct observation *observation);

/* Empty it, and keep its memory. */
void observation_clear(struct observation *seen);

/* Make copy, which is initialized, the same as seen. */
void observation_copy(const struct observation *seen, struct observation *copy);

/* Add a reason to the doubt. */
void observation_doubt(struct observation *seen, const char *words);

struct observer;

struct observer_options {
    /* folder of the cache of screenshot methods; NULL: none */
    const char *cache;
    /* borrowed, shared by all phones; NULL: an own one */
    struct frame_pool *frames;
    const struct cancel *cancel; /* may be NULL */
    const struct log *log;       /* may be NULL */
    int64_t settle_ms;           /* the longest time to settle; 0: default */
};

/*
 * Open an observer. device is borrowed. Measures which screenshot method is the
 * fastest, unless the cache has it. Fails as device_info_read and
 * screenshot_take.
 */
MUST_USE bool observer_open(struct device *device,
                            const struct observer_options *options,
                            struct deadline by, struct observer **observer,
                            struct err *err);
void observer_close(struct observer *observer); /* NULL is fine */

/* Use a new connection to the same phone, after the old one was lost. */
void observer_set_device(struct observer *observer, struct device *device);

const struct device_info *observer_facts(const struct observer *observer);

/*
 * The time of the first command in milliseconds, as a measure of the phone's
 * speed; 0 where its time is virtual.
 */
int64_t observer_latency_ms(const struct observer *observer);
/* The frame pool in use: that of the options, or its own. */
struct frame_pool *observer_frames(const struct observer *observer);

/* Is the phone's time real? A virtual one moves only by what is done. */
bool observer_time_passes(const struct observer *observer);

/*
 * The time of the phone's clock in milliseconds: see
 * runner/device/phone_clock.h.
 */
int64_t observer_now_ms(const struct observer *observer);

/* Let this helper tell when the screen changes; NULL: none. Borrowed. */
void observer_set_helper(struct observer *observer,
                         struct screen_helper *helper);

/*
 * An action begins, and was performed. While nothing has changed since it
 * began, the next capture waits longer: the phone may be slow.
 */
void observer_begin_action(struct observer *observer);
void observer_note_action(struct observer *observer);

/*
 * Wait until the screen has settled, and take a screenshot, without a tree. The
 * memory of seen is reused. A screen that does not settle is a doubt, no
 * failure. Fails as screenshot_take and shell_exec.
 */
MUST_USE bool observer_capture(struct observer *observer, struct deadline by,
                               struct observation *seen, struct err *err);

/*
 * Read the tree into seen. Failures of uiautomator are retried within bounds,
 * and then a doubt, no failure. Fails when the phone is lost, `by` passes, or
 * it is cancelled.
 */
MUST_USE bool observer_read_tree(struct observer *observer, struct deadline by,
                                 struct observation *seen, struct err *err);

/*
 * Make an observation of a PNG, a tree or both that were read by others, such
 * as the agent, just before. png may be NULL: then a screenshot is taken, as by
 * observer_capture. seen has no tree where xml is NULL or holds none. Fails as
 * png_decode, screen_signals_read and observer_capture.
 */
MUST_USE bool observer_adopt(struct observer *observer, struct deadline by,
                             const struct buf *png, const struct buf *xml,
                             struct observation *seen, struct err *err);

/*
 * Screenshot and tree of the same screen. If the screen changes in between,
 * both are read again, a few times and while there is time for it; a doubt says
 * when that did not help.
 */
MUST_USE bool observer_observe(struct observer *observer, struct deadline by,
                               struct observation *seen, struct err *err);

#endif
