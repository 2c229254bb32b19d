#include "tools/env/env_sockets.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_write.h"
#include "base/mem.h"
#include "tools/env/openenv_message.h"
#include "tools/http_server/http_server.h"

#define PREFIX "ws-" /* of the names of environments */
/* Connections beside those with an environment. */
#define SPARE_CLIENTS 64

#define ANSWER_MAX ((size_t)256 << 20)

struct env_sockets {
    struct env_sink sink;
    struct env_hub *hub;        /* borrowed */
    struct http_server *server; /* owned */
};

static void name_env(uint64_t client, char name[ENV_NAME_SIZE])
{
    snprintf(name, ENV_NAME_SIZE, PREFIX "%llu", (unsigned long long)client);
}

static uint64_t client_of(const char *name)
{
    return strtoull(name + strlen(PREFIX), NULL, 10);
}

/* ---- answers ---- */

static void send_message(struct env_sockets *sockets, uint64_t client,
                         const struct cJSON *message)
{
    struct buf text = BUF_INIT(ANSWER_MAX);

    json_format(message, &text);
    http_server_send(
        sockets->server,
        &(struct socket_message){.data = text.data, .length = text.length},
        &client, 1);
    buf_release(&text);
}

static void sockets_answer(struct env_sink *sink,
                           const struct env_request *request,
                           struct cJSON *answer, const struct err *err)
{
    struct cJSON *message;

    if (request->method == ENV_CLOSE)
        return;
    message = openenv_message_answer(request, answer, err);
    send_message((struct env_sockets *)sink, client_of(request->env), message);
    cJSON_Delete(message);
}

/* ---- requests ---- */

static void refuse(struct env_sockets *sockets, uint64_t client,
                   const char *code, const struct err *err)
{
    struct cJSON *message = openenv_message_error(code, err->text);

    send_message(sockets, client, message);
    cJSON_Delete(message);
}

static void on_message(void *context, uint64_t client,
                       const struct socket_message *message)
{
    struct env_sockets *sockets = context;
    struct env_request request;
    struct err err = ERR_INIT;
    const char *code;

    if (!openenv_message_read(message->data, message->length, &request, &code,
                              &err)) {
        refuse(sockets, client, code, &err);
        return;
    }
    name_env(client, request.env);
    if (request.method == ENV_CLOSE)
        http_server_disconnect(sockets->server, client);
    else
        env_hub_submit(sockets->hub, &request, &sockets->sink);
}

static void on_left(void *context, uint64_t client)
{
    struct env_sockets *sockets = context;
    struct env_request request = {.method = ENV_CLOSE};

    name_env(client, request.env);
    env_hub_submit(sockets->hub, &request, &sockets->sink);
}

/* ---- serving ---- */

bool env_sockets_open(struct env_hub *hub, uint16_t port, size_t clients,
                      struct env_sockets **sockets, struct err *err)
{
    struct env_sockets *made = mem_new(1, sizeof(*made));
    const struct http_server_options options = {
        .port = port,
        .sockets = {.clients = clients + SPARE_CLIENTS,
                    .message_max = ENV_REQUEST_MAX,
                    .queue_max = ANSWER_MAX,
                    .on_message = on_message,
                    .on_left = on_left},
        .context = made,
    };

    made->sink.answer = sockets_answer;
    made->hub = hub;
    if (!http_server_open(&options, &made->server, err)) {
        free(made);
        return false;
    }
    *sockets = made;
    return true;
}

uint16_t env_sockets_port(const struct env_sockets *sockets)
{
    return http_server_port(sockets->server);
}

bool env_sockets_serve(struct env_sockets *sockets, const struct cancel *cancel,
                       struct err *err)
{
    struct pollfd waited = {.fd = cancel_fd(cancel), .events = POLLIN};

    if (!http_server_start(sockets->server, err))
        return false;
    while (poll(&waited, 1, -1) < 0 && errno == EINTR)
        continue;
    http_server_stop(sockets->server);
    env_hub_cancel(sockets->hub);
    env_hub_drain(sockets->hub);
    return err_set(err, ERR_CANCELLED, "interrupted");
}

void env_sockets_close(struct env_sockets *sockets)
{
    if (!sockets)
        return;
    http_server_close(sockets->server);
    free(sockets);
}
