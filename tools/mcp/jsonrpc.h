/* JSON-RPC 2.0: one message in, one answer out. No I/O. */
#ifndef TOOLS_MCP_JSONRPC_H
#define TOOLS_MCP_JSONRPC_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/json_write.h"

#define JSONRPC_MESSAGE_MAX ((size_t)1 << 20)
#define JSONRPC_ID_MAX 256
#define JSONRPC_METHOD_MAX 128

/* JSON-RPC 2.0, section 5.1; the last two are those of MCP. */
enum jsonrpc_code {
    JSONRPC_OK = 0,
    JSONRPC_PARSE_ERROR = -32700,
    JSONRPC_INVALID_REQUEST = -32600,
    JSONRPC_METHOD_NOT_FOUND = -32601,
    JSONRPC_INVALID_PARAMS = -32602,
    JSONRPC_INTERNAL_ERROR = -32603,
    JSONRPC_BUSY = -32000,
    JSONRPC_HEADER_MISMATCH = -32020,
    JSONRPC_UNSUPPORTED_VERSION = -32022,
};

enum jsonrpc_kind {
    JSONRPC_REQUEST,
    JSONRPC_NOTIFICATION,
    JSONRPC_RESPONSE, /* to a request of ours; there are none */
};

/* A message of a client. All but tree is borrowed from it. */
struct jsonrpc_message {
    struct cJSON *tree; /* owned */
    enum jsonrpc_kind kind;
    const struct cJSON *id;     /* a string or a number; NULL: none */
    const char *method;         /* NULL in a response */
    const struct cJSON *params; /* an object; NULL: none */
};

/*
 * Parse one message; the caller releases it. On failure *code says what is
 * wrong with it, err why, and message has the id, as far as it is known.
 */
MUST_USE bool jsonrpc_parse(const char *text, size_t length,
                            struct jsonrpc_message *message,
                            enum jsonrpc_code *code, struct err *err);
void jsonrpc_release(struct jsonrpc_message *message);

/* Are these ids the same? */
bool jsonrpc_id_equal(const struct cJSON *a, const struct cJSON *b);

/* A copy of an id, which the caller deletes; NULL for NULL. */
struct cJSON *jsonrpc_id_copy(const struct cJSON *id);

/* An answer to the request with this id (NULL: unknown); result is taken over.
 */
struct cJSON *jsonrpc_result(const struct cJSON *id, struct cJSON *result);

/* An error as the answer; data (may be NULL) is taken over. */
struct cJSON *jsonrpc_error(const struct cJSON *id, enum jsonrpc_code code,
                            const char *text, struct cJSON *data);

#endif
