/*
 * Cheap signs of changes on the screen: the focused window, and how many frames
 * its app has drawn. Equal signals before and after a screenshot mean that
 * nothing changed, at a tenth of the cost of a screenshot.
 */
#ifndef RUNNER_OBSERVE_SCREEN_SIGNALS_H
#define RUNNER_OBSERVE_SCREEN_SIGNALS_H

#include <stdbool.h>
#include <stdint.h>

#include "adb/device/device.h"
#include "base/buf.h"

#define SCREEN_SIGNALS_NAME_MAX 256

struct screen_signals {
    char package[SCREEN_SIGNALS_NAME_MAX]; /* the app in front; "": unknown */
    char activity[SCREEN_SIGNALS_NAME_MAX];
    char window[SCREEN_SIGNALS_NAME_MAX]; /* name of the focused window */
    int status_bar;  /* height of the status bar in pixels; 0: not reported */
    bool counts;     /* frames is valid */
    uint64_t frames; /* drawn by the app in front since it started */
};

/*
 * Read the signals. The frames are those of the package that `signals` has on
 * entry; with frames false they are not read. buffer is used for the output.
 * Fails as shell_exec.
 */
MUST_USE bool screen_signals_read(struct device *device, bool frames,
                                  struct deadline by, struct buf *buffer,
                                  struct screen_signals *signals,
                                  struct err *err);

/* Parse the output of dumpsys. */
void screen_signals_parse(const char *text, struct screen_signals *signals);

/* Is the same window focused, and was nothing drawn in between? */
bool screen_signals_equal(const struct screen_signals *a,
                          const struct screen_signals *b);

#endif
