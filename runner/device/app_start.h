/* Starts and stops apps. */
#ifndef RUNNER_DEVICE_APP_START_H
#define RUNNER_DEVICE_APP_START_H

#include <stdbool.h>

#include "adb/device/device.h"

/*
 * Bring a package's main activity to the front, as a tap on its icon does.
 * Fails with ERR_INVALID when it has none that can be started, or as shell_run.
 */
MUST_USE bool app_start(struct device *device, const char *package,
                        struct deadline by, struct err *err);

/* Stop all its processes. Fails as shell_run. */
MUST_USE bool app_stop(struct device *device, const char *package,
                       struct deadline by, struct err *err);

/* Stop it and delete its data. Fails with ERR_REMOTE when the phone refuses. */
MUST_USE bool app_clear(struct device *device, const char *package,
                        struct deadline by, struct err *err);

#endif
