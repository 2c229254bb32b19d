/*
 * The tools of the MCP server: its own, most of them derived from the table of
 * actions, and the names of mobile-mcp for the same.
 */
#ifndef TOOLS_MCP_MCP_TOOL_H
#define TOOLS_MCP_MCP_TOOL_H

#include <stdbool.h>

#include "base/json_write.h"
#include "tasks/task/action_table.h"

enum mcp_tool_kind {
    MCP_TOOL_LIST_PHONES,
    MCP_TOOL_GET_TASK,
    MCP_TOOL_SCREENSHOT,
    MCP_TOOL_LIST_ELEMENTS,
    MCP_TOOL_LIST_APPS,
    MCP_TOOL_SCREEN_SIZE,
    MCP_TOOL_ORIENTATION,
    MCP_TOOL_FRONT_APP,
    MCP_TOOL_ACTION,    /* one kind of actions */
    MCP_TOOL_PRESS_KEY, /* the actions that are keys */
    MCP_TOOL_TERMINATE,
    MCP_TOOL_OPEN_URL,
    MCP_TOOL_FINISH, /* the actions that end an episode */
};

enum mcp_type {
    MCP_INTEGER,
    MCP_NUMBER,
    MCP_STRING,
    MCP_BOOLEAN,
};

/* A parameter that no action has, or has under another name. */
struct mcp_parameter {
    const char *name;
    enum mcp_type type;
    bool required;
    const char *const *choices; /* of a string, NULL last; NULL: any */
    const char *summary;
    const char *member; /* what an action calls it; NULL: no action has it */
};

struct mcp_tool {
    const char *name;
    const char *title; /* NULL: none */
    enum mcp_tool_kind kind;
    enum action_kind action;                /* of MCP_TOOL_ACTION */
    bool alias;                             /* a name of mobile-mcp */
    bool only_task;                         /* there is a task */
    bool never_task;                        /* there is no task */
    const struct mcp_parameter *parameters; /* ends without a name; or NULL */
    const char *summary;                    /* NULL: that of the action */
};

/* Which tools there are. */
struct mcp_tool_set {
    bool task;    /* the session is scored */
    bool aliases; /* the names of mobile-mcp are listed, too */
};

/* Aliases are found in any case. False: there is none in such a session. */
MUST_USE bool mcp_tool_find(struct mcp_tool_set set, const char *name,
                            struct mcp_tool *tool);

/* Is the action pressed with press_key? */
bool mcp_tool_is_key(enum action_kind kind);

/*
 * Is there a tool for it alone? Some actions are keys or end an episode, and
 * some are only recorded.
 */
bool mcp_tool_is_action(enum action_kind kind);

/* Add the tools, as tools/list has them, always in the same order. */
void mcp_tool_list(struct mcp_tool_set set, struct cJSON *array);

/* "tap" for ACTION_CLICK; the name of the action otherwise. */
const char *mcp_tool_action_name(enum action_kind kind);

#endif
