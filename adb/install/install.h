/* Install an app on the device. */
#ifndef ADB_INSTALL_INSTALL_H
#define ADB_INSTALL_INSTALL_H

#include <stdbool.h>
#include <stddef.h>

#include "adb/device/device.h"
#include "adb/sync/sync.h"

struct install_options {
    bool reinstall;             /* -r: replace an existing app, keep its data */
    bool test;                  /* -t: allow test-only apps */
    bool downgrade;             /* -d: allow an older version */
    bool grant;                 /* -g: grant all run-time permissions */
    sync_progress_fn *progress; /* may be NULL; called with the local path */
    void *context;
};

/*
 * Install the APK at path. It is streamed to the package manager if the device
 * supports that, otherwise copied to the device first and removed afterwards.
 * Blocks until the device has answered.
 *
 * Fails with ERR_NOT_FOUND or ERR_INVALID when path is not an APK, before the
 * device is contacted, and with ERR_REMOTE and the device's reason, such as
 * INSTALL_FAILED_VERSION_DOWNGRADE.
 */
MUST_USE bool install_apk(struct device *device, const char *path,
                          const struct install_options *options,
                          struct deadline by, struct err *err);

/*
 * Interpret the package manager's output: true for "Success", ERR_REMOTE with
 * the reason of "Failure [REASON]" or with its last line.
 */
MUST_USE bool install_parse_answer(const char *text, size_t length,
                                   struct err *err);

#endif
