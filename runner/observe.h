/*
 * What is on a phone's screen: a picture and a tree of the same settled moment.
 *
 *     act ──▶ observer_look: wait until the screen is still, take its picture
 *                 │
 *                 ├──▶ the agent thinks
 *                 └──▶ observer_read_tree, meanwhile or before
 *
 * The quickest way to take pictures is measured once per device and
 * remembered. Nothing here sleeps for a fixed time.
 */
#ifndef RUNNER_OBSERVE_H
#define RUNNER_OBSERVE_H

#include <stdbool.h>
#include <stdint.h>

#include "adb/device.h"
#include "base/buf.h"
#include "base/cancel.h"
#include "process_provider/tree.h"
#include "runner/coords.h"
#include "runner/facts.h"
#include "runner/frames.h"

#define OBSERVATION_NAME_MAX 256

struct observation {
    struct buf png;       /* byte for byte the phone's, where it made one */
    struct extent screen; /* in pixels */
    bool has_tree;
    struct buf xml;                     /* as uiautomator wrote it */
    struct tree tree;                   /* of xml */
    char package[OBSERVATION_NAME_MAX]; /* in front; "" if unknown */
    char activity[OBSERVATION_NAME_MAX];
    char doubt[OBSERVATION_NAME_MAX]; /* why both may differ, why there is no
                                         tree, or that the window is secure; ""
                                       */
    bool changed;                     /* the screen, between picture and tree */
    bool black;        /* a protected window: all of it is black */
    uint64_t looks;    /* a hash of the picture without clock and caret:
                          equal ones look the same */
    int64_t settle_ms; /* how long it took to be still */
};

void observation_init(struct observation *observation);
void observation_release(struct observation *observation);

/* Forget what was seen, keep the memory. */
void observation_clear(struct observation *seen);

/* Add a reason to doubt it. */
void observation_doubt(struct observation *seen, const char *words);

struct observer;

struct observer_options {
    const char *cache;           /* folder that remembers; NULL: nowhere */
    struct frames *frames;       /* borrowed, for all phones; NULL: its own */
    const struct cancel *cancel; /* may be NULL */
    const struct log *log;       /* may be NULL */
    int64_t settle_ms; /* the longest wait for a still screen; 0: the usual */
};

/* Measures the device if nothing is remembered of it. device is borrowed. */
MUST_USE bool observer_open(struct device *device,
                            const struct observer_options *options,
                            struct deadline by, struct observer **observer,
                            struct err *err);
void observer_close(struct observer *observer); /* NULL is fine */

/* The connection was lost, and this is the new one to the same phone. */
void observer_use(struct observer *observer, struct device *device);

const struct facts *observer_facts(const struct observer *observer);

/* The frames that it uses: those of the options, or its own. */
struct frames *observer_frames(const struct observer *observer);

/*
 * Milliseconds on the clock that waits are measured by: this computer's, or
 * that of a phone whose time moves only when it is looked at.
 */
int64_t observer_now_ms(const struct observer *observer);

/*
 * Something was just done to the phone. The next look is then a little more
 * patient while nothing at all has changed: the phone may be slow.
 */
void observer_acted(struct observer *observer);

/*
 * Wait until the screen is still, and take its picture; the tree is left out.
 * The memory of what was seen before is used again. A screen that does not
 * come to rest is a doubt, and no failure.
 */
MUST_USE bool observer_look(struct observer *observer, struct deadline by,
                            struct observation *seen, struct err *err);

/*
 * Add the tree. What goes wrong with uiautomator is tried again, within
 * bounds; when it stays so, that is a doubt and no failure. Fails when the
 * phone is lost, by passes, or it is cancelled.
 */
MUST_USE bool observer_read_tree(struct observer *observer, struct deadline by,
                                 struct observation *seen, struct err *err);

/*
 * Both, of the same screen: when it changed in between, all of it again, a few
 * times; a doubt says when that did not help.
 */
MUST_USE bool observer_see(struct observer *observer, struct deadline by,
                           struct observation *seen, struct err *err);

#endif
