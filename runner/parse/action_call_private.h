/* Shared by the action_call_*.c files: values, and texts that hold them. */
#ifndef RUNNER_PARSE_ACTION_CALL_PRIVATE_H
#define RUNNER_PARSE_ACTION_CALL_PRIVATE_H

#include "runner/parse/action_call.h"

#define ACTION_CALL_KEY_SIZE 64 /* of a name as it is compared */

/*
 * Find the verb and its arguments in a value, which call then points into.
 * False when there are none; unknown may then hold the name of a verb.
 */
MUST_USE bool action_call_in_value(struct cJSON *value, bool strict,
                                   struct action_call *call,
                                   char unknown[ACTION_CALL_NAME_SIZE]);

#endif
