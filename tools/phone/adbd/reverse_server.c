#include "tools/phone/adbd/reverse_server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adb/device/status_reply.h"
#include "adb/services/stream_relay.h"
#include "base/mem.h"

/* Timeout for the host to open its end, or to read an answer. */
#define HOST_MS 10000

#define SPEC_MAX 512

/* A socket that is forwarded to a host. */
struct reverse_forward {
    struct reverse_server *server;
    struct conn *conn; /* borrowed until the host disconnects */
    unsigned host;     /* the host's number in lists */
    bool listening;    /* accepts connections */
    char remote[SOCKETS_NAME_MAX];
    char local[SPEC_MAX];
    struct reverse_forward *next;
};

/* ---- with the lock held ---- */

static struct reverse_forward *find(struct reverse_server *server,
                                    const char *remote)
{
    struct reverse_forward *at = server->first;

    while (at && (!at->listening || strcmp(at->remote, remote) != 0))
        at = at->next;
    return at;
}

/* Any of the host's forwards; conn NULL: of all hosts. */
static struct reverse_forward *find_listening(struct reverse_server *server,
                                              const struct conn *conn)
{
    struct reverse_forward *at = server->first;

    while (at && (!at->listening || (conn && at->conn != conn)))
        at = at->next;
    return at;
}

static bool has_any(const struct reverse_server *server,
                    const struct conn *conn)
{
    const struct reverse_forward *at = server->first;

    while (at && at->conn != conn)
        at = at->next;
    return at;
}

static unsigned number_of(struct reverse_server *server,
                          const struct conn *conn)
{
    for (struct reverse_forward *at = server->first; at; at = at->next) {
        if (at->conn == conn)
            return at->host;
    }
    return ++server->hosts;
}

/* ---- forwards ---- */

static void forward_serve(void *context, struct stream *stream)
{
    struct reverse_forward *forward = context;
    struct stream *host = NULL;
    struct err err;

    if (!conn_open_stream(forward->conn, forward->local,
                          deadline_in_ms(HOST_MS), &host, &err))
        return;
    stream_relay(stream, host);
    stream_close(host);
}

static void forward_release(void *context)
{
    struct reverse_forward *forward = context;
    struct reverse_server *server = forward->server;
    struct reverse_forward **link = &server->first;

    pthread_mutex_lock(&server->lock);
    while (*link != forward)
        link = &(*link)->next;
    *link = forward->next;
    pthread_cond_broadcast(&server->changed);
    pthread_mutex_unlock(&server->lock);
    free(forward);
}

static struct reverse_forward *forward_new(struct reverse_server *server,
                                           struct conn *conn,
                                           const char *remote,
                                           const char *local)
{
    struct reverse_forward *forward = mem_new(1, sizeof(*forward));
    struct reverse_forward **link = &server->first;

    forward->server = server;
    forward->conn = conn;
    snprintf(forward->remote, sizeof(forward->remote), "%s", remote);
    snprintf(forward->local, sizeof(forward->local), "%s", local);
    pthread_mutex_lock(&server->lock);
    forward->host = number_of(server, conn);
    while (*link)
        link = &(*link)->next;
    *link = forward;
    pthread_mutex_unlock(&server->lock);
    return forward;
}

/*
 * Remove the forward of remote, or if NULL any of conn's. False if there is
 * none.
 */
static bool kill_forward(struct reverse_server *server, const char *remote,
                         const struct conn *conn)
{
    char name[SOCKETS_NAME_MAX];
    struct reverse_forward *found;

    pthread_mutex_lock(&server->lock);
    found = remote ? find(server, remote) : find_listening(server, conn);
    if (found) {
        found->listening = false;
        snprintf(name, sizeof(name), "%s", found->remote);
    }
    pthread_mutex_unlock(&server->lock);
    return found && sockets_unlisten(server->sockets, name);
}

void reverse_server_left(void *context, struct conn *conn)
{
    struct reverse_server *server = context;

    while (kill_forward(server, NULL, conn))
        continue;
    /* Connections through the host fail when they use it. */
    pthread_mutex_lock(&server->lock);
    while (has_any(server, conn))
        pthread_cond_wait(&server->changed, &server->lock);
    pthread_mutex_unlock(&server->lock);
}

/* ---- answers ---- */

static void answer(struct stream *stream, const char *status, const char *block)
{
    struct buf text =
        BUF_INIT(2 * STATUS_REPLY_DIGITS + STATUS_REPLY_BLOCK_MAX);
    struct err err; /* ignored: the host has disconnected */

    buf_text(&text, status);
    if (block)
        buf_printf(&text, "%04zx%s", strlen(block), block);
    (void)!stream_write(stream, buf_cstr(&text), text.length,
                        deadline_in_ms(HOST_MS), &err);
    buf_release(&text);
}

static void fail(struct stream *stream, const char *why)
{
    answer(stream, "FAIL", why);
}

/* ---- requests ---- */

/* A chosen port becomes part of the forward's name. */
static void set_listening(struct reverse_forward *forward, uint16_t port)
{
    struct reverse_server *server = forward->server;

    pthread_mutex_lock(&server->lock);
    if (port)
        snprintf(forward->remote, sizeof(forward->remote), "tcp:%u",
                 (unsigned)port);
    forward->listening = true;
    pthread_mutex_unlock(&server->lock);
}

static void begin_forward(struct reverse_server *server, struct conn *conn,
                          const char *remote, const char *local,
                          struct stream *stream)
{
    struct reverse_forward *forward = forward_new(server, conn, remote, local);
    const struct socket_service service = {forward_serve, forward_release,
                                           forward};
    char text[32 + sizeof(((struct err *)0)->text)];
    uint16_t port;
    struct err err;

    if (!sockets_listen(server->sockets, remote, service, &port, &err)) {
        snprintf(text, sizeof(text), "cannot bind listener: %s", err.text);
        fail(stream, text);
        return;
    }
    set_listening(forward, port);
    snprintf(text, sizeof(text), "%u", (unsigned)port);
    answer(stream, "OKAY", port ? text : NULL);
}

/* "[norebind:]REMOTE;LOCAL" */
static void serve_forward(struct reverse_server *server, struct conn *conn,
                          const char *request, struct stream *stream)
{
    bool norebind = !strncmp(request, "norebind:", 9);
    const char *remote = request + (norebind ? 9 : 0);
    const char *local = strchr(remote, ';');
    char spec[SOCKETS_NAME_MAX];
    char name[SOCKETS_NAME_MAX] = "";
    bool taken;

    if (!local || !local[1] || strchr(local + 1, ';') || local[1] == '*' ||
        strlen(local + 1) >= SPEC_MAX) {
        fail(stream, "bad forward");
        return;
    }
    snprintf(spec, sizeof(spec), "%.*s", (int)(local - remote), remote);
    if ((size_t)(local - remote) >= sizeof(spec) || !sockets_name(spec, name)) {
        fail(stream, "cannot bind listener: unknown socket specification");
        return;
    }
    pthread_mutex_lock(&server->lock);
    taken = find(server, name);
    pthread_mutex_unlock(&server->lock);
    if (taken && norebind) {
        fail(stream, "cannot rebind existing socket");
        return;
    }
    if (taken)
        kill_forward(server, name, NULL);
    begin_forward(server, conn, name, local + 1, stream);
}

static void serve_kill(struct reverse_server *server, const char *remote,
                       struct stream *stream)
{
    char name[SOCKETS_NAME_MAX];
    char text[SPEC_MAX];

    if (sockets_name(remote, name) && kill_forward(server, name, NULL)) {
        answer(stream, "OKAY", NULL);
        return;
    }
    snprintf(text, sizeof(text), "listener '%.200s' not found", remote);
    fail(stream, text);
}

static void serve_kill_all(struct reverse_server *server, struct stream *stream)
{
    while (kill_forward(server, NULL, NULL))
        continue;
    answer(stream, "OKAY", NULL);
}

static void serve_list(struct reverse_server *server, struct stream *stream)
{
    struct buf lines = BUF_INIT(STATUS_REPLY_BLOCK_MAX);

    pthread_mutex_lock(&server->lock);
    for (struct reverse_forward *at = server->first; at; at = at->next) {
        if (at->listening)
            buf_printf(&lines, "host-%u %s %s\n", at->host, at->remote,
                       at->local);
    }
    pthread_mutex_unlock(&server->lock);
    answer(stream, "", buf_cstr(&lines));
    buf_release(&lines);
}

void reverse_server_serve(void *context, const char *argument,
                          struct stream *stream, struct conn *conn)
{
    struct reverse_server *server = context;

    if (!strncmp(argument, "forward:", 8))
        serve_forward(server, conn, argument + 8, stream);
    else if (!strncmp(argument, "killforward:", 12))
        serve_kill(server, argument + 12, stream);
    else if (!strcmp(argument, "killforward-all"))
        serve_kill_all(server, stream);
    else if (!strcmp(argument, "list-forward"))
        serve_list(server, stream);
    else
        fail(stream, "unknown request");
}

/* ---- the service ---- */

void reverse_server_init(struct reverse_server *server,
                         struct phone_sockets *sockets)
{
    *server = (struct reverse_server){.sockets = sockets};
    pthread_mutex_init(&server->lock, NULL);
    pthread_cond_init(&server->changed, NULL);
}

void reverse_server_release(struct reverse_server *server)
{
    pthread_cond_destroy(&server->changed);
    pthread_mutex_destroy(&server->lock);
}
