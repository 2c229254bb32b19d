/* Starting and ending apps, as the launcher does. */
#ifndef RUNNER_APP_START_H
#define RUNNER_APP_START_H

#include <stdbool.h>

#include "adb/device.h"

/*
 * Bring a package's main activity to the front, as a tap on its icon does.
 * Fails with ERR_INVALID when the phone has none to start, or as shell_run.
 */
MUST_USE bool app_start(struct device *device, const char *package,
                        struct deadline by, struct err *err);

/* End it with everything that it runs. Fails as shell_run does. */
MUST_USE bool app_stop(struct device *device, const char *package,
                       struct deadline by, struct err *err);

/* Forget its data, too. Fails with ERR_REMOTE when the phone does not. */
MUST_USE bool app_clear(struct device *device, const char *package,
                        struct deadline by, struct err *err);

#endif
