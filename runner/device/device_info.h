/* The properties that a phone reports. */
#ifndef RUNNER_DEVICE_DEVICE_INFO_H
#define RUNNER_DEVICE_DEVICE_INFO_H

#include <stdbool.h>

#include "adb/device/device.h"
#include "base/extent.h"

#define DEVICE_INFO_TEXT_MAX 128

struct device_info {
    char model[DEVICE_INFO_TEXT_MAX];
    char android[DEVICE_INFO_TEXT_MAX]; /* the Android version, such as "14" */
    int sdk;                            /* the API level; 0: not reported */
    char fingerprint[DEVICE_INFO_TEXT_MAX];
    char locale[DEVICE_INFO_TEXT_MAX]; /* such as "en-US"; "": not reported */
    struct extent screen;              /* in portrait; 0 x 0: not reported */
    struct extent panel; /* the same, as it was built: `wm size` sets screen */
    int density;         /* dots per inch */
    bool builtin;        /* a built-in phone */
    bool virtual_time;   /* its time moves only when it is used: see
                            runner/device/phone_clock.h */
};

/*
 * Read all of it with one command. What a phone does not report is empty, and
 * the density a common one. Fails as shell_run.
 */
MUST_USE bool device_info_read(struct device *device, struct deadline by,
                               struct device_info *facts, struct err *err);

/* Parse the output of the command. */
void device_info_parse(const char *text, struct device_info *facts);

#endif
