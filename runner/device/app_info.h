/* An app as the phone reports it: installed or not, version, permissions. */
#ifndef RUNNER_DEVICE_APP_INFO_H
#define RUNNER_DEVICE_APP_INFO_H

#include <stdbool.h>

#include "adb/device/device.h"
#include "tasks/json/text_list.h"

#define APP_VERSION_MAX 64

struct app_info {
    bool installed;
    char version[APP_VERSION_MAX]; /* such as "3.2.1"; "": not reported */
    struct text_list asks;         /* permissions it requests */
    struct text_list granted;      /* permissions it has */
};

void app_info_release(struct app_info *facts);

/*
 * Read it from the phone; the caller releases it. A missing app is no failure.
 * Fails as shell_run.
 */
MUST_USE bool app_info_read(struct device *device, const char *package,
                            struct deadline by, struct app_info *facts,
                            struct err *err);

/* Parse the output of `dumpsys package`. */
void app_info_parse(const char *text, const char *package,
                    struct app_info *facts);

#endif
