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
    bool black;        /* a protected window: all of it is black */
    uint64_t looks;    /* a hash of the picture without clock and caret:
                          equal ones look the same */
    int64_t settle_ms; /* how long it took to be still */
};

void observation_init(struct observation *observation);
void observation_release(struct observation *observation);

struct observer;

struct observer_options {
    const char *cache;           /* folder that remembers; NULL: nowhere */
    const struct cancel *cancel; /* may be NULL */
    const struct log *log;       /* may be NULL */
};

/* Measures the device if nothing is remembered of it. device is borrowed. */
MUST_USE bool observer_open(struct device *device,
                            const struct observer_options *options,
                            struct deadline by, struct observer **observer,
                            struct err *err);
void observer_close(struct observer *observer); /* NULL is fine */

/* Wait until the screen is still, and take its picture; the tree is left out.
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

#endif
