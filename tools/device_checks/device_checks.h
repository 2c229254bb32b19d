/*
 * A selftest: all of adb/ against one phone, without changing anything of its
 * owner's.
 *
 *     device_checks_run       tries everything, and writes down what it makes
 *     device_checks_clean_up  takes that away again; on another connection if
 * the first one was lost or interrupted
 */
#ifndef TOOLS_DEVICE_CHECKS_DEVICE_CHECKS_H
#define TOOLS_DEVICE_CHECKS_DEVICE_CHECKS_H

#include <stdbool.h>
#include <stddef.h>

#include "adb/device/device.h"
#include "base/cancel.h"
#include "tools/device_checks/check_results.h"
#include "tools/device_checks/cleanup_list.h"

/* Called before each check with the number of finished checks and of all. */
typedef void device_checks_progress_fn(void *context, size_t done, size_t count,
                                       const char *name);

struct device_checks_options {
    struct device *device;
    const struct cancel *cancel; /* that device was opened with; or NULL */
    struct deadline by;          /* when all must be over */
    device_checks_progress_fn *progress; /* may be NULL */
    void *context;
};

/*
 * Make every check and add it to report. Blocks for as long as it takes; a
 * phone that hangs is given up a minute after.
 *
 * Fails only when it ends early: with ERR_CANCELLED, with ERR_TIMEOUT when by
 * passed, or with ERR_LOST when the phone does not answer any more. What was
 * found by then is in report.
 */
MUST_USE bool device_checks_run(const struct device_checks_options *options,
                                struct cleanup_list *cleanup_list,
                                struct check_results *check_results,
                                struct err *err);

/*
 * Remove what the list names, and add to the results how that went and what had
 * been made. device may be NULL when the phone cannot be reached any more.
 */
void device_checks_clean_up(struct cleanup_list *cleanup_list,
                            struct device *device, struct deadline by,
                            struct check_results *check_results);

#endif
