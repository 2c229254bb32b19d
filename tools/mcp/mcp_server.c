#include "tools/mcp/mcp_server.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/macros.h"
#include "base/mem.h"

#define ANSWER_MAX ((size_t)96 << 20)
#define LIST_TTL_MS 3600000 /* the tools of a server never change */

#define META "io.modelcontextprotocol/"

/* Versions of sessions, the newest first. */
static const char *const session_versions[] = {"2025-11-25", "2025-06-18",
                                               "2024-11-05"};

/* A call that waits or runs. */
struct mcp_job {
    struct mcp_job *next;
    uint64_t number;
    uint64_t peer;    /* 0: without a session */
    bool modern;      /* the answer carries what 2026-07-28 asks for */
    struct cJSON *id; /* owned */
    struct mcp_call call;
    struct cancel cancel;
    bool cancelled; /* no answer is sent */
};

struct mcp_server {
    struct mcp_server_options options;
    pthread_t thread;

    pthread_mutex_t lock; /* guards all below */
    pthread_cond_t changed;
    struct mcp_job *waiting; /* owned; the oldest first */
    struct mcp_job *running; /* owned by the worker; NULL: none */
    size_t waiting_count;
    bool stopping;
};

/* One message that is being handled. */
struct mcp_exchange {
    struct mcp_server *server;
    struct mcp_peer *peer; /* NULL: none */
    uint64_t number;
    struct jsonrpc_message message;
    bool modern;
};

/* ---- answers ---- */

static void send_tree(struct mcp_server *server, uint64_t number,
                      enum mcp_status status, struct cJSON *tree)
{
    struct buf text = BUF_INIT(ANSWER_MAX);

    if (tree)
        json_format(tree, &text);
    cJSON_Delete(tree);
    server->options.answer(server->options.context, number, status, &text);
    buf_release(&text);
}

static void add_server_info(struct cJSON *into, const char *key)
{
    struct cJSON *info = json_add_object(into, key);

    json_add_string(info, "name", "proctor");
    json_add_string(info, "title", "proctor: an Android phone");
    json_add_string(info, "version", PROCTOR_VERSION);
}

/* What every result of the stateless revision has. */
static void add_modern(struct cJSON *result)
{
    json_add_string(result, "resultType", "complete");
    add_server_info(json_add_object(result, "_meta"), META "serverInfo");
}

static void answer(const struct mcp_exchange *exchange, struct cJSON *result)
{
    if (exchange->modern)
        add_modern(result);
    send_tree(exchange->server, exchange->number, MCP_STATUS_OK,
              jsonrpc_result(exchange->message.id, result));
}

/* HTTP wants another status for some errors of the stateless revision. */
static void answer_error(const struct mcp_exchange *exchange,
                         enum jsonrpc_code code, const char *text,
                         struct cJSON *data)
{
    enum mcp_status status = MCP_STATUS_OK;

    if (code == JSONRPC_UNSUPPORTED_VERSION)
        status = MCP_STATUS_INVALID;
    else if (exchange->modern && code == JSONRPC_METHOD_NOT_FOUND)
        status = MCP_STATUS_NOT_FOUND;
    send_tree(exchange->server, exchange->number, status,
              jsonrpc_error(exchange->message.id, code, text, data));
}

static void accept_quietly(const struct mcp_exchange *exchange)
{
    send_tree(exchange->server, exchange->number, MCP_STATUS_ACCEPTED, NULL);
}

void mcp_server_refuse(struct mcp_server *server, uint64_t number,
                       enum jsonrpc_code code, const char *why)
{
    send_tree(server, number, MCP_STATUS_INVALID,
              jsonrpc_error(NULL, code, why, NULL));
}

/* ---- jobs ---- */

static void job_free(struct mcp_job *job)
{
    cJSON_Delete(job->id);
    mcp_call_release(&job->call);
    cancel_release(&job->cancel);
    free(job);
}

/* Called with the lock held. */
static void job_append(struct mcp_server *server, struct mcp_job *job)
{
    struct mcp_job **at = &server->waiting;

    while (*at)
        at = &(*at)->next;
    *at = job;
    server->waiting_count++;
    pthread_cond_broadcast(&server->changed);
}

/* The result of the call; NULL: it was cancelled. */
static struct cJSON *job_run(struct mcp_server *server, struct mcp_job *job)
{
    struct cJSON *result =
        mcp_operator_call(server->options.op, &job->call, &job->cancel);

    if (result && job->modern)
        add_modern(result);
    return result;
}

/* Run a job, which is taken from the queue, and answer it. */
static void work_off(struct mcp_server *server, struct mcp_job *job)
{
    struct cJSON *result = job_run(server, job);
    bool silent;

    pthread_mutex_lock(&server->lock);
    silent = job->cancelled || !result;
    pthread_mutex_unlock(&server->lock);
    if (silent) {
        cJSON_Delete(result);
        send_tree(server, job->number, MCP_STATUS_ACCEPTED, NULL);
    } else {
        send_tree(server, job->number, MCP_STATUS_OK,
                  jsonrpc_result(job->id, result));
    }
    pthread_mutex_lock(&server->lock);
    server->running = NULL;
    pthread_cond_broadcast(&server->changed);
    pthread_mutex_unlock(&server->lock);
    job_free(job);
}

static void *work(void *context)
{
    struct mcp_server *server = context;

    for (;;) {
        struct mcp_job *job;

        pthread_mutex_lock(&server->lock);
        while (!server->waiting && !server->stopping)
            pthread_cond_wait(&server->changed, &server->lock);
        job = server->stopping ? NULL : server->waiting;
        if (job) {
            server->waiting = job->next;
            server->waiting_count--;
            server->running = job;
        }
        pthread_mutex_unlock(&server->lock);
        if (!job)
            return NULL;
        work_off(server, job);
    }
}

bool mcp_server_drain(struct mcp_server *server, struct deadline by)
{
    const struct timespec end = deadline_timespec(by);
    bool idle;

    pthread_mutex_lock(&server->lock);
    while ((server->waiting || server->running) && !deadline_passed(by))
        (void)pthread_cond_timedwait(&server->changed, &server->lock, &end);
    idle = !server->waiting && !server->running;
    pthread_mutex_unlock(&server->lock);
    return idle;
}

/* ---- cancelling ---- */

typedef bool job_is_fn(const struct mcp_job *job, const void *what);

/* Cancel the first job that fits. Its answer is that there is none. */
static void cancel_job(struct mcp_server *server, job_is_fn *is,
                       const void *what)
{
    struct mcp_job **at, *found = NULL;

    pthread_mutex_lock(&server->lock);
    if (server->running && is(server->running, what)) {
        server->running->cancelled = true;
        cancel_fire(&server->running->cancel);
    } else {
        for (at = &server->waiting; *at && !is(*at, what); at = &(*at)->next)
            continue;
        found = *at;
        if (found) {
            *at = found->next;
            server->waiting_count--;
            pthread_cond_broadcast(&server->changed);
        }
    }
    pthread_mutex_unlock(&server->lock);
    if (!found)
        return;
    send_tree(server, found->number, MCP_STATUS_ACCEPTED, NULL);
    job_free(found);
}

/* In a session a lost connection does not cancel a call. */
static bool has_number(const struct mcp_job *job, const void *what)
{
    return job->modern && job->number == *(const uint64_t *)what;
}

void mcp_server_abandon(struct mcp_server *server, uint64_t number)
{
    cancel_job(server, has_number, &number);
}

struct cancel_target {
    uint64_t peer;
    const struct cJSON *id;
};

static bool has_id(const struct mcp_job *job, const void *what)
{
    const struct cancel_target *target = what;

    return job->peer == target->peer && jsonrpc_id_equal(job->id, target->id);
}

static void on_cancelled(const struct mcp_exchange *exchange)
{
    const struct cancel_target target = {
        .peer = exchange->peer ? exchange->peer->id : 0,
        .id = cJSON_GetObjectItemCaseSensitive(exchange->message.params,
                                               "requestId"),
    };

    cancel_job(exchange->server, has_id, &target);
}

/* ---- versions ---- */

const char *mcp_server_negotiate(const char *asked)
{
    for (size_t i = 0; i < ARRAY_LEN(session_versions); i++) {
        if (strcmp(session_versions[i], asked) <= 0)
            return session_versions[i];
    }
    return session_versions[0];
}

const char *mcp_server_meta_version(const struct jsonrpc_message *message)
{
    const struct cJSON *meta =
        cJSON_GetObjectItemCaseSensitive(message->params, "_meta");
    const struct cJSON *version =
        cJSON_GetObjectItemCaseSensitive(meta, META "protocolVersion");

    return cJSON_IsString(version) ? version->valuestring : NULL;
}

static void add_versions(struct cJSON *into, const char *key)
{
    struct cJSON *array = json_add_array(into, key);

    json_add_string(array, NULL, MCP_VERSION_MODERN);
    for (size_t i = 0; i < ARRAY_LEN(session_versions); i++)
        json_add_string(array, NULL, session_versions[i]);
}

static void refuse_version(const struct mcp_exchange *exchange,
                           const char *asked)
{
    struct cJSON *data = json_new_object();

    add_versions(data, "supported");
    json_add_string(data, "requested", asked);
    answer_error(exchange, JSONRPC_UNSUPPORTED_VERSION,
                 "Unsupported protocol version", data);
}

/* ---- methods ---- */

static void add_capabilities(struct cJSON *result)
{
    json_add_object(json_add_object(result, "capabilities"), "tools");
}

static void on_initialize(const struct mcp_exchange *exchange)
{
    const struct cJSON *asked = cJSON_GetObjectItemCaseSensitive(
        exchange->message.params, "protocolVersion");
    const char *version;
    struct cJSON *result;

    if (!cJSON_IsString(asked)) {
        answer_error(exchange, JSONRPC_INVALID_PARAMS,
                     "protocolVersion: give a string", NULL);
        return;
    }
    if (!exchange->peer) {
        answer_error(exchange, JSONRPC_INVALID_REQUEST,
                     "no session can be opened", NULL);
        return;
    }
    version = mcp_server_negotiate(asked->valuestring);
    memcpy(exchange->peer->version, version, strlen(version) + 1);
    result = json_new_object();
    json_add_string(result, "protocolVersion", version);
    add_capabilities(result);
    add_server_info(result, "serverInfo");
    json_add_string(result, "instructions",
                    exchange->server->options.instructions);
    answer(exchange, result);
}

static void on_discover(const struct mcp_exchange *exchange)
{
    struct cJSON *result = json_new_object();

    add_versions(result, "supportedVersions");
    add_capabilities(result);
    json_add_string(result, "instructions",
                    exchange->server->options.instructions);
    answer(exchange, result);
}

static void on_ping(const struct mcp_exchange *exchange)
{
    answer(exchange, json_new_object());
}

static void on_tools_list(const struct mcp_exchange *exchange)
{
    struct cJSON *result = json_new_object();

    mcp_tool_list(exchange->server->options.tools,
                  json_add_array(result, "tools"));
    if (exchange->modern) {
        json_add_int(result, "ttlMs", LIST_TTL_MS);
        json_add_string(result, "cacheScope", "private");
    }
    answer(exchange, result);
}

/* ---- tools/call ---- */

static bool read_call(const struct mcp_exchange *exchange,
                      struct mcp_call *call)
{
    const struct cJSON *params = exchange->message.params;
    const struct cJSON *name = cJSON_GetObjectItemCaseSensitive(params, "name");
    struct mcp_tool tool;
    struct err err = ERR_INIT;

    if (!cJSON_IsString(name) || !mcp_tool_find(exchange->server->options.tools,
                                                name->valuestring, &tool)) {
        err_fill(&err, ERR_INVALID, "Unknown tool: %.80s",
                 cJSON_IsString(name) ? name->valuestring : "");
        answer_error(exchange, JSONRPC_INVALID_PARAMS, err.text, NULL);
        return false;
    }
    if (mcp_call_read(&tool,
                      cJSON_GetObjectItemCaseSensitive(params, "arguments"),
                      call, &err))
        return true;
    /* The client's model can correct its arguments. */
    answer(exchange, mcp_operator_error(err.text));
    return false;
}

static bool enqueue(struct mcp_server *server, struct mcp_job *job)
{
    bool room;

    pthread_mutex_lock(&server->lock);
    room = server->waiting_count < MCP_SERVER_QUEUE_MAX;
    if (room)
        job_append(server, job);
    pthread_mutex_unlock(&server->lock);
    return room;
}

static void on_tools_call(const struct mcp_exchange *exchange)
{
    struct mcp_call call;
    struct mcp_job *job;
    struct err err = ERR_INIT;

    if (!read_call(exchange, &call))
        return;
    job = mem_new(1, sizeof(*job));
    *job = (struct mcp_job){
        .number = exchange->number,
        .peer = exchange->peer ? exchange->peer->id : 0,
        .modern = exchange->modern,
        .id = jsonrpc_id_copy(exchange->message.id),
        .call = call,
        .cancel = CANCEL_INIT,
    };
    if (!cancel_init(&job->cancel, &err)) {
        answer_error(exchange, JSONRPC_INTERNAL_ERROR, err.text, NULL);
        job_free(job);
    } else if (!enqueue(exchange->server, job)) {
        answer_error(exchange, JSONRPC_BUSY, "too many calls are waiting",
                     NULL);
        job_free(job);
    }
}

/* ---- dispatching ---- */

static const struct {
    const char *name;
    void (*run)(const struct mcp_exchange *exchange);
    bool sessions; /* it exists in sessions */
    bool modern;   /* it exists in the stateless revision */
    bool early;    /* it is allowed before initialize */
} methods[] = {
    {"initialize", on_initialize, true, false, true},
    {"ping", on_ping, true, false, true},
    {"server/discover", on_discover, false, true, false},
    {"tools/list", on_tools_list, true, true, false},
    {"tools/call", on_tools_call, true, true, false},
};

static void dispatch(struct mcp_exchange *exchange)
{
    const char *asked = mcp_server_meta_version(&exchange->message);
    bool ready = exchange->peer && exchange->peer->version[0];

    exchange->modern = asked != NULL;
    if (asked && strcmp(asked, MCP_VERSION_MODERN) != 0) {
        refuse_version(exchange, asked);
        return;
    }
    for (size_t i = 0; i < ARRAY_LEN(methods); i++) {
        if (strcmp(methods[i].name, exchange->message.method) != 0 ||
            !(exchange->modern ? methods[i].modern : methods[i].sessions))
            continue;
        if (exchange->modern || ready || methods[i].early)
            methods[i].run(exchange);
        else
            answer_error(exchange, JSONRPC_INVALID_REQUEST,
                         "send initialize first", NULL);
        return;
    }
    answer_error(exchange, JSONRPC_METHOD_NOT_FOUND, "Method not found", NULL);
}

void mcp_server_handle(struct mcp_server *server, struct mcp_peer *peer,
                       uint64_t number, const char *text, size_t length)
{
    struct mcp_exchange exchange = {
        .server = server, .peer = peer, .number = number};
    enum jsonrpc_code code;
    struct err err = ERR_INIT;

    if (!jsonrpc_parse(text, length, &exchange.message, &code, &err)) {
        send_tree(server, number, MCP_STATUS_INVALID,
                  jsonrpc_error(exchange.message.id, code, err.text, NULL));
    } else if (exchange.message.kind == JSONRPC_REQUEST) {
        dispatch(&exchange);
    } else {
        if (exchange.message.kind == JSONRPC_NOTIFICATION &&
            !strcmp(exchange.message.method, "notifications/cancelled"))
            on_cancelled(&exchange);
        accept_quietly(&exchange);
    }
    jsonrpc_release(&exchange.message);
}

/* ---- starting and stopping ---- */

bool mcp_server_start(const struct mcp_server_options *options,
                      struct mcp_server **server, struct err *err)
{
    struct mcp_server *made = mem_new(1, sizeof(*made));

    *made = (struct mcp_server){.options = *options};
    pthread_mutex_init(&made->lock, NULL);
    deadline_cond_init(&made->changed);
    if (pthread_create(&made->thread, NULL, work, made) != 0) {
        pthread_cond_destroy(&made->changed);
        pthread_mutex_destroy(&made->lock);
        free(made);
        return err_set(err, ERR_IO, "cannot start a thread");
    }
    *server = made;
    return true;
}

void mcp_server_stop(struct mcp_server *server)
{
    if (!server)
        return;
    pthread_mutex_lock(&server->lock);
    server->stopping = true;
    if (server->running) {
        server->running->cancelled = true;
        cancel_fire(&server->running->cancel);
    }
    pthread_cond_broadcast(&server->changed);
    pthread_mutex_unlock(&server->lock);
    pthread_join(server->thread, NULL);
    while (server->waiting) {
        struct mcp_job *job = server->waiting;

        server->waiting = job->next;
        job_free(job);
    }
    pthread_cond_destroy(&server->changed);
    pthread_mutex_destroy(&server->lock);
    free(server);
}
