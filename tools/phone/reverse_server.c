#include "tools/phone/reverse_server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adb/reply.h"
#include "base/mem.h"
#include "tools/phone/splice.h"

/* How long the host may take to open its end, or to hear an answer. */
#define HOST_MS 10000

#define SPEC_MAX 512

/* One socket that leads to a host. */
struct reverse_forward {
    struct reverse_server *server;
    struct conn *conn; /* borrowed until the host leaves */
    unsigned host;     /* its number, as lists show it */
    bool listening;    /* whoever wants can connect */
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

/* Any of the host's; conn NULL: of all hosts. */
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
    splice(stream, host);
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

/* End one: that of remote, or if NULL any of conn's. False: there is none. */
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
    /* Who is still connected through the host finds out that it is lost. */
    pthread_mutex_lock(&server->lock);
    while (has_any(server, conn))
        pthread_cond_wait(&server->changed, &server->lock);
    pthread_mutex_unlock(&server->lock);
}

/* ---- answers ---- */

static void answer(struct stream *stream, const char *status, const char *block)
{
    struct buf text = BUF_INIT(2 * REPLY_DIGITS + REPLY_BLOCK_MAX);
    struct err err; /* the host that hung up needs not be told */

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

/* A port that was picked becomes part of the forward's name. */
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
    struct buf lines = BUF_INIT(REPLY_BLOCK_MAX);

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

/* ---- the whole ---- */

void reverse_server_init(struct reverse_server *server, struct sockets *sockets)
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
