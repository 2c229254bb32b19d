/*
 * One line of Android's `getevent`, which prints an event as names (-l) or
 * numbers, with (-t) or without its time, of all devices or one:
 *
 *     [  258956.832728] /dev/input/event1: EV_ABS   ABS_MT_POSITION_X  00002f49
 *     /dev/input/event2: 0003 0035 00006e10
 *     [     470.267096] 0003 0039 ffffffff
 */
#ifndef RUNNER_HAND_GETEVENT_LINE_H
#define RUNNER_HAND_GETEVENT_LINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/macros.h"
#include "runner/touch/touch_devices.h"

/* Longer lines are none of an event. */
#define GETEVENT_LINE_MAX 256

/* The code of keys whose names are not known, such as letters: KEY_MAX. */
#define GETEVENT_OTHER_KEY 0x2ffU

struct getevent_line {
    bool has_time;
    int64_t at_us;                    /* of the phone's clock */
    char path[TOUCH_DEVICE_PATH_MAX]; /* "": of the only device */
    unsigned type;
    unsigned code;
    int32_t value;
};

/* Parse a line without its end. False when it is not an event that is used. */
MUST_USE bool getevent_line_parse(const char *text, struct getevent_line *line);

#endif
