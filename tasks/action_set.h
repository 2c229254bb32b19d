/* Several kinds of action, as a bit each. */
#ifndef TASKS_ACTION_SET_H
#define TASKS_ACTION_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/json.h"
#include "tasks/action.h"

#define ACTION_BIT(kind_) (UINT32_C(1) << (kind_))

#define ACTION_SET_ALL (ACTION_BIT(ACTION_KINDS) - 1)
/* All that needs no person. */
#define ACTION_SET_USUAL (ACTION_SET_ALL & ~ACTION_BIT(ACTION_ASK))
/* ProBench's seven. */
#define ACTION_SET_PROBENCH                                                    \
    (ACTION_BIT(ACTION_CLICK) | ACTION_BIT(ACTION_SWIPE) |                     \
     ACTION_BIT(ACTION_TYPE) | ACTION_BIT(ACTION_ENTER) |                      \
     ACTION_BIT(ACTION_BACK) | ACTION_BIT(ACTION_WAIT) |                       \
     ACTION_BIT(ACTION_COMPLETE))

/*
 * In JSON a name, an array of names, or one of "usual", "all" and "probench".
 * Fails with ERR_INVALID, and says which name was meant.
 */
MUST_USE bool action_set_from_json(const struct json *json, uint32_t *set,
                                   struct err *err);
void action_set_to_json(uint32_t set, struct cJSON *into, const char *key);

#endif
