#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adb/device/status_reply.h"
#include "adb/server/server_private.h"
#include "adb/services/forward.h"
#include "base/mem.h"

#define SPEC_MAX 512

/*
 * A forward. Its target changes when a client binds the same local end again;
 * existing connections then continue.
 */
struct server_forward {
    struct adb_server *server;
    struct forward *forward; /* owned */
    char local[SPEC_MAX];
    struct server_forward *next;

    /* Guarded by the lock. */
    pthread_mutex_t lock; /* innermost */
    const struct adb_server_phone *phone;
    char remote[SPEC_MAX];
};

bool server_forward_is_command(const char *command)
{
    return !strncmp(command, "forward:", strlen("forward:")) ||
           !strncmp(command, "killforward:", strlen("killforward:")) ||
           !strcmp(command, "killforward-all") ||
           !strcmp(command, "list-forward");
}

/* The target at the time of the connection counts, not that of the bind. */
static bool open_remote(void *context, const char *remote, struct deadline by,
                        struct stream **stream, struct err *err)
{
    struct server_forward *entry = context;
    const struct adb_server_phone *phone;
    char service[SPEC_MAX];

    (void)remote;
    pthread_mutex_lock(&entry->lock);
    phone = entry->phone;
    memcpy(service, entry->remote, sizeof(service));
    pthread_mutex_unlock(&entry->lock);
    return phone->ops->open(phone->context, service, by, stream, err);
}

static void entry_free(struct server_forward *entry)
{
    forward_stop(entry->forward);
    pthread_mutex_destroy(&entry->lock);
    free(entry);
}

/* ---- with forward_lock held ---- */

static struct server_forward **find(struct adb_server *server,
                                    const char *local)
{
    struct server_forward **link = &server->forwards;

    while (*link && strcmp((*link)->local, local) != 0)
        link = &(*link)->next;
    return link;
}

static size_t count(const struct adb_server *server)
{
    size_t entries = 0;

    for (struct server_forward *at = server->forwards; at; at = at->next)
        entries++;
    return entries;
}

static void set_target(struct server_forward *entry,
                       const struct adb_server_phone *phone, const char *remote)
{
    pthread_mutex_lock(&entry->lock);
    entry->phone = phone;
    snprintf(entry->remote, sizeof(entry->remote), "%s", remote);
    pthread_mutex_unlock(&entry->lock);
}

/* A new forward at the end of the list, which link is. */
static bool bind_new(struct server_forward **link, struct adb_server *server,
                     const struct adb_server_phone *phone, const char *local,
                     const char *remote, struct err *err)
{
    struct server_forward *entry = mem_new(1, sizeof(*entry));
    const struct forward_options options = {
        .open = open_remote,
        .context = entry,
        .network = server->options.network,
        .log = server->options.log,
    };

    entry->server = server;
    pthread_mutex_init(&entry->lock, NULL);
    set_target(entry, phone, remote);
    if (!forward_start_with(&options, local, remote, &entry->forward, err)) {
        entry_free(entry);
        return false;
    }
    snprintf(entry->local, sizeof(entry->local), "%s",
             strcmp(local, "tcp:0") ? local : forward_local(entry->forward));
    *link = entry;
    return true;
}

/* ---- requests ---- */

/* OKAY twice: the request was accepted, and carried out. */
static void send_done(struct adb_client *client, const char *port)
{
    struct buf reply = BUF_INIT(64);

    buf_text(&reply, "OKAYOKAY");
    if (port)
        buf_printf(&reply, "%04zx%s", strlen(port), port);
    (void)!adb_client_send(client, buf_cstr(&reply), reply.length);
    buf_release(&reply);
}

static void fail_bind(struct adb_client *client, const struct err *err)
{
    const char *reason = strrchr(err->text, ':');
    char text[64 + sizeof(err->text)];

    snprintf(text, sizeof(text), "cannot bind listener: %s",
             reason && err->code != ERR_INVALID ? reason + 2 : err->text);
    (void)!adb_client_fail(client, text);
}

static void bind_forward(struct adb_client *client,
                         const struct adb_server_phone *phone,
                         const char *local, const char *remote, bool rebind)
{
    struct adb_server *server = client->server;
    struct server_forward **link;
    char port[16] = "";
    struct err err = ERR_INIT;
    bool taken;
    bool done = false;

    pthread_mutex_lock(&server->forward_lock);
    link = find(server, local);
    taken = *link && !rebind;
    if (*link && rebind) {
        set_target(*link, phone, remote);
        done = true;
    } else if (!taken && count(server) >= ADB_SERVER_FORWARDS_MAX) {
        err_set(&err, ERR_INVALID, "too many forwards");
    } else if (!taken) {
        done = bind_new(link, server, phone, local, remote, &err);
        if (done && !strcmp(local, "tcp:0"))
            snprintf(port, sizeof(port), "%.15s",
                     (*link)->local + strlen("tcp:"));
    }
    pthread_mutex_unlock(&server->forward_lock);
    if (done)
        send_done(client, *port ? port : NULL);
    else if (taken)
        (void)!adb_client_fail(client, "cannot rebind existing socket");
    else
        fail_bind(client, &err);
}

/* "[norebind:]LOCAL;REMOTE" */
static void answer_forward(struct adb_client *client, const char *command,
                           const char *spec,
                           const struct adb_server_phone *phone,
                           const char *why)
{
    bool rebind = strncmp(spec, "norebind:", strlen("norebind:")) != 0;
    const char *local = rebind ? spec : spec + strlen("norebind:");
    const char *remote = strchr(local, ';');
    char name[SPEC_MAX];
    char text[SPEC_MAX + 32];

    if (!remote || remote == local || !remote[1] || remote[1] == '*' ||
        strchr(remote + 1, ';') || strlen(spec) >= SPEC_MAX) {
        snprintf(text, sizeof(text), "bad forward: %.400s", command);
        (void)!adb_client_fail(client, text);
    } else if (!phone) {
        (void)!adb_client_fail(client, why);
    } else {
        snprintf(name, sizeof(name), "%.*s", (int)(remote - local), local);
        bind_forward(client, phone, name, remote + 1, rebind);
    }
}

static void answer_kill(struct adb_client *client, const char *local,
                        const struct adb_server_phone *phone, const char *why)
{
    struct adb_server *server = client->server;
    struct server_forward *found;
    struct server_forward **link;
    char text[SPEC_MAX];

    if (!phone) {
        (void)!adb_client_fail(client, why);
        return;
    }
    pthread_mutex_lock(&server->forward_lock);
    link = find(server, local);
    found = *link;
    if (found)
        *link = found->next;
    pthread_mutex_unlock(&server->forward_lock);
    if (found) {
        entry_free(found);
        send_done(client, NULL);
        return;
    }
    snprintf(text, sizeof(text), "listener '%.400s' not found", local);
    (void)!adb_client_fail(client, text);
}

void server_forward_release(struct adb_server *server)
{
    struct server_forward *entries;

    pthread_mutex_lock(&server->forward_lock);
    entries = server->forwards;
    server->forwards = NULL;
    pthread_mutex_unlock(&server->forward_lock);
    while (entries) {
        struct server_forward *entry = entries;

        entries = entry->next;
        entry_free(entry);
    }
}

static void answer_list(struct adb_client *client)
{
    struct adb_server *server = client->server;
    struct buf text = BUF_INIT(STATUS_REPLY_BLOCK_MAX);

    pthread_mutex_lock(&server->forward_lock);
    for (struct server_forward *at = server->forwards; at; at = at->next)
        buf_printf(&text, "%s %s %s\n", at->phone->serial, at->local,
                   at->remote);
    pthread_mutex_unlock(&server->forward_lock);
    (void)!adb_client_okay_block(client, buf_cstr(&text));
    buf_release(&text);
}

void server_forward_answer(struct adb_client *client, const char *command,
                           const struct adb_server_phone *phone,
                           const char *why)
{
    if (!strcmp(command, "list-forward")) {
        answer_list(client);
    } else if (!strcmp(command, "killforward-all")) {
        server_forward_release(client->server);
        send_done(client, NULL);
    } else if (!strncmp(command, "forward:", strlen("forward:"))) {
        answer_forward(client, command, command + strlen("forward:"), phone,
                       why);
    } else {
        answer_kill(client, command + strlen("killforward:"), phone, why);
    }
}
