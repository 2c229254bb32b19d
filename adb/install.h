/* Install an app on the device. */
#ifndef ADB_INSTALL_H
#define ADB_INSTALL_H

#include <stdbool.h>
#include <stddef.h>

#include "adb/device.h"
#include "adb/sync.h"

struct install_options {
    bool reinstall;             /* -r: over an existing one, data kept */
    bool test;                  /* -t: also what is marked as test only */
    bool downgrade;             /* -d: also an older version */
    bool grant;                 /* -g: all run-time permissions */
    sync_progress_fn *progress; /* may be NULL; told the local path */
    void *context;
};

/*
 * Install the APK at path. It is streamed into the package manager where the
 * device knows how, and otherwise copied there first and removed again. Blocks
 * until the device has answered.
 *
 * Fails with ERR_NOT_FOUND or ERR_INVALID when path is no APK, before the
 * device is asked, and with ERR_REMOTE and the device's reason, such as
 * INSTALL_FAILED_VERSION_DOWNGRADE.
 */
MUST_USE bool install_apk(struct device *device, const char *path,
                          const struct install_options *options,
                          struct deadline by, struct err *err);

/*
 * What the package manager's words mean: true for "Success", ERR_REMOTE with
 * the reason of a "Failure [REASON]" or else with its last line.
 */
MUST_USE bool install_parse_answer(const char *text, size_t length,
                                   struct err *err);

#endif
