/*
 * The Model Context Protocol without its transport: messages of clients in,
 * answers out. Both eras of the protocol are served: sessions that begin with
 * `initialize` (up to revision 2025-11-25), and requests that carry their
 * version with them (2026-07-28).
 *
 *     mcp_server_handle ──▶ answered at once: initialize, tools/list, …
 *            │
 *            └──▶ queue ──▶ worker thread: tools/call, one at a time
 */
#ifndef TOOLS_MCP_MCP_SERVER_H
#define TOOLS_MCP_MCP_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/deadline.h"
#include "base/err.h"
#include "tools/mcp/jsonrpc.h"
#include "tools/mcp/mcp_operator.h"
#include "tools/mcp/mcp_tool.h"

/* Calls that wait at the same time; more are refused. */
#define MCP_SERVER_QUEUE_MAX 16

#define MCP_VERSION_MODERN "2026-07-28"
#define MCP_VERSION_MAX 16

/* How a transport is to report an answer. */
enum mcp_status {
    MCP_STATUS_OK,
    MCP_STATUS_ACCEPTED,  /* there is no answer: a notification, or cancelled */
    MCP_STATUS_INVALID,   /* the message or its headers are wrong */
    MCP_STATUS_NOT_FOUND, /* there is no such method */
};

/*
 * Send an answer; text is empty for MCP_STATUS_ACCEPTED, and taken over. Called
 * once for each message, by any thread.
 */
typedef void mcp_answer_fn(void *context, uint64_t number,
                           enum mcp_status status, struct buf *text);

/* A client with a session: a process on stdio, or a session of HTTP. */
struct mcp_peer {
    uint64_t id;                   /* another one for each peer */
    char version[MCP_VERSION_MAX]; /* "": it has not initialized */
};

struct mcp_server_options {
    struct mcp_operator *op; /* borrowed; used by the worker thread only */
    struct mcp_tool_set tools;
    const char *instructions; /* borrowed; for the client's model */
    mcp_answer_fn *answer;
    void *context;
};

struct mcp_server;

MUST_USE bool mcp_server_start(const struct mcp_server_options *options,
                               struct mcp_server **server, struct err *err);

/*
 * End the worker thread: the running call is cancelled, and waiting ones get no
 * answer. NULL is fine.
 */
void mcp_server_stop(struct mcp_server *server);

/*
 * Handle one message. number is passed to the answer. peer is changed by
 * `initialize`; NULL: a client without a session. One thread at a time.
 */
void mcp_server_handle(struct mcp_server *server, struct mcp_peer *peer,
                       uint64_t number, const char *text, size_t length);

/* Answer with an error instead, of a message that cannot be read. */
void mcp_server_refuse(struct mcp_server *server, uint64_t number,
                       enum jsonrpc_code code, const char *why);

/*
 * The client of a stateless message closed its connection: its call is
 * cancelled, without an answer. Nothing happens to a call of a session.
 */
void mcp_server_abandon(struct mcp_server *server, uint64_t number);

/*
 * Block until no call waits or runs; false: the deadline passed before. No
 * message may be handled meanwhile.
 */
bool mcp_server_drain(struct mcp_server *server, struct deadline by);

/* The version that a session gets which asks for this one. */
const char *mcp_server_negotiate(const char *asked);

/* The version in the `_meta` of a request; NULL: it has none. */
const char *mcp_server_meta_version(const struct jsonrpc_message *message);

#endif
