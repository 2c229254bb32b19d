/* A set of action kinds, one bit each. */
#ifndef TASKS_TASK_ACTION_SET_H
#define TASKS_TASK_ACTION_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/json.h"
#include "tasks/task/action.h"

#define ACTION_BIT(kind_) (UINT32_C(1) << (kind_))

/* Those that are only recorded, of agents that own their loop. */
#define ACTION_SET_RECORDED (ACTION_BIT(ACTION_PINCH) | ACTION_BIT(ACTION_RAW))
/* All that an agent may ask for. */
#define ACTION_SET_ALL                                                         \
    ((ACTION_BIT(ACTION_KINDS) - 1) & ~(uint32_t)ACTION_SET_RECORDED)
/* All that need no person. */
#define ACTION_SET_DEFAULT (ACTION_SET_ALL & ~ACTION_BIT(ACTION_ASK))
/* ProBench's seven. */
#define ACTION_SET_PROBENCH                                                    \
    (ACTION_BIT(ACTION_CLICK) | ACTION_BIT(ACTION_SWIPE) |                     \
     ACTION_BIT(ACTION_TYPE) | ACTION_BIT(ACTION_ENTER) |                      \
     ACTION_BIT(ACTION_BACK) | ACTION_BIT(ACTION_WAIT) |                       \
     ACTION_BIT(ACTION_COMPLETE))

/*
 * In JSON a name, an array of names, or one of "default", "all" and "probench".
 * Fails with ERR_INVALID and a suggestion.
 */
MUST_USE bool action_set_from_json(const struct json *json, uint32_t *set,
                                   struct err *err);
void action_set_to_json(uint32_t set, struct cJSON *into, const char *key);

#endif
