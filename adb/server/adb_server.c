#include "adb/server/adb_server.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "adb/device/status_reply.h"
#include "adb/server/server_private.h"
#include "adb/transport/tcp_acceptor.h"
#include "base/mem.h"

/* Connections that wait to be accepted. */
#define BACKLOG 128

/* A client that has read nothing of an answer for this time is dropped. */
#define SEND_S 30

/* How much is read from a client whose connection is closed anyway. */
#define DRAIN_MAX ((size_t)256 * 1024)

/* ---- the list of clients; with the lock held ---- */

static void enlist(struct adb_client *client)
{
    struct adb_client **link = &client->server->clients;

    while (*link)
        link = &(*link)->next;
    *link = client;
    client->server->client_count++;
}

static void unlist(struct adb_client *client)
{
    struct adb_client **link = &client->server->clients;

    while (*link != client)
        link = &(*link)->next;
    *link = client->next;
    client->server->client_count--;
}

/* Disconnect the client that has waited longest. False: all are busy. */
static bool make_room(struct adb_server *server)
{
    for (struct adb_client *at = server->clients; at; at = at->next) {
        if (at->busy)
            continue;
        at->busy = true; /* with leaving */
        (void)shutdown(at->fd, SHUT_RDWR);
        return true;
    }
    return false;
}

/* ---- one client ---- */

/* Under the lock, so that no other thread uses the socket afterwards. */
static void client_close(struct adb_client *client)
{
    struct adb_server *server = client->server;

    pthread_mutex_lock(&server->lock);
    unlist(client);
    pthread_mutex_unlock(&server->lock);
    close(client->fd);
    free(client);
}

static void set_busy(struct adb_client *client, bool busy)
{
    pthread_mutex_lock(&client->server->lock);
    client->busy = busy;
    pthread_mutex_unlock(&client->server->lock);
}

/* Read a request. False: there is none, or it is invalid. */
static bool read_request(struct adb_client *client, struct buf *request)
{
    char digits[STATUS_REPLY_DIGITS];
    struct err err;
    size_t length;
    char *room;

    buf_clear(request);
    if (!adb_client_read(client, digits, sizeof(digits)) ||
        !status_reply_parse_hex4(digits, &length, &err) || !length)
        return false;
    room = buf_reserve(request, length);
    if (!room || !adb_client_read(client, room, length))
        return false;
    buf_commit(request, length);
    return true;
}

/* True: the client may send a further request. */
static bool answer(struct adb_client *client, const struct buf *text)
{
    struct server_request request = server_request_parse(buf_cstr(text));

    if (strlen(buf_cstr(text)) != text->length)
        request.kind = SERVER_REQUEST_INVALID;
    switch (request.kind) {
    case SERVER_REQUEST_HOST:
        return server_host_answer(client, &request);
    case SERVER_REQUEST_SERVICE:
        server_service_run(client, request.command);
        return false;
    case SERVER_REQUEST_INVALID:
        (void)!adb_client_fail(client, "unknown host service");
        return false;
    }
    return false;
}

/* Closing a socket that holds unread bytes would reset it: take them out. */
static void drain(struct adb_client *client)
{
    char data[4096];
    size_t left = DRAIN_MAX;
    ssize_t n;

    (void)shutdown(client->fd, SHUT_WR);
    while (left >= sizeof(data) &&
           (n = recv(client->fd, data, sizeof(data), MSG_DONTWAIT)) > 0)
        left -= (size_t)n;
}

static void serve_client(void *context)
{
    struct adb_client *client = context;
    struct buf request = BUF_INIT(STATUS_REPLY_BLOCK_MAX);
    bool goes_on = true;

    while (goes_on && read_request(client, &request)) {
        set_busy(client, true);
        log_trace(client->server->options.log, LOG_SERVER, "request: %.*s",
                  (int)strcspn(buf_cstr(&request), ",:"), buf_cstr(&request));
        goes_on = answer(client, &request);
        if (goes_on)
            set_busy(client, false);
    }
    drain(client);
    buf_release(&request);
    client_close(client);
}

static void set_options(int fd)
{
    const struct timeval timeout = {.tv_sec = SEND_S};
    const int on = 1;

    /* Each option only improves the connection: continue without it. */
    (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    (void)setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof(on));
    (void)setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof(timeout));
}

void adb_server_adopt(struct adb_server *server, int fd)
{
    struct adb_client *client = mem_new(1, sizeof(*client));
    bool room;

    client->server = server;
    client->fd = fd;
    set_options(fd);
    pthread_mutex_lock(&server->lock);
    room = !server->stopping &&
           (server->client_count < ADB_SERVER_CLIENTS_MAX || make_room(server));
    if (room)
        enlist(client);
    pthread_mutex_unlock(&server->lock);
    if (!room) {
        close(fd);
        free(client);
    } else if (!thread_group_start(&server->threads, serve_client, client)) {
        client_close(client);
    }
}

/* ---- the server ---- */

bool adb_server_start(const struct adb_server_options *options,
                      struct adb_server **server, struct err *err)
{
    struct adb_server *started = mem_new(1, sizeof(*started));

    if (!cancel_init(&started->stop, err)) {
        free(started);
        return false;
    }
    started->options = *options;
    /* Some that were disconnected may not have ended. */
    thread_group_init(&started->threads, 2 * (size_t)ADB_SERVER_CLIENTS_MAX);
    pthread_mutex_init(&started->lock, NULL);
    pthread_mutex_init(&started->forward_lock, NULL);
    *server = started;
    return true;
}

static void take_client(void *context, int fd)
{
    adb_server_adopt(context, fd);
}

bool adb_server_listen(struct adb_server *server, const char *address,
                       uint16_t port, uint16_t *bound, struct err *err)
{
    if (!tcp_acceptor_start(address, port, BACKLOG, take_client, server,
                            &server->acceptor, err))
        return err_wrap(err, "adb server");
    *bound = tcp_acceptor_port(server->acceptor);
    return true;
}

bool adb_server_listen_on(struct adb_server *server, int listener,
                          struct err *err)
{
    return tcp_acceptor_adopt(listener, take_client, server, &server->acceptor,
                              err) ||
           err_wrap(err, "adb server");
}

static void hang_up_on_all(struct adb_server *server)
{
    pthread_mutex_lock(&server->lock);
    server->stopping = true;
    for (struct adb_client *at = server->clients; at; at = at->next) {
        (void)shutdown(at->fd, SHUT_RDWR);
        if (at->live)
            stream_interrupt(at->live);
    }
    pthread_mutex_unlock(&server->lock);
}

void adb_server_stop(struct adb_server *server)
{
    if (!server)
        return;
    tcp_acceptor_stop(server->acceptor);
    cancel_fire(&server->stop);
    hang_up_on_all(server);
    thread_group_wait(&server->threads);
    server_forward_release(server);
    thread_group_release(&server->threads);
    pthread_mutex_destroy(&server->forward_lock);
    pthread_mutex_destroy(&server->lock);
    cancel_release(&server->stop);
    free(server);
}
