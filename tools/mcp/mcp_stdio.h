/* MCP over a pair of pipes: one JSON text per line. */
#ifndef TOOLS_MCP_MCP_STDIO_H
#define TOOLS_MCP_MCP_STDIO_H

#include "base/cancel.h"
#include "tools/mcp/mcp_server.h"

/*
 * Splits what a client writes into lines. Longer lines than a message may be
 * are dropped as they come, and reported once.
 */
struct mcp_lines {
    struct buf line;
    bool skipping; /* the rest of a line that is too long */
};

#define MCP_LINES_INIT                                                         \
    {                                                                          \
        .line = BUF_INIT(JSONRPC_MESSAGE_MAX)                                  \
    }

/* too_long: line is empty, and was dropped. */
typedef void mcp_line_fn(void *context, const struct buf *line, bool too_long);

void mcp_lines_add(struct mcp_lines *lines, const char *bytes, size_t length,
                   mcp_line_fn *each, void *context);
void mcp_lines_release(struct mcp_lines *lines);

/*
 * Handle the messages that arrive on fd until its end; the answers go to the
 * server's own function. Fails with ERR_CANCELLED, and with ERR_IO.
 */
MUST_USE bool mcp_stdio_serve(struct mcp_server *server, int fd,
                              const struct cancel *cancel, struct err *err);

#endif
