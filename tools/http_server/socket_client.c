#include "tools/http_server/socket_client.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/mem.h"
#include "tools/http_server/exchange.h"

/*
 * What the system keeps for a client that does not read. It cannot be replaced
 * by something newer any more.
 */
#define SYSTEM_BUFFER (256 * 1024)

/* The bytes of a message, with room for its frame; shared by its clients. */
struct payload {
    atomic_size_t users;
    size_t length;
    unsigned char bytes[]; /* LWS_PRE bytes of room first */
};

/* Something that waits to be sent. */
struct waiting {
    struct waiting *next;
    struct payload *payload; /* NULL: close the connection instead */
    bool binary;
    uint32_t key;
};

struct socket_client {
    struct socket_client *next;
    uint64_t id;
    struct lws *wsi; /* borrowed */
    bool is_open;
    struct buf message; /* the result so far */

    struct waiting *first; /* owned */
    struct waiting **last;
    size_t queued;   /* bytes of all that waits */
    bool is_busy;    /* libwebsockets has not sent all that it was given */
    bool is_dropped; /* too much waits */
};

/* ---- what waits ---- */

static struct payload *payload_new(const struct socket_message *message)
{
    struct payload *made =
        mem_new(1, sizeof(*made) + LWS_PRE + message->length);

    made->users = 1;
    made->length = message->length;
    if (message->length)
        memcpy(made->bytes + LWS_PRE, message->data, message->length);
    return made;
}

static void payload_leave(struct payload *payload)
{
    if (payload && atomic_fetch_sub(&payload->users, 1) == 1)
        free(payload);
}

static size_t waiting_length(const struct waiting *waiting)
{
    return waiting->payload ? waiting->payload->length : 0;
}

static void waiting_free(struct waiting *waiting)
{
    payload_leave(waiting->payload);
    free(waiting);
}

/* Take it out of the queue of the client. */
static struct waiting *unlink_waiting(struct socket_client *client,
                                      struct waiting **at)
{
    struct waiting *taken = *at;

    *at = taken->next;
    if (!*at)
        client->last = at;
    client->queued -= waiting_length(taken);
    return taken;
}

static void drop_key(struct socket_client *client, uint32_t key)
{
    struct waiting **at = &client->first;

    while (*at) {
        if ((*at)->payload && (*at)->key == key)
            waiting_free(unlink_waiting(client, at));
        else
            at = &(*at)->next;
    }
}

static void drop_all(struct socket_client *client)
{
    while (client->first)
        waiting_free(unlink_waiting(client, &client->first));
}

static void append_waiting(struct socket_client *client,
                           const struct waiting *waiting)
{
    struct waiting *made = mem_new(1, sizeof(*made));

    *made = *waiting;
    *client->last = made;
    client->last = &made->next;
    client->queued += waiting_length(made);
}

/* ---- clients ---- */

void socket_clients_init(struct socket_clients *clients,
                         const struct http_server_options *options)
{
    *clients = (struct socket_clients){.options = options};
    pthread_mutex_init(&clients->lock, NULL);
}

void socket_clients_release(struct socket_clients *clients)
{
    pthread_mutex_destroy(&clients->lock);
}

static struct socket_client *client_add(struct socket_clients *clients,
                                        struct lws *wsi, uint64_t id)
{
    struct socket_client *made = mem_new(1, sizeof(*made));

    *made = (struct socket_client){
        .id = id,
        .wsi = wsi,
        .message = BUF_INIT(clients->options->sockets.message_max),
        .last = &made->first,
    };
    clients->count++;
    pthread_mutex_lock(&clients->lock);
    made->next = clients->first;
    clients->first = made;
    pthread_mutex_unlock(&clients->lock);
    return made;
}

/* 0, or the status of the refusal. */
static int ask_owner(struct socket_clients *clients, struct lws *wsi,
                     uint64_t id)
{
    const struct http_server_options *options = clients->options;
    struct received_request received;
    struct http_request request = {.id = 0, .body = ""};
    int status;

    if (!received_request_read(&received, wsi, options->headers))
        return HTTP_STATUS_BAD_REQUEST;
    request.method = received.method;
    request.path = received.path;
    request.headers = &received.headers;
    if (strcmp(received.method, "GET") != 0)
        status = HTTP_STATUS_BAD_REQUEST;
    else if (options->sockets.admit)
        status = options->sockets.admit(options->context, &request, id);
    else
        status =
            http_request_header(&request, "origin") ? HTTP_STATUS_FORBIDDEN : 0;
    received_request_release(&received);
    return status;
}

int socket_client_admit(struct socket_clients *clients, struct lws *wsi,
                        uint64_t id, struct socket_client **client)
{
    int status;

    if (!clients->options->sockets.clients)
        return exchange_refuse(wsi, HTTP_STATUS_BAD_REQUEST);
    if (clients->count >= clients->options->sockets.clients)
        return exchange_refuse(wsi, HTTP_STATUS_SERVICE_UNAVAILABLE);
    status = ask_owner(clients, wsi, id);
    if (status)
        return exchange_refuse(wsi, (unsigned)status);
    *client = client_add(clients, wsi, id);
    return 0;
}

int socket_client_open(struct socket_clients *clients,
                       struct socket_client *client)
{
    const struct http_server_options *options = clients->options;
    const int size = SYSTEM_BUFFER;

    if (!client)
        return -1;
    (void)setsockopt(lws_get_socket_fd(client->wsi), SOL_SOCKET, SO_SNDBUF,
                     &size, sizeof(size));
    pthread_mutex_lock(&clients->lock);
    client->is_open = true;
    pthread_mutex_unlock(&clients->lock);
    if (options->sockets.on_open)
        options->sockets.on_open(options->context, client->id);
    lws_callback_on_writable(client->wsi);
    return 0;
}

void socket_client_drop(struct socket_clients *clients,
                        struct socket_client **client)
{
    const struct http_server_options *options = clients->options;
    struct socket_client *dropped = *client;
    struct socket_client **at = &clients->first;
    uint64_t id;

    if (!dropped)
        return;
    *client = NULL;
    id = dropped->id;
    clients->count--;
    pthread_mutex_lock(&clients->lock);
    while (*at != dropped)
        at = &(*at)->next;
    *at = dropped->next;
    pthread_mutex_unlock(&clients->lock);
    drop_all(dropped);
    buf_release(&dropped->message);
    free(dropped);
    if (options->sockets.on_left)
        options->sockets.on_left(options->context, id);
}

/* ---- messages of clients ---- */

int socket_client_receive(struct socket_clients *clients,
                          struct socket_client *client, const void *data,
                          size_t length)
{
    const struct http_server_options *options = clients->options;
    struct buf *got = &client->message;
    struct socket_message message;

    buf_append(got, data, length);
    if (got->overflow ||
        lws_remaining_packet_payload(client->wsi) > got->limit - got->length) {
        lws_close_reason(client->wsi, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE, NULL,
                         0);
        return -1;
    }
    if (!lws_is_final_fragment(client->wsi) ||
        lws_remaining_packet_payload(client->wsi))
        return 0;
    message = (struct socket_message){
        .binary = lws_frame_is_binary(client->wsi) != 0,
        .data = buf_cstr(got),
        .length = got->length,
    };
    if (options->sockets.on_message)
        options->sockets.on_message(options->context, client->id, &message);
    buf_clear(got);
    return 0;
}

/* ---- messages to clients ---- */

static struct socket_client *find_client(struct socket_clients *clients,
                                         uint64_t id)
{
    struct socket_client *at = clients->first;

    while (at && at->id != id)
        at = at->next;
    return at;
}

static void enqueue(struct socket_client *client, size_t queue_max,
                    const struct waiting *waiting)
{
    if (client->is_dropped)
        return;
    if (waiting->key)
        drop_key(client, waiting->key);
    if (client->queued + waiting->payload->length > queue_max) {
        client->is_dropped = true;
        drop_all(client);
        return;
    }
    atomic_fetch_add(&waiting->payload->users, 1);
    append_waiting(client, waiting);
}

void socket_clients_send(struct socket_clients *clients,
                         const struct socket_message *message,
                         const uint64_t *ids, size_t count)
{
    const struct waiting waiting = {.payload = payload_new(message),
                                    .binary = message->binary,
                                    .key = message->key};

    pthread_mutex_lock(&clients->lock);
    for (size_t i = 0; i < count; i++) {
        struct socket_client *client = find_client(clients, ids[i]);

        if (client)
            enqueue(client, clients->options->sockets.queue_max, &waiting);
    }
    pthread_mutex_unlock(&clients->lock);
    payload_leave(waiting.payload);
}

void socket_clients_disconnect(struct socket_clients *clients, uint64_t id)
{
    struct socket_client *client;

    pthread_mutex_lock(&clients->lock);
    client = find_client(clients, id);
    if (client && !client->is_dropped)
        append_waiting(client, &(struct waiting){.payload = NULL});
    pthread_mutex_unlock(&clients->lock);
}

void socket_clients_schedule(struct socket_clients *clients)
{
    pthread_mutex_lock(&clients->lock);
    for (struct socket_client *at = clients->first; at; at = at->next) {
        if (at->is_dropped)
            lws_set_timeout(at->wsi, PENDING_TIMEOUT_USER_OK,
                            LWS_TO_KILL_ASYNC);
        else if (at->is_open && at->first)
            lws_callback_on_writable(at->wsi);
    }
    pthread_mutex_unlock(&clients->lock);
}

bool socket_clients_are_sending(struct socket_clients *clients)
{
    bool sending = false;

    pthread_mutex_lock(&clients->lock);
    for (const struct socket_client *at = clients->first; at; at = at->next)
        sending = sending || (!at->is_dropped && at->is_open &&
                              (at->first || at->is_busy));
    pthread_mutex_unlock(&clients->lock);
    return sending;
}

/*
 * The next one that waits; NULL: none. libwebsockets calls when all that it was
 * given before is sent.
 */
static struct waiting *take_next(struct socket_clients *clients,
                                 struct socket_client *client)
{
    struct waiting *taken = NULL;

    pthread_mutex_lock(&clients->lock);
    if (client->first)
        taken = unlink_waiting(client, &client->first);
    client->is_busy = taken != NULL;
    pthread_mutex_unlock(&clients->lock);
    return taken;
}

static int disconnect(struct socket_client *client)
{
    lws_close_reason(client->wsi, LWS_CLOSE_STATUS_NORMAL, NULL, 0);
    return -1;
}

int socket_client_write(struct socket_clients *clients,
                        struct socket_client *client)
{
    struct waiting *taken = take_next(clients, client);
    int written = 0;

    if (!taken)
        return 0;
    if (taken->payload)
        written = lws_write(client->wsi, taken->payload->bytes + LWS_PRE,
                            taken->payload->length,
                            taken->binary ? LWS_WRITE_BINARY : LWS_WRITE_TEXT);
    else
        written = disconnect(client);
    waiting_free(taken);
    if (written < 0)
        return -1;
    lws_callback_on_writable(client->wsi);
    return 0;
}
