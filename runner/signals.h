/*
 * What a phone tells for little about its screen: which window has the focus,
 * and how many frames its app has drawn. Equal signals before and after a
 * picture mean that nothing moved, at a tenth of a picture's cost.
 */
#ifndef RUNNER_SIGNALS_H
#define RUNNER_SIGNALS_H

#include <stdbool.h>
#include <stdint.h>

#include "adb/device.h"
#include "base/buf.h"

#define SIGNALS_NAME_MAX 256

struct signals {
    char package[SIGNALS_NAME_MAX]; /* in front; "" if unknown */
    char activity[SIGNALS_NAME_MAX];
    char window[SIGNALS_NAME_MAX]; /* the one with the focus, as it is named */
    int status_bar;                /* its height in pixels; 0: not told */
    bool counts;                   /* frames means something: */
    uint64_t frames;               /* drawn by the app in front, ever */
};

/*
 * Ask for them; frames of the package that was in front the last time, which
 * `signals` holds on the way in. With frames false nobody counts them.
 * buffer is used for the answer. Fails as shell_exec does.
 */
MUST_USE bool signals_read(struct device *device, bool frames,
                           struct deadline by, struct buf *buffer,
                           struct signals *signals, struct err *err);

/* Understand what dumpsys printed. */
void signals_parse(const char *text, struct signals *signals);

/* Nothing was drawn, and the same window has the focus. */
bool signals_equal(const struct signals *a, const struct signals *b);

#endif
