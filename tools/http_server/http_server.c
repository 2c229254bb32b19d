#include "tools/http_server/http_server.h"

#include <arpa/inet.h>
#include <libwebsockets.h>
#include <linux/tcp.h>
#include <openssl/ssl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/deadline.h"
#include "base/macros.h"
#include "base/mem.h"
#include "tools/http_server/certificate.h"
#include "tools/http_server/exchange.h"
#include "tools/http_server/socket_client.h"

#define LOOPBACK "127.0.0.1"
#define OTHER_SOCKETS 4             /* of the server itself */
#define SPARE_CLIENTS 64            /* connections beside those of WebSockets */
#define IDLE_NS INT64_C(1000000000) /* of those that make room for others */
#define REQUEST_S 10  /* for a handshake, or a request, to be complete */
#define SILENCE_S 30  /* for the next request on a connection */
#define PING_S 60     /* for a sign of life of a WebSocket */
#define HANG_UP_S 100 /* and until it counts as dead */
#define FLUSH_MS 2000 /* for what is being sent when it stops */
#define WRITE_MAX ((size_t)256 * 1024) /* at once, to the system */
#define CHECK_US (500 * LWS_US_PER_MS)

/* The one that was silent for longest stands first. */
struct connection {
    struct connection *next, *previous;
    struct lws *wsi;              /* borrowed */
    struct exchange *exchange;    /* owned; NULL: none is being handled */
    struct socket_client *client; /* owned; NULL: it is no WebSocket */
    int64_t touched_ns;           /* when it did something */
    uint64_t received;            /* bytes, when its last request was read */
    bool is_ending;
};

struct http_server {
    struct http_server_options options;
    struct certificate *certificate; /* owned; NULL: there is no TLS */
    struct lws_context *context;
    struct lws_vhost *host;       /* of context */
    lws_sorted_usec_list_t check; /* the timer of check_connections */
    pthread_t thread;
    bool started;
    atomic_bool stopping;

    /* of the server's thread */
    uint64_t last_id;
    struct connection *first, *last;
    size_t connections; /* that do not end */
    struct exchanges exchanges;
    struct socket_clients clients;
};

/* ---- connections ---- */

static struct http_server *server_of(struct lws *wsi)
{
    return lws_context_user(lws_get_context(wsi));
}

static void connection_link(struct http_server *server,
                            struct connection *connection)
{
    connection->touched_ns = clock_ns();
    connection->next = NULL;
    connection->previous = server->last;
    if (server->last)
        server->last->next = connection;
    else
        server->first = connection;
    server->last = connection;
}

static void connection_unlink(struct http_server *server,
                              struct connection *connection)
{
    if (connection->next)
        connection->next->previous = connection->previous;
    else
        server->last = connection->previous;
    if (connection->previous)
        connection->previous->next = connection->next;
    else
        server->first = connection->next;
}

/* It has done something. */
static void connection_touch(struct http_server *server,
                             struct connection *connection)
{
    connection_unlink(server, connection);
    connection_link(server, connection);
}

static void connection_add(struct http_server *server, struct lws *wsi)
{
    struct connection *made = mem_new(1, sizeof(*made));

    *made = (struct connection){.wsi = wsi};
    lws_set_opaque_user_data(wsi, made);
    connection_link(server, made);
    server->connections++;
}

/* The request or the WebSocket of a connection has ended, or both. */
static void connection_clear(struct http_server *server,
                             struct connection *connection)
{
    if (!connection)
        return;
    exchange_drop(&server->exchanges, &connection->exchange);
    socket_client_drop(&server->clients, &connection->client);
}

static void connection_remove(struct http_server *server,
                              struct connection *connection)
{
    if (!connection)
        return;
    connection_clear(server, connection);
    connection_unlink(server, connection);
    if (!connection->is_ending)
        server->connections--;
    lws_set_opaque_user_data(connection->wsi, NULL);
    free(connection);
}

/*
 * When few more can come, close those that do nothing: before their first
 * request, or between two of them. libwebsockets accepts no more while all are
 * in use.
 */
static void make_room(struct http_server *server)
{
    int64_t before = clock_ns() - IDLE_NS;
    size_t most = server->options.connections;

    if (server->connections < most - most / 4)
        return;
    for (struct connection *at = server->first; at && at->touched_ns < before;
         at = at->next) {
        if (at->is_ending || at->exchange || at->client)
            continue;
        at->is_ending = true;
        server->connections--;
        lws_set_timeout(at->wsi, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC);
    }
}

/* ---- the event loop ---- */

/* On the socket, whether they were read or not. */
static uint64_t bytes_received(struct lws *wsi)
{
    struct tcp_info info = {.tcpi_bytes_received = 0};
    socklen_t size = sizeof(info);

    (void)getsockopt(lws_get_socket_fd(wsi), IPPROTO_TCP, TCP_INFO, &info,
                     &size);
    return info.tcpi_bytes_received;
}

/*
 * Has it a body, and came in one piece with the request before? Browsers send
 * nothing like that, and libwebsockets 4.1 never ends to look for the body.
 */
static bool is_endless(struct connection *connection)
{
    uint64_t received = bytes_received(connection->wsi);
    bool is_new = received != connection->received;

    connection->received = received;
    return !is_new && lws_hdr_total_length(connection->wsi,
                                           WSI_TOKEN_HTTP_CONTENT_LENGTH) > 0;
}

static int on_request(struct http_server *server, struct connection *connection)
{
    connection_touch(server, connection);
    if (is_endless(connection))
        return exchange_refuse(connection->wsi, HTTP_STATUS_BAD_REQUEST);
    if (server->stopping)
        return exchange_refuse(connection->wsi,
                               HTTP_STATUS_SERVICE_UNAVAILABLE);
    return exchange_begin(&server->exchanges, connection->wsi,
                          ++server->last_id, &connection->exchange);
}

static int on_body_end(struct http_server *server,
                       struct connection *connection)
{
    return server->stopping
               ? -1
               : exchange_end_body(&server->exchanges, &connection->exchange);
}

static int on_upgrade(struct http_server *server, struct connection *connection,
                      const char *protocol)
{
    if (server->stopping || connection->client)
        return -1;
    if (strcasecmp(protocol, "websocket") != 0)
        return exchange_refuse(connection->wsi, HTTP_STATUS_BAD_REQUEST);
    exchange_drop(&server->exchanges, &connection->exchange);
    return socket_client_admit(&server->clients, connection->wsi,
                               ++server->last_id, &connection->client);
}

/* Another thread has queued answers or messages. */
static void on_wake_up(struct http_server *server)
{
    exchanges_schedule(&server->exchanges);
    socket_clients_schedule(&server->clients);
}

static int on_message(struct http_server *server, struct connection *connection,
                      const void *data, size_t length)
{
    if (server->stopping)
        return 0;
    return socket_client_receive(&server->clients, connection->client, data,
                                 length);
}

/* Events of a connection; not 0 closes it. */
static int on_event_of(struct http_server *server,
                       struct connection *connection,
                       enum lws_callback_reasons reason, void *in,
                       size_t length)
{
    /* libwebsockets has about 90 events; these are for HTTP and WebSocket. */
    switch ((int)reason) {
    case LWS_CALLBACK_HTTP:
        return on_request(server, connection);
    case LWS_CALLBACK_HTTP_BODY:
        return exchange_add_body(connection->exchange, in, length);
    case LWS_CALLBACK_HTTP_BODY_COMPLETION:
        return on_body_end(server, connection);
    case LWS_CALLBACK_HTTP_WRITEABLE:
        return exchange_write(&server->exchanges, &connection->exchange);
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
        return on_upgrade(server, connection, in);
    case LWS_CALLBACK_ESTABLISHED:
        return socket_client_open(&server->clients, connection->client);
    case LWS_CALLBACK_RECEIVE:
        return on_message(server, connection, in, length);
    case LWS_CALLBACK_SERVER_WRITEABLE:
        return socket_client_write(&server->clients, connection->client);
    case LWS_CALLBACK_CLOSED_HTTP:
    case LWS_CALLBACK_CLOSED:
        connection_clear(server, connection);
        return 0;
    case LWS_CALLBACK_RAW_ADOPT:
    case LWS_CALLBACK_RAW_RX:
        return -1;
    default:
        return 0;
    }
}

static int on_event(struct lws *wsi, enum lws_callback_reasons reason,
                    void *user, void *in, size_t length)
{
    struct http_server *server = server_of(wsi);
    struct connection *connection = lws_get_opaque_user_data(wsi);

    (void)user;
    switch ((int)reason) {
    case LWS_CALLBACK_SERVER_NEW_CLIENT_INSTANTIATED:
        connection_add(server, wsi);
        return 0;
    case LWS_CALLBACK_WSI_DESTROY:
        connection_remove(server, connection);
        return 0;
    case LWS_CALLBACK_EVENT_WAIT_CANCELLED:
        on_wake_up(server);
        return 0;
    default:
        return connection ? on_event_of(server, connection, reason, in, length)
                          : 0;
    }
}

static const struct lws_protocols protocols[] = {
    {"http", on_event, 0, 0, 0, NULL, WRITE_MAX},
    {NULL, NULL, 0, 0, 0, NULL, 0},
};

static void check_connections(lws_sorted_usec_list_t *timer)
{
    struct http_server *server =
        lws_container_of(timer, struct http_server, check);

    exchanges_check_clients(&server->exchanges);
    make_room(server);
    lws_sul_schedule(server->context, 0, timer, check_connections, CHECK_US);
}

static bool is_sending(struct http_server *server)
{
    if (exchanges_are_sending(&server->exchanges) ||
        socket_clients_are_sending(&server->clients))
        return true;
    for (struct connection *at = server->first; at; at = at->next) {
        if (lws_partial_buffered(at->wsi))
            return true;
    }
    return false;
}

/* Send everything that was queued before the server was stopped. */
static void flush(struct http_server *server)
{
    struct deadline end = deadline_in_ms(FLUSH_MS);

    while (is_sending(server) && !deadline_passed(end) &&
           lws_service(server->context, 0) >= 0)
        continue;
}

static void *serve(void *context)
{
    struct http_server *server = context;

    lws_sul_schedule(server->context, 0, &server->check, check_connections,
                     CHECK_US);
    while (!server->stopping && lws_service(server->context, 0) >= 0)
        continue;
    flush(server);
    return NULL;
}

/* ---- answers and messages ---- */

void http_server_answer(struct http_server *server, uint64_t id,
                        struct http_answer *answer)
{
    exchanges_answer(&server->exchanges, id, answer);
    lws_cancel_service(server->context);
}

void http_server_send(struct http_server *server,
                      const struct socket_message *message,
                      const uint64_t *clients, size_t count)
{
    socket_clients_send(&server->clients, message, clients, count);
    lws_cancel_service(server->context);
}

void http_server_disconnect(struct http_server *server, uint64_t client)
{
    socket_clients_disconnect(&server->clients, client);
    lws_cancel_service(server->context);
}

/* ---- where it listens ---- */

static bool is_loopback(const char *address, bool *is_numeric)
{
    struct in_addr four;
    struct in6_addr six;

    *is_numeric = true;
    if (inet_pton(AF_INET, address, &four) == 1)
        return ntohl(four.s_addr) >> 24 == 127;
    if (inet_pton(AF_INET6, address, &six) == 1)
        return IN6_IS_ADDR_LOOPBACK(&six);
    *is_numeric = false;
    return false;
}

static bool check_options(const struct http_server_options *options,
                          struct err *err)
{
    bool is_numeric;
    bool is_local = is_loopback(options->address, &is_numeric);

    if (!is_numeric)
        return err_set(
            err, ERR_INVALID,
            "\"%.100s\" is not an IP address: give one such as 127.0.0.1",
            options->address);
    if (!options->certificate != !options->private_key)
        return err_set(err, ERR_INVALID,
                       "TLS needs both a certificate and its private key");
    return is_local || options->certificate ||
           err_set(err, ERR_INVALID,
                   "%.100s can be reached from other computers, which needs "
                   "TLS: give a certificate and its private key",
                   options->address);
}

static bool open_certificate(struct http_server *server, struct err *err)
{
    const struct http_server_options *options = &server->options;

    return !options->certificate ||
           certificate_open(options->certificate, options->private_key,
                            &server->certificate, err);
}

static void ignore_message(int level, const char *line)
{
    (void)level, (void)line;
}

static const lws_retry_bo_t signs_of_life = {
    .secs_since_valid_ping = PING_S,
    .secs_since_valid_hangup = HANG_UP_S,
};

static void put_tls(const struct http_server_options *options,
                    struct lws_context_creation_info *info)
{
    if (!options->certificate)
        return;
    info->options |= LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT;
    info->ssl_cert_filepath = options->certificate;
    info->ssl_private_key_filepath = options->private_key;
    info->ssl_options_set = SSL_OP_NO_TLSv1 | SSL_OP_NO_TLSv1_1;
    /* One connection per WebSocket, as without TLS. */
    info->alpn = "http/1.1";
}

static bool listen_on(struct http_server *server, struct err *err)
{
    const struct http_server_options *options = &server->options;
    struct lws_context_creation_info info = {
        .port = options->port,
        .iface = options->address,
        .protocols = protocols,
        .options = LWS_SERVER_OPTION_EXPLICIT_VHOSTS |
                   LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND |
                   LWS_SERVER_OPTION_VALIDATE_UTF8,
        .max_http_header_data = HTTP_SERVER_HEADER_MAX,
        .fd_limit_per_thread = (unsigned)options->connections + OTHER_SOCKETS,
        .timeout_secs = REQUEST_S,
        .timeout_secs_ah_idle = REQUEST_S,
        .keepalive_timeout = SILENCE_S,
        .retry_and_idle_policy = &signs_of_life,
        .gid = -1,
        .uid = -1,
        .user = server,
    };

    put_tls(options, &info);
    lws_set_log_level(0, ignore_message);
    server->context = lws_create_context(&info);
    if (!server->context)
        return err_set(err, ERR_IO, "libwebsockets cannot be initialized");
    server->host = lws_create_vhost(server->context, &info);
    return server->host || err_set(err, ERR_BUSY, "cannot listen on %s:%u",
                                   options->address, (unsigned)options->port);
}

uint16_t http_server_port(const struct http_server *server)
{
    return (uint16_t)lws_get_vhost_listen_port(server->host);
}

const char *http_server_address(const struct http_server *server)
{
    return server->options.address;
}

const struct certificate *http_server_certificate(
    const struct http_server *server)
{
    return server->certificate;
}

/* ---- starting and stopping ---- */

static void put_defaults(struct http_server_options *options)
{
    if (!options->address)
        options->address = LOOPBACK;
    if (!options->connections)
        options->connections = HTTP_SERVER_CONNECTIONS;
    if (options->connections < options->sockets.clients + SPARE_CLIENTS)
        options->connections = options->sockets.clients + SPARE_CLIENTS;
}

bool http_server_open(const struct http_server_options *options,
                      struct http_server **server, struct err *err)
{
    struct http_server *made = mem_new(1, sizeof(*made));

    *made = (struct http_server){.options = *options};
    put_defaults(&made->options);
    exchanges_init(&made->exchanges, &made->options);
    socket_clients_init(&made->clients, &made->options);
    if (!check_options(&made->options, err) || !open_certificate(made, err) ||
        !listen_on(made, err)) {
        http_server_close(made);
        return false;
    }
    *server = made;
    return true;
}

bool http_server_start(struct http_server *server, struct err *err)
{
    server->started = pthread_create(&server->thread, NULL, serve, server) == 0;
    return server->started || err_set(err, ERR_IO, "cannot start a thread");
}

void http_server_stop(struct http_server *server)
{
    if (!server->started)
        return;
    server->stopping = true;
    lws_cancel_service(server->context);
    pthread_join(server->thread, NULL);
    server->started = false;
}

static void close_context(struct http_server *server)
{
    if (!server->context)
        return;
    server->options.on_gone = NULL;
    server->options.sockets.on_left = NULL;
    lws_sul_schedule(server->context, 0, &server->check, check_connections,
                     LWS_SET_TIMER_USEC_CANCEL);
    lws_context_destroy(server->context);
}

void http_server_close(struct http_server *server)
{
    if (!server)
        return;
    http_server_stop(server);
    close_context(server);
    socket_clients_release(&server->clients);
    exchanges_release(&server->exchanges);
    certificate_close(server->certificate);
    free(server);
}
