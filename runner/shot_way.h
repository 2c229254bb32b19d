/*
 * The quickest way to a picture of a phone's screen: measured once per phone
 * and build, and remembered in a file.
 */
#ifndef RUNNER_SHOT_WAY_H
#define RUNNER_SHOT_WAY_H

#include <stdbool.h>

#include "adb/screenshot.h"
#include "runner/facts.h"

/* "png", "raw", "gzip", "framebuffer". */
const char *shot_way_name(enum screenshot_way way);

/*
 * What the folder remembers of this phone; false: nothing, or nothing that is
 * understood. folder may be NULL.
 */
bool shot_way_recall(const char *folder, const char *serial,
                     const struct facts *facts, enum screenshot_way *way);

/*
 * Take pictures in all ways, and find the quickest to a PNG in hand; shot is
 * used for them. Fails as screenshot_take does when none works.
 */
MUST_USE bool shot_way_measure(struct device *device, struct deadline by,
                               struct screenshot *shot,
                               enum screenshot_way *way, struct err *err);

/* Remember it. That this fails harms nobody: it is measured again. */
void shot_way_remember(const char *folder, const char *serial,
                       const struct facts *facts, enum screenshot_way way);

#endif
