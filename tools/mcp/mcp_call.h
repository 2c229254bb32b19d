/* A tool call of a client: checked arguments. No I/O. */
#ifndef TOOLS_MCP_MCP_CALL_H
#define TOOLS_MCP_MCP_CALL_H

#include <stdbool.h>

#include "base/err.h"
#include "base/json.h"
#include "tasks/task/action.h"
#include "tools/mcp/mcp_tool.h"

#define MCP_CALL_SAID_MAX ((size_t)80 * 1024)
#define MCP_PACKAGE_MAX 256
#define MCP_URL_MAX 2048

struct mcp_call {
    struct mcp_tool tool;
    struct action action; /* owned; of tools that act or end */
    int distance;         /* of a swipe; 0: not given */
    bool failed;          /* of finish: success is false */
    bool screenshot;      /* the answer has a screenshot */
    bool png;             /* as PNG; otherwise JPEG */
    int max_size;         /* its longer side; 0: default */
    double scale;         /* relative to the screen; 0: not given */
    bool json;            /* of elements: as JSON */
    char *device;         /* owned; NULL: not given */
    char *package;        /* owned; of MCP_TOOL_TERMINATE */
    char *url;            /* owned; of MCP_TOOL_OPEN_URL */
    char *said; /* owned; the call as text, for the record of an episode */
};

/*
 * Read the arguments (NULL: none) of a call of tool; the caller releases it.
 * Fails with ERR_INVALID and the argument; call is then untouched.
 */
MUST_USE bool mcp_call_read(const struct mcp_tool *tool,
                            const struct cJSON *arguments,
                            struct mcp_call *call, struct err *err);
void mcp_call_release(struct mcp_call *call);

#endif
