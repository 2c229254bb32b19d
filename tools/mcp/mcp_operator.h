/* Carries out tool calls on a phone, one after the other. */
#ifndef TOOLS_MCP_MCP_OPERATOR_H
#define TOOLS_MCP_MCP_OPERATOR_H

#include <stdbool.h>

#include "base/cancel.h"
#include "runner/observe/element_list.h"
#include "tools/mcp/mcp_call.h"
#include "tools/mcp/mcp_phone.h"

/* One thread uses it at a time. */
struct mcp_operator {
    struct mcp_phone *phone; /* borrowed */
    /* the elements that the client got last, and their screen */
    struct element_list listed;
    uint64_t listed_hash;
    /* the screen after the last action or look; 0: none */
    uint64_t last_hash;
};

void mcp_operator_init(struct mcp_operator *op, struct mcp_phone *phone);
void mcp_operator_release(struct mcp_operator *op);

/*
 * Carry out a call. The result is what MCP calls a CallToolResult: "content"
 * and "isError"; the caller deletes it. NULL: cancelled. Blocks as long as the
 * phone takes.
 */
struct cJSON *mcp_operator_call(struct mcp_operator *op,
                                const struct mcp_call *call,
                                const struct cancel *cancel);

/* A result that is an error with this text. */
struct cJSON *mcp_operator_error(const char *text);

#endif
