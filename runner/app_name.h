/* Apps as agents call them: by package, or by a name that people use. */
#ifndef RUNNER_APP_NAME_H
#define RUNNER_APP_NAME_H

#include <stdbool.h>
#include <stddef.h>

#include "adb/device.h"

#define APP_NAME_MAX 256

/*
 * The package on this phone that name means: a package itself, a name that is
 * widely known, or what a package's name says ("Clock" for com.android.clock).
 * Fails with ERR_INVALID when there is none, or when there are several, which
 * are then named; and as shell_run.
 */
MUST_USE bool app_name_find(struct device *device, const char *name,
                            struct deadline by, char package[APP_NAME_MAX],
                            struct err *err);

/* The same among packages, one a line as `pm list packages` prints them. */
MUST_USE bool app_name_choose(const char *list, const char *name,
                              char package[APP_NAME_MAX], struct err *err);

#endif
