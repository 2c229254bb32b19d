/*
 * The fastest way to take screenshots of a phone: measured once per phone and
 * build, and saved in a file.
 */
#ifndef RUNNER_OBSERVE_SCREENSHOT_METHOD_H
#define RUNNER_OBSERVE_SCREENSHOT_METHOD_H

#include <stdbool.h>

#include "adb/services/screenshot.h"
#include "runner/device/device_info.h"

/* "png", "raw", "gzip", "framebuffer". */
const char *screenshot_method_name(enum screenshot_way way);

/*
 * Load the method for this phone from the folder (may be NULL). False: there is
 * none, or the file is damaged.
 */
bool screenshot_method_load(const char *folder, const char *serial,
                            const struct device_info *facts,
                            enum screenshot_way *way);

/*
 * Take a screenshot with each method, and find the one that gives a PNG the
 * fastest; shot is used for them. Fails as screenshot_take when none works.
 */
MUST_USE bool screenshot_method_measure(struct device *device,
                                        struct deadline by,
                                        struct screenshot *shot,
                                        enum screenshot_way *way,
                                        struct err *err);

/* Save it. Failures are ignored: it is measured again next time. */
void screenshot_method_save(const char *folder, const char *serial,
                            const struct device_info *facts,
                            enum screenshot_way way);

#endif
