/*
 * A screenshot that an agent has read from a phone, in whichever format it
 * asked for.
 */
#ifndef RUNNER_DOORS_DOOR_SCREEN_H
#define RUNNER_DOORS_DOOR_SCREEN_H

#include "base/buf.h"
#include "base/err.h"
#include "runner/classify/door_item.h"

/*
 * Make data a PNG. A PNG is left as it is, and PNG and JPEG are known by their
 * content, as older phones write other formats than an option or file name asks
 * for. Fails with ERR_INVALID, ERR_UNSUPPORTED or ERR_LIMIT when data is not a
 * complete picture; it is then unchanged.
 */
MUST_USE bool door_screen_convert(enum door_format format, struct buf *data,
                                  struct err *err);

#endif
