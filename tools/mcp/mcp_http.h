/*
 * MCP over Streamable HTTP on loopback: one endpoint, /mcp, with a token. A
 * session (Mcp-Session-Id) for clients that begin with `initialize`; none for
 * those whose requests carry their version.
 */
#ifndef TOOLS_MCP_MCP_HTTP_H
#define TOOLS_MCP_MCP_HTTP_H

#include "base/secret_token.h"
#include "tools/http_server/http_server.h"
#include "tools/mcp/mcp_server.h"

#define MCP_HTTP_PATH "/mcp"

/* Sessions at the same time; the one that was not used for longest ends. */
#define MCP_HTTP_SESSIONS 16

/* Requests per second, and how many may come at once. */
#define MCP_HTTP_RATE 100
#define MCP_HTTP_BURST 200

/* The same for those without the right token, which are counted apart. */
#define MCP_HTTP_WRONG_RATE 1
#define MCP_HTTP_WRONG_BURST 10

struct mcp_http;

struct mcp_http_options {
    uint16_t port; /* 0: a free one */
    const struct secret_token *token;
    /* what the server does, except its answers, which go out over HTTP */
    struct mcp_server_options server;
    /* A client ended the last session; may be NULL. */
    void (*on_left)(void *context);
    void *context;
};

/* Start listening, and the server behind it. Fails as http_server_start. */
MUST_USE bool mcp_http_start(const struct mcp_http_options *options,
                             struct mcp_http **http, struct err *err);
void mcp_http_stop(struct mcp_http *http); /* NULL is fine */

/* Handle no more requests, and mcp_server_drain. */
bool mcp_http_drain(struct mcp_http *http, struct deadline by);

uint16_t mcp_http_port(const struct mcp_http *http);

#endif
