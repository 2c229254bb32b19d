#include "tests/support/model_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <microhttpd.h>

#include "base/buf.h"
#include "base/mem.h"

#define BODY_MAX ((size_t)256 << 20)
#define STALL_STEP_US 20000

struct model_server {
    struct MHD_Daemon *daemon;
    model_server_fn *answer;
    void *context;
    atomic_int questions;
    atomic_int connections;
    atomic_bool stopping;
};

/* One request being received, then its answer being sent. */
struct exchange {
    struct buf body;
    struct model_server *server;
    struct model_answer answer;
    size_t size; /* bytes of answer.body */
};

const char *model_question_header(const struct model_question *question,
                                  const char *name)
{
    return MHD_lookup_connection_value(question->connection, MHD_HEADER_KIND,
                                       name);
}

/* Bytes of the answer from pos on; or stall, or close the connection. */
static ssize_t send_some(void *context, uint64_t pos, char *to, size_t room)
{
    struct exchange *exchange = context;
    const struct model_answer *answer = &exchange->answer;
    uint64_t end =
        answer->repeated ? exchange->size * answer->repeated : exchange->size;
    size_t from;
    size_t left;

    if (answer->cut && pos >= answer->cut) {
        while (answer->stalls && !exchange->server->stopping)
            usleep(STALL_STEP_US);
        return MHD_CONTENT_READER_END_WITH_ERROR;
    }
    if (answer->cut && end > answer->cut)
        end = answer->cut;
    from = (size_t)(pos % exchange->size);
    left = exchange->size - from;
    if (left > end - pos)
        left = (size_t)(end - pos);
    if (left > room)
        left = room;
    memcpy(to, answer->body + from, left);
    return (ssize_t)left;
}

static enum MHD_Result send_answer(struct exchange *exchange,
                                   struct MHD_Connection *connection)
{
    const struct model_answer *answer = &exchange->answer;
    struct MHD_Response *response;
    enum MHD_Result result;
    uint64_t size;

    exchange->size = answer->size ? answer->size : strlen(answer->body);
    size =
        answer->repeated ? exchange->size * answer->repeated : exchange->size;
    if (exchange->size)
        response = MHD_create_response_from_callback(size, 65536, send_some,
                                                     exchange, NULL);
    else
        response =
            MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT);
    MHD_add_response_header(response, "Content-Type",
                            answer->type ? answer->type : "application/json");
    for (size_t i = 0; i < MODEL_ANSWER_HEADERS && answer->headers[i].name; i++)
        MHD_add_response_header(response, answer->headers[i].name,
                                answer->headers[i].value);
    result = MHD_queue_response(connection, answer->status, response);
    MHD_destroy_response(response);
    return result;
}

static enum MHD_Result handle_request(void *context,
                                      struct MHD_Connection *connection,
                                      const char *url, const char *method,
                                      const char *version, const char *data,
                                      size_t *size, void **state)
{
    struct model_server *server = context;
    struct exchange *exchange = *state;
    struct model_question question = {
        .method = method, .path = url, .connection = connection};

    (void)version;
    if (!exchange) {
        exchange = mem_new(1, sizeof(*exchange));
        exchange->body = (struct buf)BUF_INIT(BODY_MAX);
        exchange->server = server;
        *state = exchange;
        return MHD_YES;
    }
    if (*size) {
        buf_append(&exchange->body, data, *size);
        *size = 0;
        return MHD_YES;
    }
    question.body = buf_cstr(&exchange->body);
    question.size = exchange->body.length;
    question.number = atomic_fetch_add(&server->questions, 1);
    exchange->answer.status = 200;
    server->answer(server->context, &question, &exchange->answer);
    if (!exchange->answer.body)
        exchange->answer.body = mem_dup("{}");
    return send_answer(exchange, connection);
}

static void exchange_over(void *context, struct MHD_Connection *connection,
                          void **state, enum MHD_RequestTerminationCode why)
{
    struct exchange *exchange = *state;

    (void)context, (void)connection, (void)why;
    if (!exchange)
        return;
    buf_release(&exchange->body);
    free(exchange->answer.body);
    free(exchange);
    *state = NULL;
}

static void connected(void *context, struct MHD_Connection *connection,
                      void **state, enum MHD_ConnectionNotificationCode what)
{
    struct model_server *server = context;

    (void)connection, (void)state;
    if (what == MHD_CONNECTION_NOTIFY_STARTED)
        atomic_fetch_add(&server->connections, 1);
}

struct model_server *model_server_start(model_server_fn *answer, void *context)
{
    struct model_server *server = mem_new(1, sizeof(*server));
    const struct sockaddr_in address = {.sin_family = AF_INET,
                                        .sin_addr = {htonl(INADDR_LOOPBACK)}};

    server->answer = answer;
    server->context = context;
    server->daemon = MHD_start_daemon(
        MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION, 0,
        NULL, NULL, handle_request, server, MHD_OPTION_SOCK_ADDR, &address,
        MHD_OPTION_NOTIFY_COMPLETED, exchange_over, NULL,
        MHD_OPTION_NOTIFY_CONNECTION, connected, server, MHD_OPTION_END);
    assert_non_null(server->daemon);
    return server;
}

void model_server_stop(struct model_server *server)
{
    server->stopping = true;
    MHD_stop_daemon(server->daemon);
    free(server);
}

uint16_t model_server_port(const struct model_server *server)
{
    return MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_BIND_PORT)->port;
}

int model_server_questions(struct model_server *server)
{
    return atomic_load(&server->questions);
}

int model_server_connections(struct model_server *server)
{
    return atomic_load(&server->connections);
}
