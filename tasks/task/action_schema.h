/*
 * Actions as JSON Schema, from the table of actions, for clients that validate
 * or describe what they send: MCP tools, environments.
 */
#ifndef TASKS_TASK_ACTION_SCHEMA_H
#define TASKS_TASK_ACTION_SCHEMA_H

#include <stdint.h>

#include "base/json_write.h"
#include "tasks/task/action_table.h"

/* Add one member, under its name, to the "properties" of a schema. */
void action_schema_add_member(struct cJSON *properties,
                              enum action_member member);

/*
 * Add the schema of the arguments of an action, without "action" itself, under
 * key. Members of which either one set or the other is required are not in its
 * "required", since many clients refuse alternatives at the top of a schema:
 * action_schema_summary says it in words.
 */
void action_schema_add(struct cJSON *into, const char *key,
                       enum action_kind kind);

/* "Tap a point or an element. Give x and y, or index." */
void action_schema_summary(enum action_kind kind, struct buf *text);

/*
 * Has the action all that its row of the table requires? Fails with ERR_INVALID
 * and what is missing.
 */
MUST_USE bool action_check(const struct action *action, struct err *err);

/*
 * Add an array of all actions of a set (a bit each) under key: objects with
 * "action", "summary" and "arguments", a schema.
 */
void action_schema_add_set(struct cJSON *into, const char *key, uint32_t set);

#endif
