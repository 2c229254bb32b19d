/*
 * A selftest: all of adb/ against one phone, without changing anything of its
 * owner's.
 *
 *     selftest_run       tries everything, and writes down what it makes
 *     selftest_clean_up  takes that away again; on another connection if the
 *                        first one was lost or interrupted
 */
#ifndef TOOLS_SELFTEST_SELFTEST_H
#define TOOLS_SELFTEST_SELFTEST_H

#include <stdbool.h>
#include <stddef.h>

#include "adb/device.h"
#include "base/cancel.h"
#include "tools/selftest/footprint.h"
#include "tools/selftest/trial.h"

/* Told before each check: how many have been made, and of how many. */
typedef void selftest_progress_fn(void *context, size_t done, size_t count,
                                  const char *name);

struct selftest_options {
    struct device *device;
    const struct cancel *cancel;    /* that device was opened with; or NULL */
    struct deadline by;             /* when all must be over */
    selftest_progress_fn *progress; /* may be NULL */
    void *context;
};

/*
 * Make every check and add it to report. Blocks for as long as it takes; a
 * phone that hangs is given up a minute after.
 *
 * Fails only when it ends early: with ERR_CANCELLED, with ERR_TIMEOUT when by
 * passed, or with ERR_LOST when the phone answers no more. What was found by
 * then is in report.
 */
MUST_USE bool selftest_run(const struct selftest_options *options,
                           struct footprint *footprint, struct trial *trial,
                           struct err *err);

/*
 * Remove what footprint names, and add to report how that went and what had
 * been made. device may be NULL when the phone cannot be reached any more.
 */
void selftest_clean_up(struct footprint *footprint, struct device *device,
                       struct deadline by, struct trial *trial);

#endif
