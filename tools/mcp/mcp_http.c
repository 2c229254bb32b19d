#include "tools/mcp/mcp_http.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>

#include "base/base64.h"
#include "base/deadline.h"
#include "base/macros.h"
#include "base/mem.h"
#include "tools/http_server/http_status.h"
#include "tools/http_server/rate_limit.h"
#include "tools/http_server/web_origin.h"

#define SESSION_ID_SIZE 33
#define HEADER_VALUE_MAX 4096

static const char *const header_names[] = {
    "mcp-session-id", "mcp-protocol-version", "mcp-method", "mcp-name", NULL,
};

struct http_session {
    char id[SESSION_ID_SIZE]; /* "": free */
    struct mcp_peer peer;
    int64_t used_ns;
};

/* All but the answers happens in the thread of the HTTP server. */
struct mcp_http {
    struct mcp_http_options options;
    struct http_server *http;
    struct mcp_server *server;
    struct http_session sessions[MCP_HTTP_SESSIONS];
    uint64_t last_peer;
    struct rate_limit limit;
    struct rate_limit wrong; /* requests without the right token */

    pthread_mutex_t lock;         /* guards all below */
    char opened[SESSION_ID_SIZE]; /* a session that is being opened; or "" */
    uint64_t opened_by;           /* the request that opens it */
};

/* ---- answers ---- */

/* Without a body; header may be NULL. */
static void answer_plain(struct mcp_http *http, uint64_t id, int status,
                         const char *header, const char *value)
{
    const struct http_header headers[] = {{header, value}, {NULL, NULL}};
    struct http_answer answer = {
        .status = status, .headers = headers, .body = BUF_INIT(0)};

    http_server_answer(http->http, id, &answer);
}

static void refuse(struct mcp_http *http, uint64_t id, int status)
{
    answer_plain(http, id, status, NULL, NULL);
}

/* The request that opens a session gets its id. */
static bool is_opening(struct mcp_http *http, uint64_t number,
                       char session[SESSION_ID_SIZE])
{
    bool is;

    pthread_mutex_lock(&http->lock);
    is = http->opened[0] && number == http->opened_by;
    memcpy(session, http->opened, SESSION_ID_SIZE);
    pthread_mutex_unlock(&http->lock);
    return is;
}

static void set_opening(struct mcp_http *http, uint64_t number,
                        const char *session)
{
    pthread_mutex_lock(&http->lock);
    http->opened_by = number;
    snprintf(http->opened, sizeof(http->opened), "%s", session);
    pthread_mutex_unlock(&http->lock);
}

/* An answer of the server, from any thread. */
static void send_answer(void *context, uint64_t number, enum mcp_status status,
                        struct buf *text)
{
    static const int statuses[] = {
        [MCP_STATUS_OK] = STATUS_OK,
        [MCP_STATUS_ACCEPTED] = STATUS_ACCEPTED,
        [MCP_STATUS_INVALID] = STATUS_BAD_REQUEST,
        [MCP_STATUS_NOT_FOUND] = STATUS_NOT_FOUND,
    };
    struct mcp_http *http = context;
    char session[SESSION_ID_SIZE];
    const struct http_header headers[] = {{"mcp-session-id", session},
                                          {NULL, NULL}};
    struct http_answer answer = {
        .status = statuses[status],
        .type = text->length ? "application/json" : NULL,
        .headers = is_opening(http, number, session) ? headers : NULL,
        .body = *text,
    };

    *text = (struct buf)BUF_INIT(0);
    http_server_answer(http->http, number, &answer);
}

/* ---- who may ask ---- */

static bool has_token(const struct mcp_http *http, const char *authorization)
{
    return authorization && !strncasecmp(authorization, "Bearer ", 7) &&
           secret_token_equal(http->options.token, authorization + 7);
}

/* A browser says so of a page of another site, also where it has no origin. */
static bool comes_from_elsewhere(const struct http_request *request)
{
    const char *host = http_request_header(request, "host");
    const char *origin = http_request_header(request, "origin");
    const char *site = http_request_header(request, "sec-fetch-site");

    return !host || !web_origin_is_loopback_host(host) ||
           (origin && !web_origin_is_loopback(origin)) ||
           (site && !strcmp(site, "cross-site"));
}

/* Those without the token use up nothing of what others may ask. */
static void refuse_token(struct mcp_http *http, uint64_t id)
{
    if (rate_limit_take(&http->wrong))
        answer_plain(http, id, STATUS_UNAUTHORIZED, "www-authenticate",
                     "Bearer");
    else
        refuse(http, id, STATUS_TOO_MANY_REQUESTS);
}

/* True: the request was answered, as it is not allowed. */
static bool turn_away(struct mcp_http *http, const struct http_request *request)
{
    const char *token = http_request_header(request, "authorization");

    if (comes_from_elsewhere(request))
        refuse(http, request->id, STATUS_FORBIDDEN);
    else if (!has_token(http, token))
        refuse_token(http, request->id);
    else if (!rate_limit_take(&http->limit))
        refuse(http, request->id, STATUS_TOO_MANY_REQUESTS);
    else if (strcmp(request->path, MCP_HTTP_PATH) != 0)
        refuse(http, request->id, STATUS_NOT_FOUND);
    else
        return false;
    return true;
}

/* ---- sessions ---- */

static struct http_session *find_session(struct mcp_http *http, const char *id)
{
    for (size_t i = 0; i < MCP_HTTP_SESSIONS; i++) {
        struct http_session *session = &http->sessions[i];

        if (session->id[0] && !strcmp(session->id, id)) {
            session->used_ns = clock_ns();
            return session;
        }
    }
    return NULL;
}

static bool make_id(char id[SESSION_ID_SIZE])
{
    unsigned char random[(SESSION_ID_SIZE - 1) / 2];

    if (getrandom(random, sizeof(random), 0) != (ssize_t)sizeof(random))
        return false;
    for (size_t i = 0; i < sizeof(random); i++)
        snprintf(id + 2 * i, 3, "%02x", random[i]);
    return true;
}

/* NULL: there is no randomness. */
static struct http_session *open_session(struct mcp_http *http)
{
    struct http_session *oldest = &http->sessions[0];

    for (size_t i = 1; i < MCP_HTTP_SESSIONS; i++) {
        if (http->sessions[i].used_ns < oldest->used_ns)
            oldest = &http->sessions[i];
    }
    *oldest = (struct http_session){.used_ns = clock_ns(),
                                    .peer = {.id = ++http->last_peer}};
    return make_id(oldest->id) ? oldest : NULL;
}

static void end_session(struct mcp_http *http,
                        const struct http_request *request)
{
    const char *id = http_request_header(request, "mcp-session-id");
    struct http_session *session = id ? find_session(http, id) : NULL;
    bool any = false;

    if (!session) {
        refuse(http, request->id, id ? STATUS_NOT_FOUND : STATUS_BAD_REQUEST);
        return;
    }
    *session = (struct http_session){.used_ns = 0};
    refuse(http, request->id, STATUS_NO_CONTENT);
    for (size_t i = 0; i < MCP_HTTP_SESSIONS; i++)
        any = any || http->sessions[i].id[0];
    if (!any && http->options.on_left)
        http->options.on_left(http->options.context);
}

/* ---- messages ---- */

/* The header equals the value of the body, or its base64 form. */
static bool header_says(const char *header, const char *value)
{
    struct buf encoded = BUF_INIT(HEADER_VALUE_MAX);
    bool same;

    if (!header)
        return false;
    if (!strcmp(header, value))
        return true;
    buf_text(&encoded, "=?base64?");
    base64_append(value, strlen(value), &encoded);
    buf_text(&encoded, "?=");
    same = !encoded.overflow && !strcmp(header, buf_cstr(&encoded));
    buf_release(&encoded);
    return same;
}

/* Do the headers of a stateless request repeat what its body says? */
static bool headers_match(const struct http_request *request,
                          const struct jsonrpc_message *message,
                          const char *version)
{
    const char *given = http_request_header(request, "mcp-protocol-version");
    const char *method = http_request_header(request, "mcp-method");
    const char *name = http_request_header(request, "mcp-name");
    const struct cJSON *called =
        cJSON_GetObjectItemCaseSensitive(message->params, "name");

    return given && !strcmp(given, version) && method &&
           !strcmp(method, message->method) &&
           (strcmp(message->method, "tools/call") != 0 ||
            !cJSON_IsString(called) || header_says(name, called->valuestring));
}

static void handle_modern(struct mcp_http *http,
                          const struct http_request *request,
                          const struct jsonrpc_message *message)
{
    const char *version = mcp_server_meta_version(message);

    if (!headers_match(request, message, version ? version : ""))
        mcp_server_refuse(http->server, request->id, JSONRPC_HEADER_MISMATCH,
                          "MCP-Protocol-Version, Mcp-Method or Mcp-Name does "
                          "not match the message");
    else
        mcp_server_handle(http->server, NULL, request->id, request->body,
                          request->length);
}

static void handle_initialize(struct mcp_http *http,
                              const struct http_request *request)
{
    struct http_session *session = open_session(http);

    if (!session) {
        refuse(http, request->id, STATUS_ERROR);
        return;
    }
    set_opening(http, request->id, session->id);
    mcp_server_handle(http->server, &session->peer, request->id, request->body,
                      request->length);
    set_opening(http, 0, "");
    if (!session->peer.version[0])
        *session = (struct http_session){.used_ns = 0};
}

static void handle_in_session(struct mcp_http *http,
                              const struct http_request *request)
{
    const char *id = http_request_header(request, "mcp-session-id");
    struct http_session *session = id ? find_session(http, id) : NULL;

    if (!id)
        mcp_server_refuse(http->server, request->id, JSONRPC_INVALID_REQUEST,
                          "Mcp-Session-Id is missing");
    else if (!session)
        refuse(http, request->id, STATUS_NOT_FOUND);
    else
        mcp_server_handle(http->server, &session->peer, request->id,
                          request->body, request->length);
}

static bool is_modern(const struct http_request *request,
                      const struct jsonrpc_message *message)
{
    const char *version = http_request_header(request, "mcp-protocol-version");

    return mcp_server_meta_version(message) ||
           (version && strcmp(version, MCP_VERSION_MODERN) >= 0);
}

static bool is_json(const char *type)
{
    return type && !strncasecmp(type, "application/json", 16) &&
           (!type[16] || type[16] == ';' || type[16] == ' ');
}

static void handle_message(struct mcp_http *http,
                           const struct http_request *request)
{
    struct jsonrpc_message message;
    enum jsonrpc_code code;
    struct err err = ERR_INIT;

    if (!is_json(http_request_header(request, "content-type"))) {
        refuse(http, request->id, STATUS_UNSUPPORTED_TYPE);
        return;
    }
    if (!jsonrpc_parse(request->body, request->length, &message, &code, &err))
        mcp_server_refuse(http->server, request->id, code, err.text);
    else if (message.kind == JSONRPC_REQUEST && is_modern(request, &message))
        handle_modern(http, request, &message);
    else if (message.kind == JSONRPC_REQUEST &&
             !strcmp(message.method, "initialize"))
        handle_initialize(http, request);
    else
        handle_in_session(http, request);
    jsonrpc_release(&message);
}

static void handle(void *context, const struct http_request *request)
{
    struct mcp_http *http = context;

    if (turn_away(http, request))
        return;
    if (!strcmp(request->method, "POST"))
        handle_message(http, request);
    else if (!strcmp(request->method, "DELETE"))
        end_session(http, request);
    else
        answer_plain(http, request->id, STATUS_METHOD_NOT_ALLOWED, "allow",
                     "POST, DELETE");
}

static void on_gone(void *context, uint64_t id)
{
    struct mcp_http *http = context;

    mcp_server_abandon(http->server, id);
}

/* ---- starting and stopping ---- */

bool mcp_http_start(const struct mcp_http_options *options,
                    struct mcp_http **http, struct err *err)
{
    struct mcp_http *made = mem_new(1, sizeof(*made));
    struct mcp_server_options server = options->server;
    const struct http_server_options listening = {
        .port = options->port,
        .body_max = JSONRPC_MESSAGE_MAX,
        .headers = header_names,
        .handle = handle,
        .on_gone = on_gone,
        .context = made,
    };

    *made = (struct mcp_http){.options = *options};
    rate_limit_init(&made->limit, MCP_HTTP_RATE, MCP_HTTP_BURST);
    rate_limit_init(&made->wrong, MCP_HTTP_WRONG_RATE, MCP_HTTP_WRONG_BURST);
    pthread_mutex_init(&made->lock, NULL);
    server.answer = send_answer;
    server.context = made;
    if (!http_server_open(&listening, &made->http, err) ||
        !mcp_server_start(&server, &made->server, err) ||
        !http_server_start(made->http, err)) {
        mcp_http_stop(made);
        return false;
    }
    *http = made;
    return true;
}

bool mcp_http_drain(struct mcp_http *http, struct deadline by)
{
    http_server_stop(http->http);
    return mcp_server_drain(http->server, by);
}

void mcp_http_stop(struct mcp_http *http)
{
    if (!http)
        return;
    /* The worker answers until it is stopped. */
    if (http->http)
        http_server_stop(http->http);
    mcp_server_stop(http->server);
    http_server_close(http->http);
    pthread_mutex_destroy(&http->lock);
    free(http);
}

uint16_t mcp_http_port(const struct mcp_http *http)
{
    return http_server_port(http->http);
}
