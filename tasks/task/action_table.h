/*
 * The one table of actions: their names, their classes, and the members that
 * each has in JSON. The reader and writer of actions (tasks/task/action.h), the
 * list in docs/format.md, JSON schemas (tasks/task/action_schema.h) and the
 * tools of MCP are derived from it: a new action is a row here.
 */
#ifndef TASKS_TASK_ACTION_TABLE_H
#define TASKS_TASK_ACTION_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "tasks/task/action.h"

/* The members of an action in JSON, beside "action", as they are written. */
enum action_member {
    ACTION_MEMBER_X,
    ACTION_MEMBER_Y,
    ACTION_MEMBER_X2,
    ACTION_MEMBER_Y2,
    ACTION_MEMBER_DIRECTION,
    ACTION_MEMBER_INDEX,
    ACTION_MEMBER_TEXT,
    ACTION_MEMBER_REPLACE,
    ACTION_MEMBER_SUBMIT,
    ACTION_MEMBER_MILLISECONDS,
    ACTION_MEMBER_EFFECT,
    ACTION_MEMBERS,
};

#define ACTION_MEMBER_BIT(member_) (UINT32_C(1) << (member_))

enum action_member_type {
    ACTION_MEMBER_INTEGER,
    ACTION_MEMBER_STRING,
    ACTION_MEMBER_BOOLEAN,
    ACTION_MEMBER_ENUM, /* one of several names */
};

struct action_member_info {
    const char *name;
    enum action_member_type type;
    int64_t min; /* of an integer */
    int64_t max; /* of an integer, the length of a string in bytes, the last
                    value of an enum */
    const char *summary;
    const char *const *names; /* of an enum, by value; 0 is none, "" */
};

/* Classes of actions, each inside the one before: see tasks/task/action.h. */
enum action_reach {
    ACTION_REACH_NONE,
    ACTION_REACH_PHONE,
    ACTION_REACH_SCREEN,
    ACTION_REACH_GESTURE,
    ACTION_REACH_TAP,
};

struct action_info {
    const char *name; /* as in JSON */
    enum action_reach reach;
    /* Sets of members, a bit each. */
    uint32_t required;
    uint32_t either[2]; /* all of one of these sets is required, unless 0 */
    uint32_t optional;
    bool ends;           /* it ends the episode */
    const char *summary; /* a line, without a full stop */
};

const struct action_info *action_table_kind(enum action_kind kind);
const struct action_member_info *action_table_member(enum action_member member);

/* Every member that the action may have, a bit each. */
uint32_t action_table_members(enum action_kind kind);

/* Append the table for docs/format.md. */
void action_table_markdown(struct buf *text);

#endif
