/* From a verb and its arguments to an action in the device's pixels. */
#ifndef RUNNER_DEED_H
#define RUNNER_DEED_H

#include "base/err.h"
#include "runner/parse.h"
#include "runner/said.h"

/*
 * Make the action. Fails with ERR_INVALID when an argument is missing or makes
 * no sense; action is then untouched.
 */
MUST_USE bool deed_make(const struct said *said, const struct family *family,
                        const struct parse_options *options,
                        struct action *action, struct err *err);

#endif
