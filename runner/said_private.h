/* What the two halves of said share: values, and texts that hold them. */
#ifndef RUNNER_SAID_PRIVATE_H
#define RUNNER_SAID_PRIVATE_H

#include "runner/said.h"

#define SAID_KEY_SIZE 64 /* of a name as it is compared */

/*
 * Find the verb and its arguments in a value, which said points into then.
 * False when there are none; unknown may have got a verb that nobody knows.
 */
MUST_USE bool said_look(struct cJSON *value, bool strict, struct said *said,
                        char unknown[SAID_NAME_SIZE]);

#endif
