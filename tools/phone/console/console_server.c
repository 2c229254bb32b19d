#include "tools/phone/console/console_server.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "adb/services/local_endpoint.h"
#include "base/cancel.h"
#include "base/mem.h"

/* Pause after a client could not be accepted. */
#define PAUSE_MS 100

struct console_client {
    int fd; /* owned */
    struct console_session session;
    struct buf in;  /* received, not yet a whole line */
    struct buf out; /* to be sent */
};

struct console_server {
    const struct phone_console *console;
    struct local_endpoint endpoint;
    int listener;
    struct cancel stop;
    pthread_t thread;
    bool started;
    struct console_client
        clients[CONSOLE_SERVER_CLIENTS]; /* the oldest first */
    size_t count;
};

/* ---- clients ---- */

static void drop(struct console_server *server, size_t at)
{
    struct console_client *client = &server->clients[at];

    close(client->fd);
    buf_release(&client->in);
    buf_release(&client->out);
    server->count--;
    memmove(client, client + 1, (server->count - at) * sizeof(*client));
}

/* Make room for one more by disconnecting a client without a token. */
static bool make_room(struct console_server *server)
{
    for (size_t i = 0;
         server->count == CONSOLE_SERVER_CLIENTS && i < server->count; i++) {
        if (!server->clients[i].session.trusted) {
            drop(server, i);
            return true;
        }
    }
    return server->count < CONSOLE_SERVER_CLIENTS;
}

static void admit(struct console_server *server)
{
    int fd =
        accept4(server->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    struct console_client *client;

    if (fd < 0) { /* perhaps no descriptor is free */
        poll(&(struct pollfd){cancel_fd(&server->stop), POLLIN, 0}, 1,
             PAUSE_MS);
        return;
    }
    if (!make_room(server)) {
        close(fd);
        return;
    }
    client = &server->clients[server->count++];
    *client = (struct console_client){
        .fd = fd,
        .in = BUF_INIT(CONSOLE_LINE_MAX),
        .out = BUF_INIT(CONSOLE_REPLY_MAX),
    };
    console_greet(server->console, &client->session, &client->out);
}

/* False when the client must be disconnected. */
static bool send_some(struct console_client *client)
{
    ssize_t sent = send(client->fd, client->out.data, client->out.length,
                        MSG_NOSIGNAL | MSG_DONTWAIT);

    if (sent > 0)
        buf_consume(&client->out, (size_t)sent);
    return sent >= 0 || errno == EAGAIN || errno == EINTR;
}

/* Execute the next whole line. False if there is none. */
static bool run_line(const struct phone_console *console,
                     struct console_client *client)
{
    char *end = client->in.length
                    ? memchr(client->in.data, '\n', client->in.length)
                    : NULL;

    if (!end || client->session.ended)
        return false;
    *end = '\0';
    console_run(console, &client->session, client->in.data, &client->out);
    buf_consume(&client->in, (size_t)(end + 1 - client->in.data));
    return true;
}

/* An incomplete last line is never executed. */
static bool is_too_long(const struct console_client *client)
{
    return client->in.length == CONSOLE_LINE_MAX;
}

static bool receive_some(struct console_client *client)
{
    size_t room = CONSOLE_LINE_MAX - client->in.length;
    char *to = buf_reserve(&client->in, room);
    ssize_t got = to ? recv(client->fd, to, room, MSG_DONTWAIT) : -1;

    if (got > 0)
        buf_commit(&client->in, (size_t)got);
    return got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR));
}

/* Input is read on when all replies are sent. False: disconnect the client. */
static bool serve(const struct phone_console *console,
                  struct console_client *client, short events)
{
    if ((events & POLLIN) && !receive_some(client))
        return false;
    do {
        if (client->out.length && !send_some(client))
            return false;
    } while (!client->out.length && run_line(console, client));
    if (client->out.overflow)
        return false;
    if (!client->out.length && is_too_long(client)) {
        buf_text(&client->out, "KO: line too long\r\n");
        client->session.ended = true;
        buf_clear(&client->in);
    }
    return client->out.length || !client->session.ended;
}

/* ---- the thread ---- */

static void *serve_all(void *context)
{
    struct console_server *server = context;
    struct pollfd polls[2 + CONSOLE_SERVER_CLIENTS];

    for (;;) {
        size_t count = server->count;

        polls[0] = (struct pollfd){cancel_fd(&server->stop), POLLIN, 0};
        polls[1] = (struct pollfd){server->listener, POLLIN, 0};
        for (size_t i = 0; i < count; i++) {
            const struct console_client *client = &server->clients[i];

            polls[2 + i] = (struct pollfd){
                client->fd, client->out.length ? POLLOUT : POLLIN, 0};
        }
        if (poll(polls, 2 + count, -1) < 0 && errno != EINTR)
            return NULL;
        if (polls[0].revents)
            return NULL;
        for (size_t i = count; i-- > 0;) {
            if (polls[2 + i].revents &&
                !serve(server->console, &server->clients[i],
                       polls[2 + i].revents))
                drop(server, i);
        }
        if (polls[1].revents)
            admit(server);
    }
}

/* ---- start and stop ---- */

bool console_server_start(const struct phone_console *console, uint16_t port,
                          struct console_server **server, struct err *err)
{
    struct console_server *made = mem_new(1, sizeof(*made));
    int number;

    made->console = console;
    made->endpoint = (struct local_endpoint){
        .kind = LOCAL_ENDPOINT_TCP, .host = "127.0.0.1", .port = port};
    made->listener = -1;
    made->stop = (struct cancel)CANCEL_INIT;
    if (!cancel_init(&made->stop, err) ||
        !local_endpoint_listen(&made->endpoint, &made->listener, err)) {
        err_wrap(err, "the console");
        console_server_stop(made);
        return false;
    }
    number = pthread_create(&made->thread, NULL, serve_all, made);
    made->started = !number;
    if (number) {
        err_errno(err, number, "start the console's thread");
        console_server_stop(made);
        return false;
    }
    *server = made;
    return true;
}

void console_server_stop(struct console_server *server)
{
    if (!server)
        return;
    if (server->started) {
        cancel_fire(&server->stop);
        pthread_join(server->thread, NULL);
    }
    while (server->count)
        drop(server, server->count - 1);
    if (server->listener >= 0)
        local_endpoint_unlisten(&server->endpoint, server->listener);
    cancel_release(&server->stop);
    free(server);
}

uint16_t console_server_port(const struct console_server *server)
{
    return server->endpoint.port;
}
