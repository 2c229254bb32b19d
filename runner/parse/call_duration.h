/* The duration of an action, from the arguments of a call in any unit. */
#ifndef RUNNER_PARSE_CALL_DURATION_H
#define RUNNER_PARSE_CALL_DURATION_H

#include "runner/parse/action_call.h"
#include "runner/parse/model_family.h"
#include "tasks/task/action.h"

struct call_duration {
    bool known;
    double milliseconds; /* not checked: may be negative or not finite */
};

/*
 * Find it: 2, "2 seconds", "500ms", milliseconds=500; for a wait also an
 * argument without a name.
 */
struct call_duration call_duration_find(const struct action_call *call,
                                        const struct model_family *family,
                                        enum action_kind kind);

/* Milliseconds for a number without a unit, as is plausible for the action. */
double call_duration_without_unit(const struct action_call *call,
                                  const struct model_family *family,
                                  enum action_kind kind, double number);

/* Is a number among the duration arguments out of all range? */
bool call_duration_is_absurd(const struct action_call *call);

#endif
