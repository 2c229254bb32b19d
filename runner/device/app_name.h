/* Finds an app by the name that an agent gives: a package or a common name. */
#ifndef RUNNER_DEVICE_APP_NAME_H
#define RUNNER_DEVICE_APP_NAME_H

#include <stdbool.h>
#include <stddef.h>

#include "adb/device/device.h"

#define APP_NAME_MAX 256

/*
 * Find the package on this phone for a name: a package itself, a well-known
 * name, or a part of a package's name ("Clock" for com.android.clock). Fails
 * with ERR_INVALID when there is none, or when there are several, which the
 * error lists; and as shell_run.
 */
MUST_USE bool app_name_find(struct device *device, const char *name,
                            struct deadline by, char package[APP_NAME_MAX],
                            struct err *err);

/* The same for a given list, as `pm list packages` prints it. */
MUST_USE bool app_name_choose(const char *list, const char *name,
                              char package[APP_NAME_MAX], struct err *err);

/* The well-known name of a package, in Chinese where there is one; or NULL. */
const char *app_name_known(const char *package, bool chinese);

#endif
